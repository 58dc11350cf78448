import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyJson, inheritedName } from '../../test/hostile-names.ts'
import { sampleArbitrary } from '../../test/sample-arbitrary.ts'
import { containerSeries, splitKey, systemSeries, unitOf } from '../metrics/series.ts'
import { toInfoJson } from './info-json.ts'
import { readContainerStatsJson, readStatsJson, toContainerStatsJson, toStatsJson } from './stats-json.ts'

/** Computed from the two sizes beside it. */
const withoutPlace = (key: string): boolean => key.startsWith('filesystem.') && key.endsWith('.usedPercent')

test('toStatsJson and readStatsJson round-trip the series of any sample', () => {
  fc.assert(
    fc.property(sampleArbitrary, (sample) => {
      const series = Object.fromEntries(Object.entries(systemSeries(sample)).filter(([key]) => !withoutPlace(key)))
      const read = readStatsJson(toStatsJson(series))
      for (const [key, value] of Object.entries(series)) {
        assert.ok(Math.abs((read[key] ?? Number.NaN) - value) <= Math.abs(value) * 1e-9, `${key}: ${read[key]} instead of ${value}`)
      }
      assert.equal(Object.keys(read).length, Object.keys(series).length)
    }),
    { numRuns: 200 },
  )
})

test('toContainerStatsJson and readContainerStatsJson round-trip the series of any containers', () => {
  fc.assert(
    fc.property(sampleArbitrary, ({ containers = [] }) => {
      const series = containerSeries(containers)
      const read = readContainerStatsJson(toContainerStatsJson(series))
      for (const [key, value] of Object.entries(series)) {
        assert.ok(Math.abs((read[key] ?? Number.NaN) - value) <= Math.abs(value) * 1e-9, `${key}: ${read[key]} instead of ${value}`)
      }
    }),
  )
})

test('toStatsJson writes the columns that clients read, in their units', () => {
  const stats = toStatsJson({
    'cpu.busyPercent': 12.345,
    'swap.usedBytes': 2 ** 29,
    'network.sentBytesPerSecond': 2 ** 20,
    'temperature.cpu.celsius': 51.5,
  })
  assert.deepEqual(stats, { cpu: 12.35, su: 0.5, b: [1_048_576], ns: 1, t: { cpu: 51.5 } })
})

test('toStatsJson fills the peak keys from the maxima of a roll-up', () => {
  assert.deepEqual(toStatsJson({ 'cpu.busyPercent': 10 }, { 'cpu.busyPercent': 90 }), { cpu: 10, cpum: 90 })
})

test('readStatsJson never throws on columns of unexpected types', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.oneof(fc.constantFrom('cpu', 'b', 'ni', 'efs', 't', 'g', 'la', 'cpus'), inheritedName), anyJson),
      (stats) => {
        for (const value of Object.values(readStatsJson(JSON.parse(JSON.stringify(stats))))) assert.equal(typeof value, 'number')
      },
    ),
  )
})

test('toInfoJson omits absent families instead of writing zeros', () => {
  assert.deepEqual(toInfoJson({}, {}, 5), { at: 5 })
})

test('toInfoJson writes the values that a list of systems shows', () => {
  const info = toInfoJson(
    {
      uptimeSeconds: 7200,
      cpu: { busyPercent: 12.345 },
      network: { sentBytesPerSecond: 2 ** 20, receivedBytesPerSecond: 2 ** 20 },
      link: 'websocket',
      battery: { percent: 85, state: 'discharging' },
      agentVersion: '0.18.8',
    },
    { cpuModel: 'M', cores: 2, threads: 4, os: 'linux' },
    1000,
  )
  assert.deepEqual(info, {
    u: 7200,
    m: 'M',
    c: 2,
    t: 4,
    os: 0,
    cpu: 12.35,
    b: 2,
    bb: 2_097_152,
    v: '0.18.8',
    ct: 2,
    bat: [85, 4],
    at: 1000,
  })
})

test('splitKey splits at the last dot, since names may contain dots', () => {
  assert.deepEqual(splitKey('web.example.org.cpuPercent'), ['web.example.org', 'cpuPercent'])
})

test('unitOf reads the unit from the end of a key', () => {
  assert.deepEqual(
    ['cpu.busyPercent', 'disk.readBytesPerSecond', 'memory.usedBytes', 'temperature.x.celsius', 'disk.readAwaitMs', 'load.oneMinute'].map(
      unitOf,
    ),
    ['percent', 'bytesPerSecond', 'bytes', 'celsius', 'milliseconds', 'load'],
  )
})

for (const name of ['__proto__', 'constructor', 'toString']) {
  test(`toStatsJson treats an interface called "${name}" like any other`, () => {
    const series = { [`network.${name}.sentBytesPerSecond`]: 7, [`temperature.${name}.celsius`]: 40 }
    assert.deepEqual(readStatsJson(toStatsJson(series)), series)
    assert.equal(Reflect.get({}, 0), undefined)
    assert.ok(!Object.hasOwn(Object.prototype, '0'))
  })
}
