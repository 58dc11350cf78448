import assert from 'node:assert/strict'
import { test } from 'node:test'
import { svgLine } from './svg-line.ts'

const box = { width: 100, height: 58, from: 0, to: 4, leastTop: 0, above: 4, below: 4 }
const times = [0, 1, 2, 3, 4]

test('svgLine of no values is empty', () => {
  const { line, area, y } = svgLine([], [], box)
  assert.deepEqual({ line, area }, { line: '', area: '' })
  assert.equal(y(0), 54)
})

test('svgLine breaks the line and its area at unknown values, and draws a single value as a short stroke', () => {
  const { line, area } = svgLine(times, [0, 50, null, 100, null], box)
  assert.equal(line, 'M0 54L25 29M73.8 4h2.4')
  assert.equal(area, 'M0 58L0 54L25 29V58ZM75 58L75 4V58Z')
})

test('svgLine scales to the highest value, but at least to leastTop', () => {
  assert.equal(svgLine([0, 4], [10, 20], { ...box, leastTop: 80 }).line, 'M0 47.8L100 41.5')
  assert.equal(svgLine([0, 4], [10, 20], { ...box, leastTop: 80 }).y(80), 4)
  assert.equal(svgLine([0, 4], [10, 160], { ...box, leastTop: 80 }).y(80), 29)
})

test('svgLine draws a value below zero at the bottom', () => {
  assert.equal(svgLine([0, 4], [-5, 10], box).line, 'M0 54L100 4')
})

test('svgLine positions values by their times', () => {
  assert.equal(svgLine([0, 1, 4], [1, 1, 1], box).line, 'M0 4L25 4L100 4')
})
