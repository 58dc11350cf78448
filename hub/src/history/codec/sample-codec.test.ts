import { pointsOf } from '@vedette/protocol/metrics/series'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inheritedNames } from '../../../../protocol/test/hostile-names.ts'
import { numberedBy } from '../../../test/numbered-by.ts'
import { DamagedBytesError } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import { finestStep, rounded } from '../model/precision.ts'
import { encodeSample, numbersAmong, sampleDecoder } from './sample-codec.ts'

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

test('numbersAmong leaves out what is no number, and says so', () => {
  assert.deepEqual(numbersAmong(pointsOf({ 'a.x': 1, 'b.x': Number.NaN, 'b.y': Number.POSITIVE_INFINITY, 'd.e.z': 4 })), {
    points: { things: ['a', 'd.e'], fields: ['x', 'z'], values: [1, 4] },
    leftOut: ['b.x', 'b.y'],
  })
})

test('of two things with one name the later one counts', () => {
  const containers = { things: ['web', 'web'], fields: ['memoryBytes', 'memoryBytes'], values: [1, 2] }
  const found = sampleDecoder(numbers)(encodeSample(new ByteWriter(), { containers }, numbers)).containers
  assert.deepEqual(found && [found.series.map(({ key }) => key), [...found.values]], [['web.memoryBytes'], [2]])
})

test('a sample decodes to its values at the scale of each series, kind by kind', () => {
  fc.assert(
    fc.property(values, fc.option(values, { nil: undefined }), (system, containers) => {
      const bytes = encoded(system, containers)
      for (const [kind, given] of [
        ['system', system],
        ['containers', containers],
      ] as const) {
        const expected = given && new Map(Object.entries(given).map(([key, one]) => [key, rounded(finestStep(key), one)]))
        const found = sampleDecoder(numbers)(bytes)[kind]
        assert.deepEqual(found?.series.map(({ key }, at) => [key, found.values[at]]).toSorted(), expected && [...expected].toSorted())
      }
    }),
  )
})

test('bytes that are no sample are told to be damaged', () => {
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

test('one decoder reads samples whose series change from one to the next', () => {
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
