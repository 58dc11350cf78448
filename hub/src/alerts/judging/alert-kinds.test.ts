import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sample } from '@vedette/protocol/metrics/sample'
import { containerSeries, systemSeries, type SeriesValues } from '@vedette/protocol/metrics/series'
import fc from 'fast-check'
import { inheritedNames } from '../../../../protocol/test/hostile-names.ts'
import { alertNames } from '../../records/collections/alerts.ts'
import { levelKind, levelKinds, sampledKind, storedOf, type LevelKind } from './alert-kinds.ts'
import { conditionKinds } from './condition-kinds.ts'
import { readingsOf } from '../rules/readings-memory.ts'

const number = fc.double({ min: 0, max: 1e9, noNaN: true })
/** A disk, a sensor or a GPU may have a name that looks like the end of a series. */
const namesLikeSeries = ['a.usedPercent', 'a.celsius', 'a.usagePercent', 'a.sentBytesPerSecond']
const named = <T>(value: fc.Arbitrary<T>) =>
  fc.dictionary(fc.constantFrom('a', 'b.c', 'd e', '0000:01:00.0', ...namesLikeSeries, ...inheritedNames), value, { noNullPrototype: true })
const samples = fc.record(
  {
    cpu: fc.record(
      {
        busyPercent: number,
        shares: fc.record({ userPercent: number, systemPercent: number, iowaitPercent: number, stealPercent: number, idlePercent: number }),
      },
      { requiredKeys: ['busyPercent'] },
    ),
    memory: fc.record({ totalBytes: number, usedBytes: number, usedPercent: number }),
    rootDisk: fc.record({ usedPercent: number }, { requiredKeys: [] }),
    extraDisks: named(fc.record({ usedPercent: number, usedBytes: number }, { requiredKeys: [] })),
    network: fc.record(
      {
        sentBytesPerSecond: number,
        receivedBytesPerSecond: number,
        interfaces: named(
          fc.record({ sentBytesPerSecond: number, receivedBytesPerSecond: number, sentBytesTotal: number, receivedBytesTotal: number }),
        ),
      },
      { requiredKeys: [] },
    ),
    containers: fc.uniqueArray(
      fc.record(
        { name: fc.constantFrom('web', 'db.1', 'a_b_1'), cpuPercent: number, memoryBytes: number },
        { requiredKeys: ['name'], noNullPrototype: true },
      ),
      { selector: ({ name }) => name },
    ),
    temperatures: named(number),
    battery: fc.record({ percent: number, state: fc.constant('full' as const) }),
    gpus: named(fc.record({ name: fc.string(), usagePercent: number, powerWatts: number })),
    load: fc.record({ oneMinute: number, fiveMinutes: number, fifteenMinutes: number }),
  },
  { requiredKeys: [] },
) satisfies fc.Arbitrary<Sample>

test('every alert kind reads the same values from a sample and from its stored series', () => {
  fc.assert(
    fc.property(samples, (sample) => {
      const columns = (values: SeriesValues) => Object.entries(values).map(([key, value]) => ({ key, average: Float64Array.of(value) }))
      const series = { system: columns(systemSeries(sample)), containers: columns(containerSeries(sample.containers ?? [])) }
      for (const kind of levelKinds.filter(({ trend }) => trend === undefined)) {
        const stored = [...readingsOf(kind, { times: [0], series: series[storedOf(kind)] }).targets].map(
          ([target, values]) => [target, values[0] ?? Number.NaN] as const,
        )
        const live = [...kind.read(sample)]
        const sorted = (readings: readonly (readonly [string, number])[]) => readings.toSorted(([a], [b]) => (a < b ? -1 : 1))
        const known = sorted(stored.filter(([, value]) => !Number.isNaN(value)))
        assert.equal(known.length, live.length, kind.name)
        sorted(live).forEach(([target, value], at) => {
          const [storedTarget, storedValue = Number.NaN] = known[at] ?? []
          assert.equal(storedTarget, target)
          assert.ok(Math.abs(storedValue - value) <= 1e-9 * Math.max(1, Math.abs(value)), `${kind.name}: ${storedValue} is not ${value}`)
        })
      }
    }),
  )
})

test('the names of alert kinds match the names that clients send', () => {
  assert.deepEqual(new Set(['Status', ...[...levelKinds, ...conditionKinds].map(({ name }) => name)]), new Set(alertNames))
})

test('the root disk has the target name "root"', () => {
  assert.deepEqual(levelKind('Disk')?.read({ rootDisk: { usedPercent: 7 } }), new Map([['root', 7]]))
})

/** Name, unit, default threshold, minimum, maximum and step, as clients of these alerts have them. */
const asClientsKnowThem = [
  ['CPU', '%', 80, 1, 99, 1],
  ['Memory', '%', 80, 1, 99, 1],
  ['CPUIOWait', '%', 20, 1, 99, 1],
  ['CPUSteal', '%', 20, 1, 99, 1],
  ['Disk', '%', 80, 1, 99, 1],
  ['Filesystem', '%', 80, 1, 99, 1],
  ['DiskForecast', 'h', 48, 1, 720, 1],
  ['MemoryForecast', 'h', 48, 1, 720, 1],
  ['DiskRate', '%/h', 5, 0.5, 100, 0.5],
  ['MemoryRate', '%/h', 20, 0.5, 100, 0.5],
  ['Bandwidth', 'MB/s', 80, 1, 250, 1],
  ['Interface', 'MB/s', 80, 1, 250, 1],
  ['ContainerCPU', '%', 80, 1, 99, 1],
  ['ContainerMemory', 'MB', 1024, 16, 16_384, 16],
  ['GPU', '%', 80, 1, 99, 1],
  ['Temperature', '°C', 80, -40, 99, 1],
  ['LoadAvg1', '', 10, 0.1, 100, 0.1],
  ['LoadAvg5', '', 10, 0.1, 100, 0.1],
  ['LoadAvg15', '', 10, 0.1, 100, 0.1],
  ['Battery', '%', 20, 1, 99, 1],
]

test('thresholds have the unit and the range that clients offer', () => {
  const kinds = levelKinds.map(({ name, unit, threshold: { standard, min, max, step } }) => [name, unit, standard, min, max, step])
  assert.deepEqual(kinds, asClientsKnowThem)
})

test('samples have no values of forecasts and rates, and the history has those of each disk', () => {
  for (const name of ['DiskForecast', 'MemoryForecast', 'DiskRate', 'MemoryRate']) {
    assert.equal(sampledKind(name), undefined)
    assert.equal(levelKind(name)?.read({ rootDisk: { usedPercent: 7 }, memory: { totalBytes: 2, usedBytes: 1, usedPercent: 50 } }).size, 0)
  }
  assert.equal(sampledKind('Disk'), levelKind('Disk'))
  assert.equal(levelKind('DiskForecast')?.targetOf('filesystem./srv.usedPercent'), '/srv')
})

test('only the battery alert and forecasts fire below their threshold, and four alert kinds need a named target', () => {
  const named = (wanted: (kind: LevelKind) => boolean) => levelKinds.filter(wanted).map(({ name }) => name)
  assert.deepEqual(
    named(({ direction }) => direction !== 'above'),
    ['DiskForecast', 'MemoryForecast', 'Battery'],
  )
  assert.equal(levelKind('Battery')?.direction, 'below')
  assert.deepEqual(
    named(({ isOfOne }) => isOfOne === true),
    ['Filesystem', 'Interface', 'ContainerCPU', 'ContainerMemory'],
  )
})

test('the temperature alert reads only the sensor that the operator chose for the dashboard', () => {
  const temperature = levelKinds.find(({ name }) => name === 'Temperature')
  const temperatures = { bogus: 127, cpu: 60 }
  assert.deepEqual(temperature?.read({ temperatures, dashboardCelsius: 60 }), new Map([['cpu', 60]]))
  assert.deepEqual(temperature?.read({ temperatures, dashboardCelsius: 127 }), new Map(Object.entries(temperatures)))
  assert.deepEqual(temperature?.read({ temperatures, dashboardCelsius: 55 }), new Map([['', 55]]))
})
