import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyJson } from '../../test/hostile-names.ts'
import { nodeUtf8 } from '../../test/node-utf8.ts'
import { fromHex, readRecording } from '../../test/recorded.ts'
import { decodeCbor } from '../cbor/decode.ts'
import { isCborMap, type CborValue } from '../cbor/value.ts'
import { decodeDiagnosis } from './diagnosis.ts'
import { decodeDocument } from './document-decode.ts'
import { fromDocumentJson, toDocumentJson } from './document-json.ts'
import { decodeEnvelope } from './envelope.ts'
import { firstJson } from './legacy-text.ts'
import { decodeRequest } from './request.ts'
import { decodeSmartDevices } from './smart.ts'

/** Runs of each property. Decoders return a result for any input and never throw. */
const numRuns = process.env['VEDETTE_LONG'] === undefined ? 2000 : 100_000

const kinds = ['document', 'identity', 'text', 'smart', 'service', 'diagnosis'] as const

function decodeEverything(value: CborValue): void {
  decodeRequest(value)
  for (const kind of kinds) decodeEnvelope(value, kind)
  decodeDiagnosis(value)
  decodeDocument(value)
  if (!isCborMap(value)) return
  decodeSmartDevices(value)
  // Converts to JSON and back, as between an old hub and an old agent.
  const again = fromDocumentJson(toDocumentJson(value))
  assert.ok(again)
  decodeDocument(again)
}

test('bug class 24: no decoder throws on random bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const item = decodeCbor(bytes, nodeUtf8)
      if (item.ok) decodeEverything(item.value)
    }),
    { numRuns },
  )
})

type Recorded = { readonly cases: readonly { readonly document_hex?: string }[] }
const recorded = readRecording<Recorded>('hub-link/documents/head-websocket.json').cases.flatMap(({ document_hex }) =>
  document_hex === undefined || document_hex.length > 4000 ? [] : [fromHex(document_hex)],
)

test('bug class 24: no decoder throws on a recorded document with changed, removed or repeated bytes', () => {
  const change = fc.record({ at: fc.nat(), byte: fc.nat(255) })
  fc.assert(
    fc.property(fc.constantFrom(...recorded), fc.array(change, { maxLength: 6 }), fc.nat(), (document, changes, cut) => {
      const bytes = Uint8Array.from(document)
      for (const { at, byte } of changes) bytes[at % bytes.length] = byte
      const whole = decodeCbor(bytes, nodeUtf8)
      if (whole.ok) decodeEverything(whole.value)
      decodeCbor(bytes.subarray(0, cut % bytes.length), nodeUtf8)
    }),
    { numRuns },
  )
})

test('bug class 24: no reader of JSON throws on possible output of old agents', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyJson.map((json) => JSON.stringify(json)),
        fc.string(),
      ),
      fc.nat(),
      (text, cut) => {
        for (const written of [text, text + text, text.slice(0, cut % (text.length + 1))]) {
          const json = firstJson(written)
          const document = json === undefined ? undefined : fromDocumentJson(json)
          if (document !== undefined) decodeDocument(document)
        }
      },
    ),
    { numRuns },
  )
})
