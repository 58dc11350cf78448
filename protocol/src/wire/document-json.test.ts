import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { nodeUtf8 } from '../../test/node-utf8.ts'
import { fromHex, readRecording } from '../../test/recorded.ts'
import { sampleArbitrary } from '../../test/sample-arbitrary.ts'
import { decodeCbor } from '../cbor/decode.ts'
import { isCborMap, type CborMap, type CborValue } from '../cbor/value.ts'
import { decodeDocument } from './document-decode.ts'
import { encodeDocument } from './document-encode.ts'
import { fromDocumentJson, toDocumentJson } from './document-json.ts'
import type { Json, JsonObject } from './stats-json.ts'

type Encodings = {
  readonly same_sample_three_encodings: Readonly<
    Record<
      'Go' | 'beszel_0.12.12',
      { readonly stdout_hex: string; readonly documents: readonly { readonly length: number; readonly decoded: JsonObject }[] }
    >
  >
}

for (const agent of ['head', '0.18.8']) {
  const { Go: json, 'beszel_0.12.12': cbor } = readRecording<Encodings>(`agent/docker/${agent}.json`).same_sample_three_encodings
  const recorded = json.documents[0]?.decoded ?? {}
  const item = decodeCbor(fromHex(cbor.stdout_hex), nodeUtf8)
  const document = item.ok && isCborMap(item.value) ? item.value : new Map()

  test(`toDocumentJson converts a document of ${agent} to the JSON that the agent sent at the same instant`, () => {
    const made = toDocumentJson(document)
    // JSON omits zeros that CBOR keeps, and has the key of the details without their contents.
    assert.deepEqual(withoutZeros(made), withoutZeros(recorded))
  })

  test(`fromDocumentJson reads the JSON of ${agent} like the CBOR of the same instant`, () => {
    const read = fromDocumentJson(recorded)
    assert.ok(read)
    assert.deepEqual(withoutZeros(toDocumentJson(read)), withoutZeros(toDocumentJson(document)))
    assert.ok(decodeDocument(read).ok)
  })
}

test('fromDocumentJson ignores the case of member names, omits unknown members, and treats null as missing', () => {
  const read = fromDocumentJson({ STATS: { Cpu: 5, mine: [1] }, Info: null, Container: [null, { N: 'web', c: 1 }], more: { a: 1 } })
  assert.ok(read)
  const decoded = decodeDocument(read)
  assert.ok(decoded.ok)
  assert.equal(decoded.sample.cpu?.busyPercent, 5)
  assert.deepEqual(
    decoded.sample.containers?.map(({ name }) => name),
    ['web'],
  )
  assert.deepEqual(fromDocumentJson(null), new Map())
  assert.equal(fromDocumentJson([1]), undefined)
})

test('fromDocumentJson reverses toDocumentJson, except for keys without a name', () => {
  fc.assert(
    fc.property(sampleArbitrary, (sample) => {
      const json = toDocumentJson(encodeDocument(sample, 'info'))
      const read = fromDocumentJson(JSON.parse(JSON.stringify(json)) as Json)
      assert.ok(read)
      assert.deepEqual(toDocumentJson(read), JSON.parse(JSON.stringify(json)))
    }),
  )
})

/** JSON names by CBOR key, for each family, as agents and hubs before 0.12 write them. */
const statsNames = {
  cpu: 0,
  m: 2,
  mu: 3,
  mp: 4,
  mb: 5,
  mz: 6,
  s: 7,
  su: 8,
  d: 9,
  du: 10,
  dp: 11,
  dr: 12,
  dw: 13,
  ns: 16,
  nr: 17,
  t: 20,
  b: 26,
  la: 28,
  bat: 29,
  ni: 31,
  dio: 32,
  cpub: 33,
  cpus: 34,
  dios: 35,
  f: 36,
  bats: 37,
}
const extraDiskNames = { d: 0, du: 1, r: 2, w: 3, rb: 6, wb: 7, dios: 8 }
const gpuNames = { n: 0, mu: 1, mt: 2, u: 3, p: 4, e: 5, pp: 6 }
const infoNames = {
  h: 0,
  k: 1,
  c: 2,
  t: 3,
  m: 4,
  u: 5,
  cpu: 6,
  mp: 7,
  dp: 8,
  b: 9,
  v: 10,
  p: 11,
  g: 12,
  dt: 13,
  os: 14,
  bb: 18,
  la: 19,
  ct: 20,
  efs: 21,
  sv: 22,
  bat: 23,
}
const containerNames = { n: 0, c: 1, m: 2, ns: 3, nr: 4, b: 9 }
const serviceNames = { n: 0, s: 1, c: 2, m: 3, mp: 4, ss: 5, cp: 6 }

type Names = Readonly<Record<string, number>>

/** A map whose values equal their keys, and the same map as JSON. */
const mapOf = (names: Names, ...more: readonly (readonly [number, CborValue])[]): CborMap =>
  new Map<number, CborValue>([...Object.values(names).map((key) => [key, key] as const), ...more])

test('document members have the names that peers before 0.12 use', () => {
  const document: CborMap = new Map<number, CborValue>([
    [0, mapOf(statsNames, [21, new Map([['data', mapOf(extraDiskNames)]])], [22, new Map([['0', mapOf(gpuNames)]])])],
    [1, mapOf(infoNames)],
    [2, [mapOf(containerNames)]],
    [3, [mapOf(serviceNames)]],
  ])
  const json = {
    stats: { ...statsNames, efs: { data: extraDiskNames }, g: { 0: gpuNames } },
    info: infoNames,
    container: [containerNames],
    systemd: [serviceNames],
  }
  assert.deepEqual(toDocumentJson(document), json)
  assert.deepEqual(fromDocumentJson(json), document)
})

test('toDocumentJson omits keys without a JSON name, and converts bytes and wide integers to numbers', () => {
  const stats: CborMap = new Map<number, CborValue>([
    [34, Uint8Array.of(1, 2)],
    [102, new Map([['ice', 0]])],
    [2, 5n],
    [20, new Map([['cpu', 50]])],
    [21, new Map<string, CborValue>([['data', 5]])],
    [28, [1, [2n]]],
  ])
  const document = new Map<number, CborValue>([
    [0, stats],
    [2, [null, 'x']],
    [1, 'no map'],
    [4, new Map([[0, 'host']])],
    [100, 5],
  ])
  assert.deepEqual(toDocumentJson(document), {
    stats: { cpus: [1, 2], m: 5, t: { cpu: 50 }, efs: { data: 5 }, la: [1, [2]] },
    container: [null, 'x'],
    info: 'no map',
  })
})

test('fromDocumentJson keeps members of unexpected types', () => {
  const read = fromDocumentJson({
    stats: { efs: { data: 5 }, t: { cpu: 50 }, la: [1, [2]], g: [{ n: 'a' }] },
    info: [{ h: 1 }],
    container: { web: { N: 'x' } },
  })
  assert.deepEqual(
    read,
    new Map<number, CborValue>([
      [
        0,
        new Map<number, CborValue>([
          [21, new Map([['data', 5]])],
          [20, new Map([['cpu', 50]])],
          [28, [1, [2]]],
          [22, [new Map([[0, 'a']])]],
        ]),
      ],
      [1, [new Map([[0, 1]])]],
      [2, new Map([['web', new Map([[0, 'x']])]])],
    ]),
  )
  assert.equal(fromDocumentJson('x'), undefined)
  assert.equal(fromDocumentJson(5), undefined)
})

function withoutZeros(json: Json): Json {
  if (Array.isArray(json)) return (json as readonly Json[]).map(withoutZeros)
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, value]) => (value === 0 || value === '' || value === null ? [] : [[name, withoutZeros(value)]])),
  )
}
