import assert from 'node:assert/strict'
import { test } from 'node:test'
import { svgLine } from './svg-line.ts'

const box = { width: 100, height: 58, from: 0, to: 4, leastTop: 0, above: 4, below: 4 }
const times = [0, 1, 2, 3, 4]

test('svgLine draws nothing of nothing', () => {
  const { line, area, y } = svgLine([], [], box)
  assert.deepEqual({ line, area }, { line: '', area: '' })
  assert.equal(y(0), 54)
})

test('svgLine breaks the line and its area where nothing is known, and draws a value that stands alone as a short stroke', () => {
  const { line, area } = svgLine(times, [0, 50, null, 100, null], box)
  assert.equal(line, 'M0 54L25 29M73.8 4h2.4')
  assert.equal(area, 'M0 58L0 54L25 29V58ZM75 58L75 4V58Z')
})

test('svgLine ends at the highest value, and no lower than it is told', () => {
  assert.equal(svgLine([0, 4], [10, 20], { ...box, leastTop: 80 }).line, 'M0 47.8L100 41.5')
  assert.equal(svgLine([0, 4], [10, 20], { ...box, leastTop: 80 }).y(80), 4)
  assert.equal(svgLine([0, 4], [10, 160], { ...box, leastTop: 80 }).y(80), 29)
})

test('svgLine draws a value below zero at the foot', () => {
  assert.equal(svgLine([0, 4], [-5, 10], box).line, 'M0 54L100 4')
})

test('svgLine places values by their times', () => {
  assert.equal(svgLine([0, 1, 4], [1, 1, 1], box).line, 'M0 4L25 4L100 4')
})
