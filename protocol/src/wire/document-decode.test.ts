import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CborMap, CborValue } from '../cbor/value.ts'
import type { Sample } from '../metrics/sample.ts'
import { decodeDocument } from './document-decode.ts'
import { ANNOUNCED_VERSION } from './version.ts'

type Fields = Readonly<Record<number, CborValue>>

const map = (fields: Fields): CborMap => new Map(Object.entries(fields).map(([key, value]) => [Number(key), value]))

const GIB = 2 ** 30
const MIB = 2 ** 20
const ours = { 10: ANNOUNCED_VERSION }

const cases: readonly (readonly [what: string, fields: Fields, sample: Sample])[] = [
  ['the time of the sample', { 100: 5 }, { takenAtMs: 5 }],
  ['ages of old readings, at most an hour', { 101: map({ 0: 5, 16: 3_600_001, 99: 7 }) }, { ages: { cpu: 5, serviceCounts: 3_600_000 } }],
  [
    'machine facts before 0.18, with the memory from the stats',
    { 0: map({ 2: 3.5, 3: 1, 4: 25 }), 1: map({ 0: 'h', 1: 'k', 2: 4, 3: 8, 4: 'c', 5: 60, 11: true, 14: 3 }) },
    {
      memory: { totalBytes: 3.5 * GIB, usedBytes: GIB, usedPercent: 25 },
      uptimeSeconds: 60,
      machine: {
        hostname: 'h',
        kernel: 'k',
        cores: 4,
        threads: 8,
        cpuModel: 'c',
        podman: true,
        os: 'freebsd',
        totalMemoryBytes: 3.5 * GIB,
      },
    },
  ],
  [
    'memory of the machine as a whole number of bytes',
    { 0: map({ 2: 3.3, 3: 0, 4: 0 }), 1: map({ 0: 'h' }) },
    {
      memory: { totalBytes: 3.3 * GIB, usedBytes: 0, usedPercent: 0 },
      machine: { hostname: 'h', totalMemoryBytes: 3_543_348_019 },
    },
  ],
  ['machine facts before 0.18 without memory', { 1: map({ 0: 'h' }) }, { machine: { hostname: 'h' } }],
  ['no machine facts for empty texts', { 1: map({ 0: '', 1: '', 4: '' }) }, {}],
  [
    'only threads, without memory',
    { 0: map({ 2: 1, 3: 1, 4: 1 }), 1: map({ 3: 8 }) },
    {
      memory: { totalBytes: GIB, usedBytes: GIB, usedPercent: 1 },
      machine: { threads: 8 },
    },
  ],
  [
    'machine facts in the details, together with threads',
    { 1: map({ 3: 8 }), 4: map({ 0: 'h', 3: 16 }) },
    { machine: { hostname: 'h', threads: 16 } },
  ],
  ['threads that the details lack', { 1: map({ 3: 8 }), 4: map({ 0: 'h' }) }, { machine: { hostname: 'h', threads: 8 } }],
  [
    'details',
    {
      4: map({
        0: 'h',
        1: 'k',
        2: 4,
        3: 8,
        4: 'c',
        5: 1,
        6: 'Name',
        7: 'arm64',
        8: false,
        9: 1024,
        10: 5_000_000,
        100: 'docker',
        101: [0, 3, 9],
      }),
    },
    {
      machine: {
        hostname: 'h',
        kernel: 'k',
        cores: 4,
        threads: 8,
        cpuModel: 'c',
        os: 'macos',
        osName: 'Name',
        architecture: 'arm64',
        podman: false,
        totalMemoryBytes: 1024,
        smartIntervalMs: 5,
        container: 'docker',
        hostScoped: ['cpu', 'temperatures'],
      },
    },
  ],
  ['a link over SSH', { 1: map({ 20: 1 }) }, { link: 'ssh' }],
  ['a link over WebSocket', { 1: map({ 20: 2 }) }, { link: 'websocket' }],
  ['no unknown link', { 1: map({ 20: 3 }) }, {}],
  ['counts of services', { 1: map({ 22: [5, 2] }) }, { serviceCounts: { total: 5, failed: 2 } }],
  ['service counts without the last number', { 1: map({ 22: [5] }) }, { serviceCounts: { total: 5, failed: 0 } }],
  ['empty service counts', { 1: map({ 22: [] }) }, { serviceCounts: { total: 0, failed: 0 } }],
  ['the temperature of the machine', { 1: map({ 13: 50, 100: -1 }) }, { dashboardCelsius: 50 }],
  ['the temperature of a cold machine', { 1: map({ 100: -1 }) }, { dashboardCelsius: -1 }],
  [
    'a container of another agent, without rates',
    { 2: [map({ 0: 'web', 1: 5, 2: 1 })] },
    { containers: [{ name: 'web', cpuPercent: 5, memoryBytes: MIB, sentBytesPerSecond: 0, receivedBytesPerSecond: 0 }] },
  ],
  [
    'a container of another agent with an older version',
    { 1: map({ 10: '0.18.8' }), 2: [map({ 0: 'web', 3: 1, 4: 2 })] },
    { agentVersion: '0.18.8', containers: [{ name: 'web', sentBytesPerSecond: MIB, receivedBytesPerSecond: 2 * MIB }] },
  ],
  [
    "a container of this project's agent without unknown values",
    { 1: map(ours), 2: [map({ 0: 'web', 7: '' })] },
    { agentVersion: ANNOUNCED_VERSION, containers: [{ name: 'web' }] },
  ],
  [
    "a disk of this project's agent without unknown values",
    { 0: map({ 9: 1 }), 1: map(ours) },
    { agentVersion: ANNOUNCED_VERSION, rootDisk: { totalBytes: GIB } },
  ],
  ['a disk of another agent', { 0: map({ 9: 1 }) }, { rootDisk: { totalBytes: GIB, readBytesPerSecond: 0, writtenBytesPerSecond: 0 } }],
  [
    'events of containers, without invalid exit codes',
    {
      1: map(ours),
      102: [
        map({ 0: 5, 1: 'web', 2: 137, 3: true }),
        map({ 0: 6, 1: 'web', 3: true }),
        map({ 0: 7, 1: 'web', 2: 2 ** 32 }),
        map({ 0: 8, 1: 'web', 2: 1.5 }),
      ],
    },
    {
      agentVersion: ANNOUNCED_VERSION,
      containerEvents: [
        { atMs: 5, container: 'web', exitCode: 137, outOfMemory: true },
        { atMs: 6, container: 'web', outOfMemory: true },
        { atMs: 7, container: 'web', outOfMemory: false },
        { atMs: 8, container: 'web', exitCode: 1, outOfMemory: false },
      ],
    },
  ],
  [
    'invalid limits of a container',
    { 1: map(ours), 2: [map({ 0: 'web', 105: 0, 106: 0 })] },
    { agentVersion: ANNOUNCED_VERSION, containers: [{ name: 'web' }] },
  ],
  [
    'a container with all fields',
    {
      2: [
        map({
          0: 'web',
          3: 1,
          4: 1,
          5: 2,
          6: 'Up',
          7: 'id',
          8: 'image',
          9: [5, 6],
          10: '80',
          100: [7, 8],
          101: 2,
          102: 'p',
          103: 's',
          104: 'db',
          105: 512,
          106: 1.5,
        }),
      ],
    },
    {
      containers: [
        {
          name: 'web',
          id: 'id',
          sentBytesPerSecond: 5,
          receivedBytesPerSecond: 6,
          health: 'healthy',
          status: 'Up',
          image: 'image',
          ports: '80',
          diskReadBytesPerSecond: 7,
          diskWrittenBytesPerSecond: 8,
          restarts: 2,
          composeProject: 'p',
          composeService: 's',
          networkOf: 'db',
          memoryLimitBytes: 512,
          cpuLimitCpus: 1.5,
        },
      ],
    },
  ],
  [
    'services',
    { 3: [map({ 0: 'a' }), map({ 0: 'b', 1: 2, 2: 5, 3: 6, 4: 7, 5: 3, 6: 8 })] },
    {
      services: [
        { name: 'a', state: 'inactive', subState: 'other' },
        { name: 'b', state: 'failed', subState: 'failed', cpuPercent: 5, cpuPeakPercent: 8, memoryBytes: 6, memoryPeakBytes: 7 },
      ],
    },
  ],
]

for (const [what, fields, sample] of cases) {
  test(`decodeDocument: ${what}`, () => assert.deepEqual(decodeDocument(map(fields)), { ok: true, sample, problems: [] }))
}

test('decodeDocument refuses a value that is not a map', () => {
  for (const value of [null, [], 5, 'x']) assert.deepEqual(decodeDocument(value), { ok: false, reason: 'not a map' })
})

test('decodeDocument omits containers and services without a name, and reports that', () => {
  const document = decodeDocument(map({ 2: [map({ 1: 5 }), map({ 0: 'web' })], 3: [map({ 1: 2 })] }))
  assert.ok(document.ok)
  assert.deepEqual(
    document.sample.containers?.map(({ name }) => name),
    ['web'],
  )
  assert.deepEqual(document.sample.services, [])
  assert.deepEqual(document.problems, [
    { path: 'document.2.0', expected: 'a usable map' },
    { path: 'document.3.0', expected: 'a usable map' },
  ])
})

test('decodeDocument omits a field of the wrong type and names it', () => {
  const document = decodeDocument(map({ 0: map({ 0: 'x', 28: [1, 2, 3] }), 1: map({ 5: -1 }) }))
  assert.deepEqual(document, {
    ok: true,
    sample: { load: { oneMinute: 1, fiveMinutes: 2, fifteenMinutes: 3 } },
    problems: [
      { path: 'document.1.5', expected: 'a number of 0 or more' },
      { path: 'document.0.0', expected: 'a number of 0 or more' },
    ],
  })
})
