import assert from 'node:assert/strict'
import { test } from 'node:test'
import { levelKind } from './alert-kinds.ts'
import { judge, sideOf } from './judge-level.ts'
import type { Readings } from './recent-readings.ts'

const MINUTE_MS = 60_000
const kind = levelKind('CPU') ?? assert.fail('CPU is a level')

test('sideOf: the threshold itself is within, and nothing known is on no side', () => {
  const rule = { threshold: 80, minutes: 1 }
  assert.deepEqual(
    [79, 80, 81].map((value) => sideOf({ value, target: '' }, rule, kind)),
    ['within', 'within', 'beyond'],
  )
  assert.equal(sideOf(undefined, rule, kind), 'unknown')
})

const readings: Readings = {
  times: [0, 1, 2, 3].map((minute) => minute * MINUTE_MS),
  targets: new Map([['', [90, 90, 90, 60]]]),
}

test('judge: the reading and the average of the minutes are judged each, at the time of the reading', () => {
  const { event, average } = judge(readings, { rule: { threshold: 70, minutes: 3 }, kind, now: { value: 60, target: '' }, at: 3 })
  assert.deepEqual(event, { kind: 'level', atMs: 3 * MINUTE_MS, now: 'within', average: 'beyond' })
  assert.deepEqual(average, { value: 80, target: '' })
})

test('judge: of a rule of one minute the reading is the average', () => {
  const now = { value: 95, target: 'of its own' }
  const { event, average } = judge(readings, { rule: { threshold: 70, minutes: 1 }, kind, now, at: 3 })
  assert.deepEqual(event, { kind: 'level', atMs: 3 * MINUTE_MS, now: 'beyond', average: 'beyond' })
  assert.equal(average, now)
})

test('judge: where readings do not reach back far enough the average is unknown', () => {
  const { event, average } = judge(readings, { rule: { threshold: 70, minutes: 10 }, kind, now: undefined, at: 3 })
  assert.deepEqual(event, { kind: 'level', atMs: 3 * MINUTE_MS, now: 'unknown', average: 'unknown' })
  assert.equal(average, undefined)
})
