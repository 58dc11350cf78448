import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIVE_SPAN_MS, liveFrame, readMeasurement, withMeasurement, type Measurement } from './measurements.ts'

const answer = (cpu: number) => ({ stats: { cpu }, container: [{ n: 'web', c: cpu / 2, m: 1 }], info: {} })
const follow = (times: readonly number[]) =>
  times.reduce<readonly Measurement[]>((known, at, index) => withMeasurement(known, readMeasurement(answer(index), at)), [])

test('liveFrame has a point for each measurement of the machine and of its containers', () => {
  const measurements = follow([1_000, 2_000, 3_000])
  const [system, containers] = [liveFrame(measurements, 'system'), liveFrame(measurements, 'containers')]
  assert.deepEqual([system.fromMs, system.toMs], [3_000 - LIVE_SPAN_MS, 3_000])
  assert.deepEqual(system.times, [1_000, 2_000, 3_000])
  assert.deepEqual(system.series.get('cpu.busyPercent'), [0, 1, 2])
  assert.deepEqual(containers.series.get('web.cpuPercent'), [0, 0.5, 1])
})

test('liveFrame has a gap where no measurement arrived for some seconds', () => {
  assert.deepEqual(liveFrame(follow([1_000, 2_000, 7_000]), 'system').series.get('cpu.busyPercent'), [0, 1, null, 2])
})

test('withMeasurement keeps the time span of the charts, and starts over when the clock was set back', () => {
  const many = follow(Array.from({ length: 1_000 }, (_, second) => second * 1_000))
  assert.equal(many.length, LIVE_SPAN_MS / 1_000)
  assert.equal(withMeasurement(many, readMeasurement(answer(1), 999_000)), many)
  assert.equal(withMeasurement(many, readMeasurement(answer(1), 5_000)).length, 1)
})

test('readMeasurement of an invalid response is a measurement without values', () => {
  for (const data of [undefined, null, 'x', { stats: [], container: {} }, { stats: null, container: null }]) {
    assert.deepEqual(readMeasurement(data, 1), { system: { at: 1, values: {} }, containers: { at: 1, values: {} } })
  }
})
