import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { decodeCbor } from '@vedette/protocol/cbor/decode'
import type { CborMap } from '@vedette/protocol/cbor/value'
import { decodeDocument } from '@vedette/protocol/wire/document-decode'
import { decodeEnvelope, type Reply } from '@vedette/protocol/wire/envelope'
import { nodeUtf8 } from '../../../protocol/test/node-utf8.ts'
import { asRecorded, fromHex, readRecording } from '../../../protocol/test/recorded.ts'
import { replyModeOf, readWrittenDocument } from '../../src/fleet/session/exchange.ts'
import { AgentUnavailable } from '../../src/fleet/session/fleet-errors.ts'

/** Bytes that agents of nine versions wrote over SSH, read with the hub's decoder. */
type Written = {
  readonly stdout_hex: string
  readonly documents: readonly { readonly format: 'json' | 'cbor'; readonly decoded?: Decoded }[]
}
type Decoded = Readonly<Record<string, unknown>>
/** Bytes are omitted where they would repeat those of an earlier case. */
type Sessions = { readonly cases: readonly (Partial<Written> & { readonly client_ident: string; readonly stdin: string })[] }
type Actions = { readonly replies: readonly (Written & { readonly request: string })[] }

const folder = new URL('../../../protocol/vectors/agent/ssh/', import.meta.url)
const versions = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
/** The newest version has no number yet. */
const announcedBy = (version: string): string => (version === 'head' ? '0.18.8' : version)

function assertReads(document: CborMap, first: Written['documents'][number] | undefined): void {
  const { ok, ...decoded } = decodeDocument(document)
  assert.ok(ok && 'sample' in decoded)
  assert.deepEqual(decoded.problems, [])
  assert.ok(decoded.sample.cpu && decoded.sample.memory && decoded.sample.rootDisk)
  if (first?.format !== 'cbor' || first.decoded === undefined) return
  const envelope = first.decoded
  assert.deepEqual(asRecorded(document), '1' in envelope && !('0' in envelope) ? envelope['1'] : envelope)
}

test('the recordings cover nine versions of the agent', () => assert.equal(versions.length, 9))

for (const version of versions) {
  const replyMode = replyModeOf(announcedBy(version))
  test(`readWrittenDocument reads every recorded session of agent ${version}`, () => {
    const { cases } = readRecording<Sessions>(`agent/ssh/${version}/sessions.json`)
    const written = cases.filter((one): one is Written & typeof one => one.stdout_hex !== undefined)
    assert.ok(written.length > 0)
    for (const { stdout_hex, documents } of written) {
      if (stdout_hex === '') assert.throws(() => readWrittenDocument(fromHex(stdout_hex), replyMode), AgentUnavailable)
      else assertReads(readWrittenDocument(fromHex(stdout_hex), replyMode), documents[0])
    }
  })
}

const kindOf = (request: string): Exclude<Reply['kind'], 'error'> =>
  /^action [23]/.test(request) ? 'text' : request.startsWith('action 4') ? 'smart' : request.startsWith('action 5') ? 'service' : 'document'

for (const version of versions) {
  for (const engine of ['docker', 'no-engine']) {
    if (replyModeOf(announcedBy(version)) !== 'on request') continue
    test(`decodeEnvelope reads every recorded reply of agent ${version} (${engine})`, () => {
      const { replies } = readRecording<Actions>(`agent/ssh/${version}/actions-${engine}.json`)
      assert.ok(replies.length >= 20)
      for (const { request, stdout_hex, documents } of replies) {
        const item = decodeCbor(fromHex(stdout_hex), nodeUtf8)
        assert.ok(item.ok, request)
        const recorded = documents[0]?.decoded ?? {}
        assert.deepEqual(asRecorded(item.value), recorded, request)
        const read = decodeEnvelope(item.value, kindOf(request))
        if ('3' in recorded) assert.deepEqual(read, { ok: true, reply: { kind: 'error', message: recorded['3'] } }, request)
        // A machine without drives has an empty SMART response. Input that is not a request gets a bare document.
        else assert.equal(read.ok, Object.keys(recorded).length > 0 && !('0' in recorded), request)
      }
    })
  }
}

type Matrix = {
  readonly agents: Readonly<
    Record<string, readonly { readonly request: string; readonly details_present: boolean; readonly stdout_hex: string }[]>
  >
}
for (const [version, replies] of Object.entries(readRecording<Matrix>('agent/ssh/details-matrix.json').agents)) {
  test(`readWrittenDocument: details of agent ${version} are present if they were recorded as present`, () => {
    for (const { request, details_present, stdout_hex } of replies) {
      const document = readWrittenDocument(fromHex(stdout_hex), 'on request')
      assert.equal(document.has(4), details_present, request)
      assertReads(document, undefined)
    }
  })
}
