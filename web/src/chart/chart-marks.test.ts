import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marksAt } from './chart-marks.ts'

const restart = { fromMs: 26, label: 'restarted', colour: '--warn' }
const silence = { fromMs: 30, toMs: 60, label: 'no data', colour: '--text-faint' }
const times = [10, 20, 30, 40, 60]

test('marksAt returns an event at the nearest time, and a time range between its ends', () => {
  const told = times.map((_, index) => marksAt([restart, silence], times, index).map(({ label }) => label))
  assert.deepEqual(told, [[], [], ['restarted'], ['no data'], []])
})

test('marksAt is empty at a missing time', () => assert.deepEqual(marksAt([silence], [], 0), []))
