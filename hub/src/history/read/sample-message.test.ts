import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { readSampleMessage, sampleMessage } from './sample-message.ts'

const point = fc.tuple(fc.constantFrom('cpu', 'memory', '__proto__', ''), fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }))

test('readSampleMessage returns the sample of sampleMessage in the same order', () => {
  fc.assert(
    fc.property(fc.array(point), fc.constantFrom('system_stats', 'container_stats'), (all, collection) => {
      const points = {
        things: all.map(([thing]) => thing),
        fields: all.map(([, field]) => field),
        values: all.map(([, , value]) => value + 0),
      }
      const sample = { system: 's', atMs: 1_764_000_000_000, points }
      const read = readSampleMessage(JSON.parse(JSON.stringify(sampleMessage({ collection, sample }))) as Json, 'hub-a') // JSON
      assert.deepEqual([read?.collection, read?.hub, read?.sample], [collection, 'hub-a', sample])
    }),
  )
})

test('sampleMessage omits values that JSON cannot represent', () => {
  const points = { things: ['cpu', 'cpu'], fields: ['a', 'b'], values: [Number.NaN, 2] }
  assert.deepEqual(sampleMessage({ collection: 'system_stats', sample: { system: 's', atMs: 1, points } }), {
    kind: 'system',
    system: 's',
    atMs: 1,
    things: [['cpu', 'b', 2]],
  })
})

test('readSampleMessage refuses a message with a missing or malformed field', () => {
  const good = { kind: 'system', system: 's', atMs: 1, things: [['cpu', 'busyPercent', 1]] }
  assert.ok(readSampleMessage(good, 'a'))
  const bad: readonly Json[] = [
    null,
    [],
    'text',
    { ...good, kind: 'other' },
    { ...good, system: '' },
    { ...good, system: 'x'.repeat(101) },
    { ...good, atMs: 1.5 },
    { ...good, things: {} },
    { ...good, things: [[1, 'busyPercent', 1]] },
    { ...good, things: [['cpu', 'busyPercent']] },
    { ...good, things: [['cpu', 'busyPercent', '1']] },
    { ...good, things: [['cpu', 1, 1]] },
    { ...good, things: Array.from({ length: 20_001 }, () => ['cpu', 'busyPercent', 1]) },
  ]
  for (const message of bad) assert.equal(readSampleMessage(message, 'a'), undefined, JSON.stringify(message).slice(0, 100))
})
