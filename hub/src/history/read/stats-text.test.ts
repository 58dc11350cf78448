import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { GIBIBYTE, MEBIBYTE } from '@vedette/protocol/wire/units'
import { inheritedNames } from '../../../../protocol/test/hostile-names.ts'
import { statsAt, statsNumbers } from './stats-at.ts'
import { statsTexts } from './stats-text.ts'
import type { Stretch } from '../model/stretch.ts'

const names = ['1', '2', 'a.b', 'sda1', ...inheritedNames, 'a "quoted" name', '17592186044416.25', 'ß€']
const fields: Readonly<Record<string, readonly string[]>> = {
  cpu: ['busyPercent', 'userPercent', 'idlePercent'],
  memory: ['totalBytes', 'usedBytes'],
  disk: ['readBytesPerSecond', 'writtenBytesPerSecond', 'readAwaitMs', 'inodesUsed'],
  network: ['sentBytesPerSecond', 'receivedBytesPerSecond'],
  'pressure.memory': ['somePercent', 'fullPercent'],
  other: ['unknown'],
  ...Object.fromEntries(['0', '3', 'x'].map((core) => [`cpu.core.${core}`, ['busyPercent']])),
  ...Object.fromEntries(
    names.flatMap((name) => [
      [`temperature.${name}`, ['celsius']],
      [`network.${name}`, ['sentBytesPerSecond', 'sentBytesTotal', 'receivedBytesTotal']],
      [`filesystem.${name}`, ['totalBytes', 'writtenBytesPerSecond', 'utilisationPercent', 'inodesTotal']],
      [`gpu.${name}`, ['usagePercent', 'powerWatts']],
      [`gpu.${name}.engine.Render`, ['usagePercent']],
    ]),
  ),
}
const systemKeys = Object.entries(fields).flatMap(([thing, some]) => some.map((field) => `${thing}.${field}`))
const containerKeys = names.flatMap((name) =>
  ['cpuPercent', 'memoryBytes', 'sentBytesPerSecond', 'diskReadBytesPerSecond', 'unknown'].map((field) => `${name}.${field}`),
)

const value = fc.oneof(
  { weight: 3, arbitrary: fc.constant(12.5) },
  fc.double(),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  fc.integer({ min: 0, max: 5000 }).map((hundredths) => (hundredths / 100) * GIBIBYTE),
  fc.integer({ min: 0, max: 5000 }).map((hundredths) => (hundredths / 100) * MEBIBYTE),
  fc.integer({ min: 0, max: 2 ** 52 }),
  fc.constantFrom(0, -0, Number.NaN),
)

const columnOf = (length: number): fc.Arbitrary<Float64Array> =>
  fc.oneof(
    fc.array(value, { minLength: length, maxLength: length }).map((values) => Float64Array.from(values)),
    value.map((one) => new Float64Array(length).fill(one)),
  )

const stretchOf = (keys: readonly string[], isOfBuckets: boolean): fc.Arbitrary<Stretch> =>
  fc.tuple(fc.subarray([...keys]), fc.integer({ min: 1, max: 12 })).chain(([some, length]) =>
    fc
      .array(fc.record({ average: columnOf(length), maximum: columnOf(length) }), { minLength: some.length, maxLength: some.length })
      .map((columns) => ({
        times: Array.from({ length }, (_, at) => at),
        series: columns.map(({ average, maximum }, at) => ({
          key: some[at] ?? '',
          average,
          ...(isOfBuckets && { extremes: { minimum: average, maximum, count: average } }),
        })),
      })),
  )

for (const [what, kind, keys, isOfBuckets] of [
  ['samples', 'system', systemKeys, false],
  ['buckets', 'system', systemKeys, true],
  ['containers', 'containers', containerKeys, false],
] as const)
  test(`statsTexts writes ${what} as the JSON of their stats`, () => {
    fc.assert(
      fc.property(stretchOf(keys, isOfBuckets), (stretch) => {
        const numbers = statsNumbers(kind, stretch, isOfBuckets)
        const textOf = statsTexts(numbers)
        for (const at of stretch.times.keys()) assert.equal(textOf(at), JSON.stringify(statsAt(numbers, at)))
      }),
    )
  })

test('statsTexts leaves points with more numbers than can be told apart to their stats', () => {
  const series = Array.from({ length: 20_000 }, (_, at) => ({ key: `web-${at}.cpuPercent`, average: Float64Array.of(at) }))
  assert.equal(statsTexts(statsNumbers('containers', { times: [0], series }, false))(0), undefined)
  const fewer = series.slice(0, 16_000)
  assert.match(statsTexts(statsNumbers('containers', { times: [0], series: fewer }, false))(0) ?? '', /"n":"web-15999","c":15999\}\]$/)
})
