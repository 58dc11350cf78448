import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { DiskCounters } from './disk-counters.ts'
import { diskRates } from './disk-rates.ts'

const idle: DiskCounters = {
  name: 'sda',
  number: '8:0',
  reads: 0,
  readBytes: 0,
  readMs: 0,
  writes: 0,
  writtenBytes: 0,
  writeMs: 0,
  busyMs: 0,
  weightedMs: 0,
}
const between = (before: Partial<DiskCounters>, now: Partial<DiskCounters>, elapsedMs = 10_000) =>
  diskRates({ counters: { ...idle, ...before }, takenAtMs: 0 }, { counters: { ...idle, ...now }, takenAtMs: elapsedMs })

test('diskRates computes bytes per second, utilisation and time per operation', () => {
  assert.deepEqual(
    between(
      {},
      { reads: 10, readBytes: 50_000, readMs: 500, writes: 4, writtenBytes: 20_000, writeMs: 1000, busyMs: 2000, weightedMs: 1500 },
    ),
    {
      readBytesPerSecond: 5000,
      writtenBytesPerSecond: 2000,
      activity: { readPercent: 5, writePercent: 10, utilisationPercent: 20, readAwaitMs: 50, writeAwaitMs: 250, weightedPercent: 15 },
    },
  )
})

test('diskRates reports no request time when no request finished, and at most 100 % utilisation', () => {
  assert.deepEqual(between({}, {})?.activity, { readPercent: 0, writePercent: 0, utilisationPercent: 0, weightedPercent: 0 })
  assert.equal(between({}, { reads: 1 })?.activity?.readAwaitMs, 0)
  assert.equal(between({}, { busyMs: 10_050 })?.activity?.utilisationPercent, 100)
})

test('diskRates omits utilisation after a time counter wrapped, and all rates after a byte counter went back', () => {
  assert.deepEqual(between({ readMs: 4_294_967_290 }, { readMs: 5 }), { readBytesPerSecond: 0, writtenBytesPerSecond: 0 })
  assert.equal(between({ readBytes: 10 }, {}), undefined)
})

test('diskRates is empty without an earlier reading, after too short an interval, and beyond the speed of a disk', () => {
  assert.equal(diskRates(undefined, { counters: idle, takenAtMs: 0 }), undefined)
  assert.equal(between({}, {}, 39), undefined)
  assert.equal(between({}, { readBytes: 1e15 }), undefined)
})

test('bug class 24: diskRates of any two readings returns numbers of 0 or more, and shares of at most 100', () => {
  const count = fc.nat(2 ** 40)
  const counters = fc.record({
    reads: count,
    readBytes: count,
    readMs: count,
    writes: count,
    writtenBytes: count,
    writeMs: count,
    busyMs: count,
    weightedMs: count,
  })
  fc.assert(
    fc.property(counters, counters, fc.integer({ min: -5, max: 120_000 }), (before, now, elapsedMs) => {
      const { activity, readBytesPerSecond = 0, writtenBytesPerSecond = 0 } = between(before, now, elapsedMs) ?? {}
      const all = [readBytesPerSecond, writtenBytesPerSecond, ...Object.values(activity ?? {})]
      assert.ok(all.every((value) => Number.isFinite(value) && value >= 0))
      assert.ok((activity?.utilisationPercent ?? 0) <= 100)
    }),
  )
})
