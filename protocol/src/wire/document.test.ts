import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyName } from '../../test/hostile-names.ts'
import { nodeUtf8 } from '../../test/node-utf8.ts'
import { asRecorded, fromHex, readRecording } from '../../test/recorded.ts'
import { sampleArbitrary } from '../../test/sample-arbitrary.ts'
import { decodeCbor } from '../cbor/decode.ts'
import { encodeCbor } from '../cbor/encode.ts'
import { isCborMap, type CborValue } from '../cbor/value.ts'
import { decodeDocument } from './document-decode.ts'
import { encodeDocument } from './document-encode.ts'
import { decodeEnvelope } from './envelope.ts'
import { ANNOUNCED_VERSION } from './version.ts'

test('encodeDocument and decodeDocument round-trip any sample of this agent', () => {
  fc.assert(
    fc.property(sampleArbitrary, (fields) => {
      const sample = { ...fields, agentVersion: ANNOUNCED_VERSION }
      const item = decodeCbor(encodeCbor(encodeDocument(sample), nodeUtf8), nodeUtf8)
      assert.ok(item.ok)
      assert.deepEqual(decodeDocument(item.value), { ok: true, sample, problems: [] })
    }),
    { numRuns: 300 },
  )
})

test('encodeDocument rounds integer fields and clamps them to their width', () => {
  const document = encodeDocument({
    uptimeSeconds: 3600.7,
    cpu: { busyPercent: 12.345, coreBusyPercent: [99.6, 400] },
    fans: { a: 70_000 },
    network: { sentBytesPerSecond: 10.4, receivedBytesPerSecond: -3 },
  })
  const stats = document.get(0)
  const info = document.get(1)
  assert.ok(isCborMap(stats) && isCborMap(info))
  assert.equal(stats.get(0), 12.35)
  assert.deepEqual(stats.get(34), Uint8Array.of(100, 255))
  assert.deepEqual(stats.get(36), new Map([['a', 0xffff]]))
  assert.deepEqual(stats.get(26), [10, 0])
  assert.equal(info.get(5), 3601)
})

test('encodeDocument omits NaN and infinities, because other hubs would drop the whole sample', () => {
  const document = encodeDocument({
    cpu: { busyPercent: Number.NaN },
    memory: { totalBytes: Number.POSITIVE_INFINITY, usedBytes: 0, usedPercent: 0 },
  })
  const stats = document.get(0)
  assert.ok(isCborMap(stats))
  assert.deepEqual([stats.has(0), stats.has(2), stats.get(3)], [false, false, 0])
})

test('encodeDocument sends temperatures of 0 °C and below only under the keys of this project', () => {
  const temperatures = { outside: -12.345, freezer: 0, almost: -0.001, cpu: 0.5 }
  const document = encodeDocument({ temperatures, dashboardCelsius: -1 })
  const [stats, info] = [document.get(0), document.get(1)]
  assert.ok(isCborMap(stats) && isCborMap(info))
  assert.deepEqual(stats.get(20), new Map([['cpu', 0.5]]))
  const cold = { outside: -12.35, freezer: 0, almost: 0 }
  assert.deepEqual(stats.get(102), new Map(Object.entries(cold)))
  assert.deepEqual([info.has(13), info.get(100)], [false, -1])
})

test('decodeDocument ignores temperatures above 0 °C under the keys for cold temperatures', () => {
  const cold = new Map(Object.entries({ outside: -40, warm: 5, impossible: -274 }))
  const stats: CborValue = new Map([[102, cold]])
  const info: CborValue = new Map([[100, -1e9]])
  const document = decodeDocument(
    new Map([
      [0, stats],
      [1, info],
    ]),
  )
  assert.ok(document.ok)
  assert.deepEqual(document.sample, { temperatures: { outside: -40 } })
  const paths = document.problems.map(({ path }) => path)
  assert.deepEqual(paths, ['document.0.102.warm', 'document.0.102.impossible'])
})

test('encodeDocument sends the number of threads without details, and details only with a host name', () => {
  const document = encodeDocument({ machine: { threads: 4 } })
  const info = document.get(1)
  assert.ok(isCborMap(info))
  assert.deepEqual([info.get(3), document.has(4)], [4, false])
})

test('decodeDocument reads an empty map as an empty sample', () => {
  assert.deepEqual(decodeDocument(new Map()), { ok: true, sample: {}, problems: [] })
})

for (const [what, value] of [
  ['null', null],
  ['an array', []],
  ['a number', 5],
] as const) {
  test(`decodeDocument refuses ${what}`, () => assert.deepEqual(decodeDocument(value), { ok: false, reason: 'not a map' }))
}

test('decodeDocument never throws for any item', () => {
  const anything: fc.Arbitrary<CborValue> = fc.oneof(
    fc.integer(),
    fc.double(),
    fc.string(),
    fc.constant(null),
    fc.boolean(),
    fc.uint8Array(),
  )
  const map = (value: fc.Arbitrary<CborValue>) =>
    fc.array(fc.tuple(fc.oneof(fc.nat(40), anyName), value)).map((entries): CborValue => new Map(entries))
  const lists = fc.array(fc.oneof(anything, map(anything)))
  const documents = map(fc.oneof(anything, lists, map(fc.oneof(anything, lists, map(fc.oneof(anything, lists))))))
  fc.assert(
    fc.property(documents, (document) => {
      assert.equal(decodeDocument(document).ok, true)
    }),
    { numRuns: 1000 },
  )
})

type Recorded = {
  readonly label: string
  readonly stdout_hex: string
  readonly decoded?: object
  readonly documents?: readonly { readonly decoded: object }[]
}
const recordings = ['head', '0.18.8'].flatMap((version) => [
  `agent/machine-1/expected-${version}.json`,
  `agent/machine-2/expected-${version}.json`,
  `agent/docker/${version}.json`,
])

for (const path of recordings) {
  for (const { label, stdout_hex, decoded, documents } of readRecording<{ samples: readonly Recorded[] }>(path).samples) {
    test(`decodeCbor and decodeDocument read ${path}, ${label}`, () => {
      const item = decodeCbor(fromHex(stdout_hex), nodeUtf8)
      assert.ok(item.ok)
      assert.deepEqual(asRecorded(item.value), decoded ?? documents?.[0]?.decoded)
      if (label.startsWith('SMART')) return
      const envelope = decodeEnvelope(item.value, 'document')
      assert.ok(envelope.ok && envelope.reply.kind === 'document')
      const document = decodeDocument(envelope.reply.document)
      assert.ok(document.ok)
      assert.deepEqual(document.problems, [])
      assert.equal(document.sample.agentVersion, '0.18.8')
    })
  }
}

test('decodeDocument names every field of a recorded machine', () => {
  const second = readRecording<{ samples: readonly Recorded[] }>('agent/machine-2/expected-head.json').samples[2]
  const item = decodeCbor(fromHex(second?.stdout_hex ?? ''), nodeUtf8)
  assert.ok(item.ok)
  const envelope = decodeEnvelope(item.value, 'document')
  assert.ok(envelope.ok && envelope.reply.kind === 'document')
  const document = decodeDocument(envelope.reply.document)
  assert.ok(document.ok)
  const { cpu, load, rootDisk, network, battery, fans, uptimeSeconds, dashboardCelsius, link, machine } = document.sample
  assert.deepEqual(cpu, {
    busyPercent: 39.4,
    shares: { userPercent: 29, systemPercent: 8, iowaitPercent: 1.35, stealPercent: 0.35, idlePercent: 59.25 },
    coreBusyPercent: [36, 99, 3, 20],
  })
  assert.deepEqual(load, { oneMinute: 1.08, fiveMinutes: 1.3, fifteenMinutes: 2.11 })
  assert.equal(rootDisk?.readBytesPerSecond, 20_971_520)
  assert.deepEqual(rootDisk?.activity, {
    readPercent: 30,
    writePercent: 120,
    utilisationPercent: 44,
    readAwaitMs: 1.5,
    writeAwaitMs: 3,
    weightedPercent: 150,
  })
  assert.deepEqual(network?.interfaces?.['wg0'], {
    sentBytesPerSecond: 200,
    receivedBytesPerSecond: 100,
    sentBytesTotal: 91_000,
    receivedBytesTotal: 70_500,
  })
  assert.deepEqual(battery, { percent: 85, state: 'discharging' })
  assert.equal(fans?.['nct6775_Pump Fan'], 2400)
  assert.deepEqual([uptimeSeconds, dashboardCelsius, link, machine], [123_461, 57, 'ssh', { threads: 4 }])
})

type HubCase = { readonly case: string; readonly accepted: boolean; readonly document_hex?: string }

/** Documents that the recorded hub accepted must decode. One that it refused may decode in part, but must not throw. */
for (const one of readRecording<{ cases: readonly HubCase[] }>('hub-link/documents/head-websocket.json').cases) {
  if (one.document_hex === undefined) continue
  const bytes = fromHex(one.document_hex)
  test(`decodeDocument accepts a document that a real hub accepts: ${one.case}`, () => {
    const item = decodeCbor(bytes, nodeUtf8)
    const result = item.ok ? decodeDocument(item.value) : item
    if (one.accepted) assert.equal(result.ok, true)
  })
}
