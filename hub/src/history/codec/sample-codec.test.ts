import { pointsOf } from '@vedette/protocol/metrics/series'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inheritedNames } from '../../../../protocol/test/hostile-names.ts'
import { numberedBy } from '../../../test/numbered-by.ts'
import { ByteWriter, DamagedBytesError } from '../../platform/byte-codec.ts'
import { finestStep, roundToStep } from '../model/precision.ts'
import { encodeSample, finitePoints, sampleDecoder, type SampleKinds } from './sample-codec.ts'

const keys = [
  'web.memoryBytes',
  'cpu.busyPercent',
  'disk.usedBytes',
  'fan.a.rpm',
  'temperature.a.celsius',
  ...inheritedNames.map((name) => `${name}.cpuPercent`),
]
const numbers = numberedBy(keys)

const value = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  fc.integer({ min: 0, max: 2 ** 45 }),
  fc.integer({ min: 0, max: 500_000 }).map((hundredths) => (hundredths / 100) * 1024 ** 2),
)
const values = fc.dictionary(fc.constantFrom(...keys), value)
type Values = Readonly<Record<string, number>>

function encoded(system: Values, containers: Values | undefined): Uint8Array {
  const kinds = { system: pointsOf(system), ...(containers && { containers: pointsOf(containers) }) }
  return encodeSample(new ByteWriter(), kinds, numbers)
}

test('finitePoints removes values that are not finite numbers, and returns their names', () => {
  assert.deepEqual(finitePoints(pointsOf({ 'a.x': 1, 'b.x': Number.NaN, 'b.y': Number.POSITIVE_INFINITY, 'd.e.z': 4 })), {
    points: { things: ['a', 'd.e'], fields: ['x', 'z'], values: [1, 4] },
    leftOut: ['b.x', 'b.y'],
  })
})

test('encodeSample keeps the later of two points with the same name', () => {
  const containers = { things: ['web', 'web'], fields: ['memoryBytes', 'memoryBytes'], values: [1, 2] }
  const found = sampleDecoder(numbers)(encodeSample(new ByteWriter(), { containers }, numbers)).containers
  assert.deepEqual(found && [found.series.map(({ key }) => key), [...found.values]], [['web.memoryBytes'], [2]])
})

test('sampleDecoder returns each kind’s values at the scale of their series', () => {
  fc.assert(
    fc.property(values, fc.option(values, { nil: undefined }), (system, containers) => {
      const bytes = encoded(system, containers)
      for (const [kind, given] of [
        ['system', system],
        ['containers', containers],
      ] as const) {
        const expected = given && new Map(Object.entries(given).map(([key, one]) => [key, roundToStep(finestStep(key), one)]))
        const found = sampleDecoder(numbers)(bytes)[kind]
        assert.deepEqual(found?.series.map(({ key }, at) => [key, found.values[at]]).toSorted(), expected && [...expected].toSorted())
      }
    }),
  )
})

test('sampleDecoder throws DamagedBytesError for any bytes that are not a sample', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.boolean(), (bytes, versioned) => {
      try {
        sampleDecoder(numbers)(versioned ? Uint8Array.of(1, ...bytes) : bytes)
      } catch (error) {
        assert.ok(error instanceof DamagedBytesError, String(error))
      }
    }),
  )
})

test('sampleDecoder decodes samples whose series change from sample to sample', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(values, fc.option(values, { nil: undefined })), { maxLength: 6 }), (samples) => {
      const decode = sampleDecoder(numbers)
      for (const [system, containers] of samples) {
        const bytes = encoded(system, containers)
        assert.deepEqual(decode(bytes), sampleDecoder(numbers)(bytes))
      }
    }),
  )
})

const bytesOf = (kinds: SampleKinds): readonly number[] => [...encodeSample(new ByteWriter(), kinds, numbers)]
const decodedOf = (bytes: readonly number[], wanted?: 'system' | 'containers') =>
  Object.fromEntries(
    Object.entries(sampleDecoder(numbers, wanted)(Uint8Array.from(bytes))).map(([kind, found]) => [
      kind,
      Object.fromEntries(found.series.map(({ key }, at) => [key, found.values[at]])),
    ]),
  )

const LARGE = 2 ** 60
/** Stored format: version, then for each kind its code, its series numbers and their values. */
for (const [what, kinds, bytes] of [
  ['nothing', {}, [1]],
  ['a kind without series', { system: {} }, [1, 0, 0, 0]],
  ['hundredths', { system: { 'cpu.busyPercent': 12.5, 'temperature.a.celsius': -1 } }, [1, 0, 2, 1, 0, 7, 0, 0, 0xc4, 0x13, 0xc7, 1]],
  ['whole numbers', { system: { 'fan.a.rpm': 5 } }, [1, 0, 1, 8, 0, 0, 40]],
  ['a negative number', { system: { 'fan.a.rpm': -5 } }, [1, 0, 1, 8, 0, 0, 36]],
  ['zero, in the coarsest steps', { system: { 'fan.a.rpm': 0 } }, [1, 0, 1, 8, 0, 0, 2]],
  ['hundredths of a gibibyte', { system: { 'disk.usedBytes': 1.5 * 2 ** 30 } }, [1, 0, 1, 2, 0, 0, 0xb2, 9]],
  ['hundredths of a mebibyte', { system: { 'disk.usedBytes': 1.5 * 2 ** 20 } }, [1, 0, 1, 2, 0, 0, 0xb3, 9]],
  ['two kinds', { system: { 'fan.a.rpm': 5 }, containers: { 'web.memoryBytes': 5 } }, [1, 0, 1, 8, 0, 0, 40, 1, 1, 0, 0, 0, 40]],
  [
    'a number too large to count, which stores all as doubles',
    { containers: { 'web.memoryBytes': LARGE, 'cpu.busyPercent': 12.5 } },
    [1, 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0xb0, 0x43, 0, 0, 0, 0, 0, 0, 0x29, 0x40],
  ],
] as const) {
  test(`a sample of ${what} is stored as the bytes ${bytes.join()}`, () => {
    const points = Object.fromEntries(
      Object.entries(kinds as Readonly<Record<string, Values>>).map(([kind, given]) => [kind, pointsOf(given)]),
    )
    assert.deepEqual(bytesOf(points), bytes)
    assert.deepEqual(decodedOf(bytes), kinds)
  })
}

test('encodeSample returns the same bytes for any order of the series', () => {
  const [forth, back] = [
    { 'cpu.busyPercent': 1, 'disk.usedBytes': 2, 'fan.a.rpm': 3 },
    { 'fan.a.rpm': 3, 'disk.usedBytes': 2, 'cpu.busyPercent': 1 },
  ]
  assert.deepEqual(bytesOf({ system: pointsOf(back) }), bytesOf({ system: pointsOf(forth) }))
})

test('sampleDecoder for one kind skips the other kind and ignores the bytes after its own', () => {
  const system = { 'fan.a.rpm': 5, 'cpu.busyPercent': 300 }
  for (const containers of [{ 'web.memoryBytes': 5 }, { 'web.memoryBytes': LARGE }])
    for (const first of [system, { 'disk.usedBytes': LARGE, 'cpu.busyPercent': 1 }]) {
      const bytes = bytesOf({ system: pointsOf(first), containers: pointsOf(containers) })
      assert.deepEqual(decodedOf(bytes, 'containers'), { containers })
      assert.deepEqual(decodedOf(bytes, 'system'), { system: first })
      assert.deepEqual(decodedOf([...bytesOf({ system: pointsOf(first) }), 9, 9], 'system'), { system: first })
    }
})

for (const [what, bytes, message] of [
  ['nothing', [], 'it ends too early'],
  ['another version', [2], 'it is of unknown version 2'],
  ['an unknown kind', [1, 2], 'it is of unknown kind 2'],
  ['an unknown form', [1, 0, 1, 8, 0, 2, 40], 'its values are of unknown form 2'],
  ['a series without a name', [1, 0, 1, 99, 0, 0, 2], 'its series 99 has no name'],
  ['more series than the maximum', [1, 0, 1, 0, 0xa0, 0x8d, 6], 'it says more than 100000 numbers'],
] as const) {
  test(`sampleDecoder refuses ${what}`, () => {
    assert.throws(() => sampleDecoder(numbers)(Uint8Array.from(bytes)), { name: 'DamagedBytesError', message })
  })
}

test('finitePoints returns the same object for points that are all finite', () => {
  const points = pointsOf({ 'a.x': 1, 'b.x': 0 })
  const found = finitePoints(points)
  assert.equal(found.points, points)
  assert.deepEqual(found.leftOut, [])
})

test('encodeSample throws for a series without a number', () => {
  assert.throws(() => bytesOf({ system: pointsOf({ 'never.seen': 1 }) }), { name: 'RangeError' })
})
