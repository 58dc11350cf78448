import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyName } from '../../test/hostile-names.ts'
import { nodeUtf8 } from '../../test/node-utf8.ts'
import { fromHex, readRecording, toHex } from '../../test/recorded.ts'
import { decodeCbor } from '../cbor/decode.ts'
import { encodeCbor } from '../cbor/encode.ts'
import type { CborValue } from '../cbor/value.ts'
import { decodeEnvelope, encodeEnvelope, encodeIdentity, envelopeId, type Reply } from './envelope.ts'

const vectors: readonly (readonly [string, Reply, number | undefined])[] = [
  ['a10372756e737570706f7274656420616374696f6e', { kind: 'error', message: 'unsupported action' }, undefined],
  ['a200070460', { kind: 'text', text: '' }, 7],
  ['a10460', { kind: 'text', text: '' }, undefined],
]
for (const [hex, reply, id] of vectors) {
  test(`encodeEnvelope writes ${hex}`, () => assert.equal(toHex(encodeCbor(encodeEnvelope(reply, id), nodeUtf8)), hex))
  test(`decodeEnvelope reads ${hex}`, () => {
    assert.deepEqual(decodeEnvelope(decoded(hex), 'text'), id === undefined ? { ok: true, reply } : { ok: true, id, reply })
  })
}

const maps = fc.array(fc.tuple(anyName, fc.oneof(fc.string(), fc.integer()))).map((entries) => new Map<number | string, CborValue>(entries))
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const replies = fc.oneof(
  maps.map((document): Reply => ({ kind: 'document', document })),
  fc
    .record({ fingerprint: fc.string(), hostname: optional(anyName), port: optional(fc.string()), systemName: optional(fc.string()) })
    .map(({ fingerprint, ...rest }): Reply => {
      const identity = { fingerprint, ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) }
      return { kind: 'identity', identity }
    }),
  fc.string({ minLength: 1 }).map((message): Reply => ({ kind: 'error', message })),
  fc.string().map((text): Reply => ({ kind: 'text', text })),
  fc
    .tuple(
      maps.filter((devices) => devices.size > 0),
      fc.boolean(),
    )
    .map(([devices, complete]): Reply => ({ kind: 'smart', devices, complete })),
  maps.map((properties): Reply => ({ kind: 'service', properties })),
  maps.map((diagnosis): Reply => ({ kind: 'diagnosis', diagnosis })),
)

test('encodeEnvelope and decodeEnvelope round-trip any reply', () => {
  fc.assert(
    fc.property(replies, optional(fc.nat(0xffff_ffff)), (reply, id) => {
      const expected = reply.kind === 'error' ? 'document' : reply.kind
      assert.deepEqual(
        decodeEnvelope(encodeEnvelope(reply, id), expected),
        id === undefined ? { ok: true, reply } : { ok: true, id, reply },
      )
    }),
  )
})

test('decodeEnvelope prefers the generic slot to the typed one', () => {
  const envelope = new Map<number, CborValue>([
    [4, 'typed'],
    [7, 'generic'],
  ])
  assert.deepEqual(decodeEnvelope(envelope, 'text'), { ok: true, reply: { kind: 'text', text: 'generic' } })
})

const envelope = (...entries: readonly (readonly [number, CborValue])[]): CborValue => new Map(entries)
const reply = (value: CborValue, expected: Exclude<Reply['kind'], 'error'>) => {
  const read = decodeEnvelope(value, expected)
  return read.ok ? read.reply : read.reason
}
const inner = new Map([[5, 'x']])

test('decodeEnvelope reads each kind of reply from the generic slot', () => {
  assert.deepEqual(reply(envelope([7, inner]), 'document'), { kind: 'document', document: inner })
  assert.deepEqual(reply(envelope([7, inner]), 'service'), { kind: 'service', properties: inner })
  assert.deepEqual(reply(envelope([2, envelope([0, 'typed'])], [7, envelope([0, 'generic'])]), 'identity'), {
    kind: 'identity',
    identity: { fingerprint: 'generic' },
  })
  assert.deepEqual(reply(envelope([7, envelope([0, inner], [1, true])]), 'smart'), { kind: 'smart', devices: inner, complete: true })
  assert.deepEqual(reply(envelope([7, envelope([0, inner], [1, 1])]), 'smart'), { kind: 'smart', devices: inner, complete: false })
  assert.equal(reply(envelope([5, inner], [7, envelope([1, true])]), 'smart'), 'reply carries no smart')
  assert.equal(reply(envelope([7, inner]), 'diagnosis'), 'reply carries no diagnosis')
})

test('decodeEnvelope returns the error if its text is not empty', () => {
  assert.deepEqual(reply(envelope([3, 'no'], [4, 'text']), 'text'), { kind: 'error', message: 'no' })
  assert.deepEqual(reply(envelope([3, ''], [4, 'text']), 'text'), { kind: 'text', text: 'text' })
})

test('decodeEnvelope explains the error in a reply', () => {
  assert.equal(reply(envelope([0, 'text']), 'text'), 'reply is not an envelope')
  assert.equal(reply(envelope([0, inner], [1, inner]), 'document'), 'reply is not an envelope')
  assert.equal(reply(envelope([1, 'text']), 'document'), 'reply carries no document')
  assert.equal(reply(envelope([4, inner]), 'text'), 'reply carries no text')
  assert.equal(reply(envelope([2, 'text']), 'identity'), 'reply.2 is not a map')
  assert.equal(reply(envelope([2, envelope([1, 'host'])]), 'identity'), 'reply carries no identity')
  assert.equal(reply(envelope([2, envelope([0, 5])]), 'identity'), 'reply.2.0 is not a text')
  assert.deepEqual(decodeEnvelope(envelope([0, 3], [2, 'x']), 'identity'), { ok: false, id: 3, reason: 'reply.2 is not a map' })
  assert.equal(reply(envelope([100, 'x']), 'diagnosis'), 'reply carries no diagnosis')
  assert.equal(reply(envelope([5, 'x']), 'smart'), 'reply carries no smart')
})

test('decodeEnvelope marks the drives as complete only if the reply says so', () => {
  assert.deepEqual(reply(envelope([5, inner]), 'smart'), { kind: 'smart', devices: inner, complete: false })
  assert.deepEqual(reply(envelope([5, inner], [8, true]), 'smart'), { kind: 'smart', devices: inner, complete: true })
})

test('envelopeId returns the id of the request, and undefined for other values', () => {
  assert.deepEqual([envelope([0, 7]), envelope([0, 'x']), envelope(), [7], 'x'].map(envelopeId), [
    7,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test('decodeEnvelope names the missing part and keeps the id', () => {
  assert.deepEqual(decodeEnvelope(new Map([[0, 9]]), 'smart'), { ok: false, id: 9, reason: 'reply carries no smart' })
  assert.deepEqual(decodeEnvelope([], 'document'), { ok: false, reason: 'reply is not a map' })
})

test('decodeEnvelope never throws for any item', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom('document', 'identity', 'text', 'smart', 'service', 'diagnosis'),
      (bytes, expected) => {
        const item = decodeCbor(bytes, nodeUtf8)
        if (item.ok) decodeEnvelope(item.value, expected)
      },
    ),
    { numRuns: 2000 },
  )
})

type Step = {
  readonly hub_sends: string
  readonly agent_replies?: { readonly opcode: number; readonly payload_hex: string; readonly decoded?: object } | null
}
const exchangeOf = (version: string) => readRecording<{ steps: readonly Step[] }>(`agent/ws/${version}/exchange.json`).steps

for (const version of ['0.12.0', '0.12.12', '0.13.2', '0.17.0', '0.18.8', 'head']) {
  for (const { hub_sends, agent_replies } of exchangeOf(version)) {
    if (agent_replies?.opcode !== 2) continue
    test(`decodeEnvelope reads the reply of agent ${version} to: ${hub_sends}`, () => {
      const item = decoded(agent_replies.payload_hex)
      const kind = hub_sends.includes('fingerprint') ? 'identity' : hub_sends.includes('SMART') ? 'smart' : 'document'
      const result = decodeEnvelope(item, kind)
      const bare = version.startsWith('0.12') || hub_sends.includes('no id') || hub_sends.includes('without id')
      // A bare reply has a map or a text at the envelope's key of the id. An agent without disks sends an empty SMART reply.
      if (bare || kind === 'smart') assert.equal(result.ok, false)
      else assert.ok(result.ok && result.reply.kind === kind && result.id !== undefined)
    })
  }
}

test('encodeIdentity writes the bare identity that a recorded agent sent', () => {
  const fingerprint = '3fad3d29a4559250a6b4c948ddb4a049cdbf291e55da9018'
  const recorded = exchangeOf('head').find(
    (step) => step.hub_sends === 'fingerprint request, good signature, no id (0.12 hub)',
  )?.agent_replies
  assert.equal(toHex(encodeCbor(encodeIdentity({ fingerprint }), nodeUtf8)), recorded?.payload_hex)
})

function decoded(hex: string): CborValue {
  const item = decodeCbor(fromHex(hex), nodeUtf8)
  assert.ok(item.ok)
  return item.value
}

test('encodeEnvelope writes only the id for a machine without drives, as recorded', () => {
  const reply: Reply = { kind: 'smart', devices: new Map(), complete: true }
  assert.equal(toHex(encodeCbor(encodeEnvelope(reply, 9), nodeUtf8)), 'a10009')
  assert.equal(toHex(encodeCbor(encodeEnvelope(reply), nodeUtf8)), 'a0')
})
