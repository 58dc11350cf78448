import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { nodeUtf8 } from '../../test/node-utf8.ts'
import { fromHex, readRecording } from '../../test/recorded.ts'
import { sampleArbitrary } from '../../test/sample-arbitrary.ts'
import { decodeCbor } from '../cbor/decode.ts'
import { isCborMap } from '../cbor/value.ts'
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

  test(`toDocumentJson makes of a document of ${agent} the JSON it sent of the same instant`, () => {
    const made = toDocumentJson(document)
    // JSON leaves out zeros that CBOR keeps, and names details without carrying them.
    assert.deepEqual(withoutZeros(made), withoutZeros(recorded))
  })

  test(`fromDocumentJson reads the JSON of ${agent} as the CBOR of the same instant`, () => {
    const read = fromDocumentJson(recorded)
    assert.ok(read)
    assert.deepEqual(withoutZeros(toDocumentJson(read)), withoutZeros(toDocumentJson(document)))
    assert.ok(decodeDocument(read).ok)
  })
}

test('fromDocumentJson matches members without case, leaves unknown ones out, and takes null as nothing', () => {
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

test('fromDocumentJson gives back what toDocumentJson wrote, but for keys without a name', () => {
  fc.assert(
    fc.property(sampleArbitrary, (sample) => {
      const json = toDocumentJson(encodeDocument(sample, 'info'))
      const read = fromDocumentJson(JSON.parse(JSON.stringify(json)) as Json)
      assert.ok(read)
      assert.deepEqual(toDocumentJson(read), JSON.parse(JSON.stringify(json)))
    }),
  )
})

function withoutZeros(json: Json): Json {
  if (Array.isArray(json)) return (json as readonly Json[]).map(withoutZeros)
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, value]) => (value === 0 || value === '' || value === null ? [] : [[name, withoutZeros(value)]])),
  )
}
