import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CborMap, CborValue } from '../cbor/value.ts'
import type { Sample } from '../metrics/sample.ts'
import { FieldReader, type FieldProblem } from './field-reader.ts'
import { present } from './present.ts'
import { readStats, type Zero } from './stats-decode.ts'

type Fields = Readonly<Record<number | string, CborValue>>

/** A wire map. Keys that look like numbers become numbers. */
const map = (fields: Fields): CborMap =>
  new Map(Object.entries(fields).map(([key, value]) => [/^\d+$/.test(key) ? Number(key) : key, value]))

function statsOf(fields: Fields, zero: Zero): Sample {
  const problems: FieldProblem[] = []
  const sample = present<Sample>(readStats(new FieldReader(map(fields), 'stats', problems), zero))
  assert.deepEqual(problems, [])
  return sample
}

const GIB = 2 ** 30
const MIB = 2 ** 20

type Case = readonly [what: string, fields: Fields, sample: Sample]

/** A document of this project's agent, which omits unknown values. */
const ours: readonly Case[] = [
  ['nothing', {}, {}],
  ['the processor alone', { 0: 12.5 }, { cpu: { busyPercent: 12.5 } }],
  ['an idle processor', { 0: 0 }, { cpu: { busyPercent: 0 } }],
  ['no CPU shares without the total', { 33: [1, 2], 34: [1] }, {}],
  [
    'the CPU shares, in order',
    { 0: 10, 33: [1, 2, 3, 4, 5] },
    { cpu: { busyPercent: 10, shares: { userPercent: 1, systemPercent: 2, iowaitPercent: 3, stealPercent: 4, idlePercent: 5 } } },
  ],
  [
    'CPU shares without the last ones',
    { 0: 10, 33: [] },
    { cpu: { busyPercent: 10, shares: { userPercent: 0, systemPercent: 0, iowaitPercent: 0, stealPercent: 0, idlePercent: 0 } } },
  ],
  ['cores', { 0: 10, 34: Uint8Array.of(5, 15) }, { cpu: { busyPercent: 10, coreBusyPercent: [5, 15] } }],
  ['cores that are all known', { 0: 10, 34: [5, 15], 104: [] }, { cpu: { busyPercent: 10, coreBusyPercent: [5, 15] } }],
  ['cores with one unknown', { 0: 10, 34: [5, 0, 15], 104: [1] }, { cpu: { busyPercent: 10, coreBusyPercent: [5, undefined, 15] } }],
  ['unknown cores of an empty list', { 0: 10, 104: [1] }, { cpu: { busyPercent: 10 } }],
  ['memory', { 2: 4, 3: 1, 4: 25 }, { memory: { totalBytes: 4 * GIB, usedBytes: GIB, usedPercent: 25 } }],
  [
    'memory with caches',
    { 2: 4, 3: 1, 4: 25, 5: 2, 6: 0 },
    { memory: { totalBytes: 4 * GIB, usedBytes: GIB, usedPercent: 25, cacheBytes: 2 * GIB, zfsArcBytes: 0 } },
  ],
  ['no memory without its total', { 3: 1, 4: 25 }, {}],
  ['no memory without the used bytes', { 2: 4, 4: 25 }, {}],
  ['no memory without its percentage', { 2: 4, 3: 1 }, {}],
  ['swap', { 7: 2, 8: 1 }, { swap: { totalBytes: 2 * GIB, usedBytes: GIB } }],
  ['unused swap', { 7: 2 }, { swap: { totalBytes: 2 * GIB, usedBytes: 0 } }],
  ['no swap without its total', { 8: 1 }, {}],
  ['load', { 28: [1, 2, 3] }, { load: { oneMinute: 1, fiveMinutes: 2, fifteenMinutes: 3 } }],
  ['absent load', { 28: [] }, { load: { oneMinute: 0, fiveMinutes: 0, fifteenMinutes: 0 } }],
  ['load of agents 0.12.0', { 23: 1, 24: 2, 25: 3 }, { load: { oneMinute: 1, fiveMinutes: 2, fifteenMinutes: 3 } }],
  ['no load of agents 0.12.0 with one of three missing', { 23: 1, 24: 2 }, {}],
  ['no load of agents 0.12.0 without the first', { 24: 2, 25: 3 }, {}],
  ['no load of agents 0.12.0 without the second', { 23: 1, 25: 3 }, {}],
  ['the root disk', { 9: 8, 10: 2, 11: 25 }, { rootDisk: { totalBytes: 8 * GIB, usedBytes: 2 * GIB, usedPercent: 25 } }],
  ['an empty root disk', { 9: 0, 10: 0, 11: 0 }, { rootDisk: { totalBytes: 0, usedBytes: 0, usedPercent: 0 } }],
  ['the rates of the root disk', { 32: [5, 6] }, { rootDisk: { readBytesPerSecond: 5, writtenBytesPerSecond: 6 } }],
  ['rates of the root disk in MiB', { 12: 1, 13: 2 }, { rootDisk: { readBytesPerSecond: MIB, writtenBytesPerSecond: 2 * MIB } }],
  ['rates in bytes rather than in MiB', { 32: [0, 0], 12: 1, 13: 2 }, { rootDisk: { readBytesPerSecond: 0, writtenBytesPerSecond: 0 } }],
  ['inodes of the root disk', { 100: [10, 4] }, { rootDisk: { inodesTotal: 10, inodesUsed: 4 } }],
  ['no inodes with one number missing', { 100: [10] }, {}],
  [
    'activity of the root disk',
    { 35: [1, 2, 3, 4, 5, 6] },
    {
      rootDisk: {
        activity: { readPercent: 1, writePercent: 2, utilisationPercent: 3, readAwaitMs: 4, writeAwaitMs: 5, weightedPercent: 6 },
      },
    },
  ],
  [
    'activity without the mean time of reads',
    { 35: [1, 2, 3, 0, 5, 6], 103: 1 },
    { rootDisk: { activity: { readPercent: 1, writePercent: 2, utilisationPercent: 3, writeAwaitMs: 5, weightedPercent: 6 } } },
  ],
  [
    'activity without the mean time of writes',
    { 35: [1, 2, 3, 4, 0, 6], 103: 2 },
    { rootDisk: { activity: { readPercent: 1, writePercent: 2, utilisationPercent: 3, readAwaitMs: 4, weightedPercent: 6 } } },
  ],
  [
    'activity without mean times, from absent numbers',
    { 35: [], 103: 3 },
    { rootDisk: { activity: { readPercent: 0, writePercent: 0, utilisationPercent: 0, weightedPercent: 0 } } },
  ],
  [
    'another disk',
    { 21: map({ data: map({ 0: 8, 1: 2, 6: 5, 7: 6, 100: [10, 4] }) }) },
    {
      extraDisks: {
        data: {
          totalBytes: 8 * GIB,
          usedBytes: 2 * GIB,
          usedPercent: 25,
          readBytesPerSecond: 5,
          writtenBytesPerSecond: 6,
          inodesTotal: 10,
          inodesUsed: 4,
        },
      },
    },
  ],
  [
    'another disk with its own percentage and rates in MiB',
    { 21: map({ data: map({ 0: 8, 1: 2, 2: 1, 3: 2, 101: 30 }) }) },
    {
      extraDisks: {
        data: { totalBytes: 8 * GIB, usedBytes: 2 * GIB, usedPercent: 30, readBytesPerSecond: MIB, writtenBytesPerSecond: 2 * MIB },
      },
    },
  ],
  ['another disk without a size', { 21: map({ data: map({ 0: 0, 1: 0 }) }) }, { extraDisks: { data: { totalBytes: 0, usedBytes: 0 } } }],
  ['another disk with only its used bytes', { 21: map({ data: map({ 1: 2 }) }) }, { extraDisks: { data: { usedBytes: 2 * GIB } } }],
  ['another disk with only its size', { 21: map({ data: map({ 0: 2 }) }) }, { extraDisks: { data: { totalBytes: 2 * GIB } } }],
  [
    'activity of another disk',
    { 21: map({ data: map({ 8: [1, 2, 3, 4, 5, 6], 102: 3 }) }) },
    { extraDisks: { data: { activity: { readPercent: 1, writePercent: 2, utilisationPercent: 3, weightedPercent: 6 } } } },
  ],
  ['traffic', { 26: [5, 6] }, { network: { sentBytesPerSecond: 5, receivedBytesPerSecond: 6 } }],
  ['traffic in MiB', { 16: 1, 17: 2 }, { network: { sentBytesPerSecond: MIB, receivedBytesPerSecond: 2 * MIB } }],
  ['traffic in bytes rather than in MiB', { 26: [0, 0], 16: 1, 17: 2 }, { network: { sentBytesPerSecond: 0, receivedBytesPerSecond: 0 } }],
  [
    'interfaces, without an absent sum',
    { 31: map({ eth0: [1, 2, 3, 4], wg0: [] }) },
    {
      network: {
        interfaces: {
          eth0: { sentBytesPerSecond: 1, receivedBytesPerSecond: 2, sentBytesTotal: 3, receivedBytesTotal: 4 },
          wg0: { sentBytesPerSecond: 0, receivedBytesPerSecond: 0, sentBytesTotal: 0, receivedBytesTotal: 0 },
        },
      },
    },
  ],
  ['temperatures', { 20: map({ cpu: 50 }) }, { temperatures: { cpu: 50 } }],
  [
    'temperatures of 0 °C and below together with others',
    { 20: map({ cpu: 50 }), 102: map({ out: -273.15, ice: 0 }) },
    { temperatures: { cpu: 50, out: -273.15, ice: 0 } },
  ],
  ['fans', { 36: map({ a: 900 }) }, { fans: { a: 900 } }],
  ['batteries', { 37: map({ a: 90 }) }, { batteries: { a: 90 } }],
  ['a battery', { 29: [85, 4] }, { battery: { percent: 85, state: 'discharging' } }],
  ['a battery with only its charge', { 29: [85] }, { battery: { percent: 85, state: 'unknown' } }],
  ['a battery in an unknown state', { 29: [85, 77] }, { battery: { percent: 85, state: 'unknown' } }],
  ['no battery for an empty list', { 29: [] }, {}],
  [
    'a GPU',
    { 22: map({ 0: map({ 0: 'A', 3: 50, 4: 30, 5: map({ Render: 5 }), 6: 40, 100: 1, 101: 2, 102: 3, 103: 4 }) }) },
    {
      gpus: {
        0: {
          name: 'A',
          usagePercent: 50,
          powerWatts: 30,
          packagePowerWatts: 40,
          enginePercent: { Render: 5 },
          memoryUsedMegabytes: 1,
          memoryTotalMegabytes: 2,
          sharedMemoryUsedMegabytes: 3,
          sharedMemoryTotalMegabytes: 4,
        },
      },
    },
  ],
  [
    'the memory of a GPU under the keys of other agents',
    { 22: map({ a: map({ 1: 1, 2: 2 }) }) },
    { gpus: { a: { name: '', memoryUsedMegabytes: 1, memoryTotalMegabytes: 2 } } },
  ],
  [
    'pressure',
    { 101: map({ 0: [1, 2], 1: [3], 2: [] }) },
    { pressure: { cpu: { somePercent: 1, fullPercent: 2 }, memory: { somePercent: 3 } } },
  ],
]

for (const [what, fields, sample] of ours) {
  test(`readStats of this project's agent: ${what}`, () => assert.deepEqual(statsOf(fields, undefined), sample))
}

/** A document of another agent, which omits rates of zero. */
const others: readonly Case[] = [
  ['nothing', {}, {}],
  ['a root disk without rates', { 9: 8 }, { rootDisk: { totalBytes: 8 * GIB, readBytesPerSecond: 0, writtenBytesPerSecond: 0 } }],
  [
    'a root disk without one rate',
    { 9: 8, 12: 1 },
    { rootDisk: { totalBytes: 8 * GIB, readBytesPerSecond: MIB, writtenBytesPerSecond: 0 } },
  ],
  ['no rates of an absent root disk', { 11: 5 }, { rootDisk: { usedPercent: 5 } }],
  [
    'another disk without rates',
    { 21: map({ data: map({}) }) },
    { extraDisks: { data: { readBytesPerSecond: 0, writtenBytesPerSecond: 0 } } },
  ],
  [
    'the sum of interfaces if the sum is absent',
    { 31: map({ eth0: [1, 2, 3, 4], wg0: [10, 20, 30, 40] }) },
    {
      network: {
        sentBytesPerSecond: 11,
        receivedBytesPerSecond: 22,
        interfaces: {
          eth0: { sentBytesPerSecond: 1, receivedBytesPerSecond: 2, sentBytesTotal: 3, receivedBytesTotal: 4 },
          wg0: { sentBytesPerSecond: 10, receivedBytesPerSecond: 20, sentBytesTotal: 30, receivedBytesTotal: 40 },
        },
      },
    },
  ],
  [
    'an explicit sum',
    { 26: [5, 6], 31: map({ eth0: [1, 2, 3, 4] }) },
    {
      network: {
        sentBytesPerSecond: 5,
        receivedBytesPerSecond: 6,
        interfaces: { eth0: { sentBytesPerSecond: 1, receivedBytesPerSecond: 2, sentBytesTotal: 3, receivedBytesTotal: 4 } },
      },
    },
  ],
  ['an idle GPU', { 22: map({ a: map({ 0: 'A' }) }) }, { gpus: { a: { name: 'A', usagePercent: 0 } } }],
]

for (const [what, fields, sample] of others) {
  test(`readStats of another agent: ${what}`, () => assert.deepEqual(statsOf(fields, 0), sample))
}

test('readStats accepts only temperatures from absolute zero to 0 °C under the key of cold temperatures', () => {
  const problems: FieldProblem[] = []
  const cold = map({ out: -273.15, ice: 0, warm: 0.5, impossible: -274, text: 'x' })
  const { temperatures } = readStats(new FieldReader(map({ 102: cold }), 'stats', problems), undefined)
  assert.deepEqual(temperatures, { out: -273.15, ice: 0 })
  assert.deepEqual(
    problems.map(({ path }) => path),
    ['stats.102.warm', 'stats.102.impossible', 'stats.102.text'],
  )
})
