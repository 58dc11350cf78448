import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  containerStatsJsonOf,
  readContainerStatsJson,
  readStatsJson,
  statsJsonOf,
  toContainerStatsJson,
  toStatsJson,
  type JsonObject,
} from './stats-json.ts'

/**
 * Each series, and the `stats` object with only this series. The columns are those of recorded hubs, and `drv`, `ino`, `psi`, `smu` and
 * `smt` of this project.
 */
type Rows = readonly (readonly [key: string, stats: JsonObject])[]

const decimals: Rows = [
  ['cpu.busyPercent', { cpu: 12.35 }],
  ['cpu.userPercent', { cpub: [12.35] }],
  ['cpu.systemPercent', { cpub: [null, 12.35] }],
  ['cpu.iowaitPercent', { cpub: [null, null, 12.35] }],
  ['cpu.stealPercent', { cpub: [null, null, null, 12.35] }],
  ['cpu.idlePercent', { cpub: [null, null, null, null, 12.35] }],
  ['memory.usedPercent', { mp: 12.35 }],
  ['load.oneMinute', { la: [12.35] }],
  ['load.fiveMinutes', { la: [null, 12.35] }],
  ['load.fifteenMinutes', { la: [null, null, 12.35] }],
  ['disk.usedPercent', { dp: 12.35 }],
  ['disk.readPercent', { dios: [12.35] }],
  ['disk.writePercent', { dios: [null, 12.35] }],
  ['disk.utilisationPercent', { dios: [null, null, 12.35] }],
  ['disk.readAwaitMs', { dios: [null, null, null, 12.35] }],
  ['disk.writeAwaitMs', { dios: [null, null, null, null, 12.35] }],
  ['disk.weightedPercent', { dios: [null, null, null, null, null, 12.35] }],
  ['pressure.cpu.somePercent', { psi: { cpu: [12.35] } }],
  ['pressure.cpu.fullPercent', { psi: { cpu: [null, 12.35] } }],
  ['pressure.memory.somePercent', { psi: { memory: [12.35] } }],
  ['pressure.memory.fullPercent', { psi: { memory: [null, 12.35] } }],
  ['pressure.io.somePercent', { psi: { io: [12.35] } }],
  ['pressure.io.fullPercent', { psi: { io: [null, 12.35] } }],
  ['temperature.nvme.0.celsius', { t: { 'nvme.0': 12.35 } }],
  ['drive.S-1.0.celsius', { drv: { 'S-1.0': { t: 12.35 } } }],
  ['drive.S-1.0.wearPercent', { drv: { 'S-1.0': { w: 12.35 } } }],
  ['filesystem.data.readPercent', { efs: { data: { dios: [12.35] } } }],
  ['filesystem.data.writePercent', { efs: { data: { dios: [null, 12.35] } } }],
  ['filesystem.data.utilisationPercent', { efs: { data: { dios: [null, null, 12.35] } } }],
  ['filesystem.data.readAwaitMs', { efs: { data: { dios: [null, null, null, 12.35] } } }],
  ['filesystem.data.writeAwaitMs', { efs: { data: { dios: [null, null, null, null, 12.35] } } }],
  ['filesystem.data.weightedPercent', { efs: { data: { dios: [null, null, null, null, null, 12.35] } } }],
  ['gpu.card0.engine.Render/3D.usagePercent', { g: { card0: { e: { 'Render/3D': 12.35 } } } }],
  ['gpu.card0.memoryUsedMegabytes', { g: { card0: { mu: 12.35 } } }],
  ['gpu.card0.memoryTotalMegabytes', { g: { card0: { mt: 12.35 } } }],
  ['gpu.card0.sharedMemoryUsedMegabytes', { g: { card0: { smu: 12.35 } } }],
  ['gpu.card0.sharedMemoryTotalMegabytes', { g: { card0: { smt: 12.35 } } }],
  ['gpu.card0.packagePowerWatts', { g: { card0: { pp: 12.35 } } }],
  ['gpu.card0.powerWatts', { g: { card0: { p: 12.35 } } }],
  ['gpu.card0.usagePercent', { g: { card0: { u: 12.35 } } }],
]

const wholeNumbers: Rows = [
  ['battery.chargePercent', { bat: [42] }],
  ['disk.inodesTotal', { ino: [42] }],
  ['disk.inodesUsed', { ino: [null, 42] }],
  ['cpu.core.1.busyPercent', { cpus: [null, 42] }],
  ['fan.rear.rpm', { f: { rear: 42 } }],
  ['battery.BAT1.chargePercent', { bats: { BAT1: 42 } }],
  ['network.eth0.sentBytesPerSecond', { ni: { eth0: [42] } }],
  ['network.eth0.receivedBytesPerSecond', { ni: { eth0: [null, 42] } }],
  ['network.eth0.sentBytesTotal', { ni: { eth0: [null, null, 42] } }],
  ['network.eth0.receivedBytesTotal', { ni: { eth0: [null, null, null, 42] } }],
  ['filesystem.data.readBytesPerSecond', { efs: { data: { rb: 42 } } }],
  ['filesystem.data.writtenBytesPerSecond', { efs: { data: { wb: 42 } } }],
  ['filesystem.data.inodesTotal', { efs: { data: { ino: [42] } } }],
  ['filesystem.data.inodesUsed', { efs: { data: { ino: [null, 42] } } }],
]

const sizes: Rows = [
  ['memory.totalBytes', { m: 1.5 }],
  ['memory.usedBytes', { mu: 1.5 }],
  ['memory.cacheBytes', { mb: 1.5 }],
  ['memory.zfsArcBytes', { mz: 1.5 }],
  ['swap.totalBytes', { s: 1.5 }],
  ['swap.usedBytes', { su: 1.5 }],
  ['disk.totalBytes', { d: 1.5 }],
  ['disk.usedBytes', { du: 1.5 }],
  ['filesystem.data.totalBytes', { efs: { data: { d: 1.5 } } }],
  ['filesystem.data.usedBytes', { efs: { data: { du: 1.5 } } }],
]

/** Each series has a second column in MiB/s for older clients. */
const rates: Rows = [
  ['disk.readBytesPerSecond', { dio: [2_621_440], dr: 2.5 }],
  ['disk.writtenBytesPerSecond', { dio: [null, 2_621_440], dw: 2.5 }],
  ['network.sentBytesPerSecond', { b: [2_621_440], ns: 2.5 }],
  ['network.receivedBytesPerSecond', { b: [null, 2_621_440], nr: 2.5 }],
]

for (const { rows, value, stored } of [
  { rows: decimals, value: 12.345, stored: 12.35 },
  { rows: wholeNumbers, value: 41.6, stored: 42 },
  // 1.501 GiB.
  { rows: sizes, value: 1_611_686_478, stored: 1_610_612_736 },
  { rows: rates, value: 2_621_439.6, stored: 2_621_440 },
])
  for (const [key, stats] of rows) {
    test(`toStatsJson stores ${value} of "${key}" in its column, and readStatsJson reads it as ${stored}`, () => {
      assert.deepEqual(toStatsJson({ [key]: value }), stats)
      assert.deepEqual(readStatsJson(stats), { [key]: stored })
    })
  }

for (const [key, stats] of [
  ['cpu.busyPercent', { cpu: 1, cpum: 3 }],
  ['disk.readPercent', { dios: [1], diosm: [3] }],
  ['disk.writePercent', { dios: [null, 1], diosm: [null, 3] }],
  ['disk.utilisationPercent', { dios: [null, null, 1], diosm: [null, null, 3] }],
  ['disk.readAwaitMs', { dios: [null, null, null, 1], diosm: [null, null, null, 3] }],
  ['disk.writeAwaitMs', { dios: [null, null, null, null, 1], diosm: [null, null, null, null, 3] }],
  ['disk.weightedPercent', { dios: [null, null, null, null, null, 1], diosm: [null, null, null, null, null, 3] }],
  ['filesystem.data.readBytesPerSecond', { efs: { data: { rb: 1, rbm: 3 } } }],
  ['filesystem.data.writtenBytesPerSecond', { efs: { data: { wb: 1, wbm: 3 } } }],
  ['filesystem.data.readPercent', { efs: { data: { dios: [1], diosm: [3] } } }],
  // This series has no column for its maximum.
  ['memory.usedPercent', { mp: 1 }],
] satisfies Rows) {
  test(`toStatsJson stores the maximum of "${key}" in a roll-up`, () => {
    assert.deepEqual(toStatsJson({ [key]: 1 }, { [key]: 3 }), stats)
  })
}

for (const [key, stats] of [
  ['memory.usedBytes', { mu: 0.5, mm: 1.5 }],
  ['disk.readBytesPerSecond', { dio: [536_870_912], diom: [1_610_612_736], dr: 512, drm: 1536 }],
  ['disk.writtenBytesPerSecond', { dio: [null, 536_870_912], diom: [null, 1_610_612_736], dw: 512, dwm: 1536 }],
  ['network.sentBytesPerSecond', { b: [536_870_912], bm: [1_610_612_736], ns: 512, nsm: 1536 }],
  ['network.receivedBytesPerSecond', { b: [null, 536_870_912], bm: [null, 1_610_612_736], nr: 512, nrm: 1536 }],
] satisfies Rows) {
  test(`toStatsJson stores the maximum of "${key}" in its units`, () => {
    assert.deepEqual(toStatsJson({ [key]: 536_870_912 }, { [key]: 1_610_612_736 }), stats)
  })
}

test('toStatsJson stores no maximum of a series without one', () => {
  assert.deepEqual(toStatsJson({ 'cpu.busyPercent': 1, 'memory.usedBytes': 0 }, { 'memory.usedBytes': 0 }), { cpu: 1, mu: 0, mm: 0 })
})

for (const key of [
  'temperature.celsius',
  'temperature..celsius',
  'temperature.cpu.kelvin',
  'humidity.cpu.celsius',
  'temperature',
  'celsius',
  'cpu',
  'gpu.card0.engine.usage',
  'filesystem.data.usedPercent',
  '',
]) {
  test(`toStatsJson has no column for "${key}"`, () => {
    assert.deepEqual(toStatsJson({ [key]: 5 }), {})
  })
}

test('statsJsonOf omits unknown values', () => {
  const values = [1, Number.NaN, 3]
  const stats = statsJsonOf(['cpu.busyPercent', 'memory.usedPercent', 'load.fiveMinutes'], (at) => values[at] ?? Number.NaN)
  assert.deepEqual(stats, { cpu: 1, la: [null, 3] })
})

test('readStatsJson prefers the columns in bytes to the MiB columns of older clients', () => {
  assert.deepEqual(readStatsJson({ b: [100], ns: 5, nr: 2, dr: 3 }), {
    'network.sentBytesPerSecond': 100,
    'network.receivedBytesPerSecond': 2_097_152,
    'disk.readBytesPerSecond': 3_145_728,
  })
})

test('readStatsJson treats values of other types as unknown', () => {
  const stats = {
    cpu: '5',
    mu: null,
    la: [null, 2, true],
    dio: 7,
    t: { a: '1', b: 2 },
    g: { card0: { e: { a: 'x', b: 3 }, u: '9' }, card1: null, card2: 5 },
    efs: 'none',
    psi: { cpu: { 0: 4 } },
  }
  assert.deepEqual(readStatsJson(stats), {
    'load.fiveMinutes': 2,
    'temperature.b.celsius': 2,
    'gpu.card0.engine.b.usagePercent': 3,
    'pressure.cpu.somePercent': 4,
  })
})

const containers = {
  'web.1.cpuPercent': 12.345,
  'web.1.memoryBytes': 1_574_000,
  'web.1.sentBytesPerSecond': 1_048_575.6,
  'web.1.receivedBytesPerSecond': 2_621_440.4,
  'web.1.diskReadBytesPerSecond': 41.6,
  'web.1.diskWrittenBytesPerSecond': 7.2,
  'db.diskWrittenBytesPerSecond': 3,
}

test('toContainerStatsJson and readContainerStatsJson support all columns of a container', () => {
  const stats = [
    { n: 'web.1', c: 12.35, m: 1.5, b: [1_048_576, 2_621_440], ns: 1, nr: 2.5, dio: [42, 7] },
    { n: 'db', dio: [null, 3] },
  ]
  assert.deepEqual(toContainerStatsJson(containers), stats)
  assert.deepEqual(readContainerStatsJson(stats), {
    'web.1.cpuPercent': 12.35,
    'web.1.memoryBytes': 1_572_864,
    'web.1.sentBytesPerSecond': 1_048_576,
    'web.1.receivedBytesPerSecond': 2_621_440,
    'web.1.diskReadBytesPerSecond': 42,
    'web.1.diskWrittenBytesPerSecond': 7,
    'db.diskWrittenBytesPerSecond': 3,
  })
})

test('containerStatsJsonOf reads one value for each key, and omits unknown values and fields without a column', () => {
  assert.deepEqual(
    containerStatsJsonOf(['web.cpuPercent', 'web.restarts'], () => 5),
    [{ n: 'web', c: 5 }],
  )
  assert.deepEqual(
    containerStatsJsonOf(['web.cpuPercent'], () => Number.NaN),
    [],
  )
})

test('readContainerStatsJson reads the MiB columns of older agents', () => {
  assert.deepEqual(readContainerStatsJson([{ n: 'web', ns: 2, nr: 1.5 }]), {
    'web.sentBytesPerSecond': 2_097_152,
    'web.receivedBytesPerSecond': 1_572_864,
  })
})

test('readContainerStatsJson skips entries without a name, and values of other types', () => {
  assert.deepEqual(readContainerStatsJson([null, 5, 'web', { c: 1 }, { n: 7, c: 1 }, { n: 'web', c: '1', m: 2, b: 'x' }]), {
    'web.memoryBytes': 2_097_152,
  })
})
