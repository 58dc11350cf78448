import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bucketOfSample, mergeBuckets, type Bucket } from './rollup.ts'

const values = fc.dictionary(fc.constantFrom('cpu', 'memory', 'temperature'), fc.integer({ min: 0, max: 1_000_000 }))

test('mergeBuckets averages a series over the samples that have it', () => {
  const merged = mergeBuckets([{ cpu: 10, gpu: 4 }, { cpu: 20 }, { cpu: 60 }].map(bucketOfSample))
  assert.deepEqual(merged.average, { cpu: 30, gpu: 4 })
  assert.deepEqual(merged.minimum, { cpu: 10, gpu: 4 })
  assert.deepEqual(merged.maximum, { cpu: 60, gpu: 4 })
  assert.deepEqual(merged.count, { cpu: 3, gpu: 1 })
})

test('mergeBuckets of nothing is an empty bucket', () => {
  assert.deepEqual(mergeBuckets([]), { average: {}, minimum: {}, maximum: {}, count: {} })
})

test('mergeBuckets of merged parts equals the merge of all samples', () => {
  fc.assert(
    fc.property(fc.array(values, { maxLength: 12 }), fc.nat(12), (samples, cut) => {
      const buckets = samples.map((sample) => bucketOfSample(sample))
      const whole = mergeBuckets(buckets)
      const parts = mergeBuckets([mergeBuckets(buckets.slice(0, cut)), mergeBuckets(buckets.slice(cut))])
      assert.deepEqual(parts.minimum, whole.minimum)
      assert.deepEqual(parts.maximum, whole.maximum)
      assert.deepEqual(parts.count, whole.count)
      assertClose(parts, whole)
    }),
  )
})

function assertClose(a: Bucket, b: Bucket) {
  assert.deepEqual(Object.keys(a.average).toSorted(), Object.keys(b.average).toSorted())
  for (const [key, average] of Object.entries(a.average)) assert.ok(Math.abs(average - (b.average[key] ?? Number.NaN)) < 1e-6)
}
