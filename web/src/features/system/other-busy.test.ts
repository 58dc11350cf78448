import assert from 'node:assert/strict'
import { test } from 'node:test'
import { otherBusyPercent } from './other-busy.ts'

const otherOf = (series: Readonly<Record<string, readonly (number | null)[]>>) =>
  otherBusyPercent({ fromMs: 0, toMs: 3, times: [0, 1, 2], series: new Map(Object.entries(series)) })

test('otherBusyPercent is the total CPU time minus the known kinds, for niced processes and interrupts', () => {
  const kinds = {
    'cpu.userPercent': [22.5, 22.5, null],
    'cpu.systemPercent': [8.5, 8.5, 1],
    'cpu.iowaitPercent': [0, 4, 1],
    'cpu.stealPercent': [0.5, 0.5, 1],
  }
  assert.deepEqual(otherOf({ 'cpu.busyPercent': [100, 31.4, 50], ...kinds }), [68.5, 0, null])
  assert.deepEqual(otherOf({ 'cpu.busyPercent': [100, null, null], ...kinds }), [68.5, null, null])
})

test('otherBusyPercent is undefined if the kinds add up to the total except for rounding, or are not reported', () => {
  const kinds = { 'cpu.userPercent': [20, 20, 20], 'cpu.systemPercent': [10, 10, 10] }
  assert.equal(otherOf({ 'cpu.busyPercent': [30, 30.04, 29.97], ...kinds }), undefined)
  assert.equal(otherOf({ 'cpu.busyPercent': [30, 30, 30] }), undefined)
  assert.equal(otherOf(kinds), undefined)
})
