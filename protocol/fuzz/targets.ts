import assert from 'node:assert/strict'
import { decodeCbor } from '../src/cbor/decode.ts'
import { encodeCbor } from '../src/cbor/encode.ts'
import { isCborMap, type CborValue } from '../src/cbor/value.ts'
import { containerSeries, systemSeries } from '../src/metrics/series.ts'
import { decodeDiagnosis } from '../src/wire/diagnosis.ts'
import { decodeDocument } from '../src/wire/document-decode.ts'
import { encodeDocument } from '../src/wire/document-encode.ts'
import { fromDocumentJson, toDocumentJson } from '../src/wire/document-json.ts'
import { decodeEnvelope } from '../src/wire/envelope.ts'
import { readInfoJson } from '../src/wire/info-json.ts'
import { decodeBareReply } from '../src/wire/legacy-reply.ts'
import { firstJson, looksLikeJson } from '../src/wire/legacy-text.ts'
import { decodeRequest } from '../src/wire/request.ts'
import { decodeSmartDevices } from '../src/wire/smart.ts'
import {
  readContainerStatsJson,
  readStatsJson,
  toContainerStatsJson,
  toStatsJson,
  type Json,
  type JsonObject,
} from '../src/wire/stats-json.ts'
import { nodeUtf8 } from '../test/node-utf8.ts'

// Fuzzing targets: the protocol's decoders of a peer's bytes. No decoder may throw.

const kinds = ['document', 'identity', 'text', 'smart', 'service', 'diagnosis'] as const

/**
 * Fuzzing target: passes the bytes to the CBOR decoders of agent and hub. Throws if a decoded value cannot be encoded and decoded again.
 */
export function cbor(bytes: Uint8Array): void {
  const item = decodeCbor(bytes, nodeUtf8)
  if (!item.ok) return
  const again = decodeCbor(encodeCbor(item.value, nodeUtf8), nodeUtf8)
  assert.ok(again.ok, 'what was read cannot be written and read again')
  readEverything(item.value)
}

/** Fuzzing target: passes the bytes to the JSON decoders of samples from agents before 0.12, and of stored statistics. */
export function json(bytes: Uint8Array): void {
  looksLikeJson(bytes)
  const value = firstJson(nodeUtf8.decode(bytes))
  if (value === undefined) return
  const document = fromDocumentJson(value)
  if (document !== undefined) readEverything(document)
  readInfoJson(value)
  if (isObject(value)) toStatsJson(readStatsJson(value))
  else if (Array.isArray(value)) toContainerStatsJson(readContainerStatsJson(value as readonly Json[])) // isArray() forgets what a read-only list holds
}

const isObject = (value: Json): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

function readEverything(value: CborValue): void {
  decodeRequest(value)
  for (const kind of kinds) decodeEnvelope(value, kind)
  for (const kind of ['document', 'identity'] as const) decodeBareReply(value, kind)
  decodeDiagnosis(value)
  const document = decodeDocument(value)
  if (document.ok) {
    const { sample } = document
    toStatsJson(systemSeries(sample))
    toContainerStatsJson(containerSeries(sample.containers ?? []))
    const again = decodeDocument(encodeDocument(sample))
    assert.ok(again.ok, 'a sample that was read cannot be written and read again')
  }
  if (!isCborMap(value)) return
  decodeSmartDevices(value)
  const twice = fromDocumentJson(toDocumentJson(value))
  assert.ok(twice, 'a document is not a document after it was JSON')
  decodeDocument(twice)
}
