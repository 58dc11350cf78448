import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frameOfSamples } from '../../api/series-frame.ts'
import { readSystem, type System } from '../../api/system-record.ts'
import { happeningsIn } from './happenings.ts'

const MINUTE_MS = 60_000
const sample = (minute: number) => ({ at: minute * MINUTE_MS, values: { 'cpu.busyPercent': minute } })
const frame = (...minutes: readonly number[]) =>
  frameOfSamples(minutes.map(sample), { fromMs: 100 * MINUTE_MS, toMs: 160 * MINUTE_MS }, MINUTE_MS)

const known = (status: string, uptimeMinutes = 5_000): System => {
  const system = readSystem({ id: 'a', name: 'a', status })
  return { ...system, latest: { ...system.latest, sampledAtMs: 160 * MINUTE_MS, uptimeSeconds: uptimeMinutes * 60 } }
}
const told = (minutes: readonly number[], system: System, downTimes: readonly { fromMs: number; toMs?: number }[] = []) =>
  happeningsIn({ system, frame: frame(...minutes), downTimes, intervalMs: MINUTE_MS, nowMs: 160 * MINUTE_MS }).map(
    ({ kind, fromMs, toMs }) => [kind, fromMs / MINUTE_MS, ...(toMs === undefined ? [] : [toMs / MINUTE_MS])],
  )

test('happeningsIn: nothing happened to a system that was heard of all the time', () =>
  assert.deepEqual(told([157, 158, 159], known('up')), []))

test('happeningsIn: a start of the machine within the window, by its uptime', () => {
  assert.deepEqual(told([157, 158, 159], known('up', 20)), [['restart', 140]])
  assert.deepEqual(told([157, 158, 159], known('up', 61)), [])
})

test('happeningsIn: gaps between points, and after the last one with the reason the status gives', () => {
  assert.deepEqual(told([120, 121, 130, 131, 159], known('up')), [
    ['silence', 121, 130],
    ['silence', 131, 159],
  ])
  assert.deepEqual(told([139, 140], known('paused')), [['paused', 140, 160]])
  assert.deepEqual(told([139, 140], known('down')), [['down', 140, 160]])
})

test('happeningsIn: a gap that somebody was told about is a time the system was down', () => {
  assert.deepEqual(told([120, 121, 130, 158, 159], known('up'), [{ fromMs: 122 * MINUTE_MS, toMs: 129 * MINUTE_MS }]), [
    ['down', 122, 129],
    ['silence', 130, 158],
  ])
  assert.deepEqual(told([157, 158, 159], known('up'), [{ fromMs: 20 * MINUTE_MS, toMs: 90 * MINUTE_MS }]), [])
})
