import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordedFiles } from '../fixtures/recorded-machine.ts'
import { diskRates, parseDiskStats, type DiskCounters } from './disk-io.ts'

test('parseDiskStats: counters of the recorded disk; slots that never did anything are left out', () => {
  assert.deepEqual(parseDiskStats(recordedFiles('machine-1', 't0')['/proc/diskstats'] ?? ''), [
    {
      name: 'vda',
      number: '254:0',
      reads: 137_677,
      readBytes: 7_031_010 * 512,
      readMs: 85_865,
      writes: 65_269,
      writtenBytes: 18_059_008 * 512,
      writeMs: 88_823,
      busyMs: 22_156,
      weightedMs: 177_366,
    },
  ])
})

for (const [text, message] of [
  ['8 0 sda 1 2 3\n', /line 1 has 6 fields, expected at least 14/],
  ['8 0 sda 1 2 3 4 5 6 7 8 0 9 x\n', /line 1, field 14 is no counter/],
] as const) {
  test(`parseDiskStats refuses "${text.trim()}"`, () => assert.throws(() => parseDiskStats(text), message))
}

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

test('diskRates: bytes per second, shares of the time, time of each operation', () => {
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

test('diskRates: an idle disk waits for nothing, a busy one is never more than always busy', () => {
  assert.equal(between({}, {})?.activity?.readAwaitMs, 0)
  assert.equal(between({}, { busyMs: 10_050 })?.activity?.utilisationPercent, 100)
})

test('diskRates: a time counter that wrapped costs the activity, a byte counter that went back everything', () => {
  assert.deepEqual(between({ readMs: 4_294_967_290 }, { readMs: 5 }), { readBytesPerSecond: 0, writtenBytesPerSecond: 0 })
  assert.equal(between({ readBytes: 10 }, {}), undefined)
})

test('diskRates: nothing without an earlier reading, too soon, or beyond what a disk can do', () => {
  assert.equal(diskRates(undefined, { counters: idle, takenAtMs: 0 }), undefined)
  assert.equal(between({}, {}, 99), undefined)
  assert.equal(between({}, { readBytes: 1e15 }), undefined)
})
