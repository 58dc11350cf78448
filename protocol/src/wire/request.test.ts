import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyName } from '../../test/hostile-names.ts'
import { nodeUtf8 } from '../../test/node-utf8.ts'
import { fromHex, readRecording, toHex } from '../../test/recorded.ts'
import { decodeCbor } from '../cbor/decode.ts'
import { encodeCbor } from '../cbor/encode.ts'
import type { CborValue } from '../cbor/value.ts'
import { decodeRequest, encodeRequest, type Message, type Request } from './request.ts'

const signature = fromHex('ab'.repeat(64))
const vectors: readonly (readonly [string, string, Message])[] = [
  ['data over SSH, with details', 'a2000001a20019ea6001f5', { request: { action: 'data', cacheTimeMs: 60_000, includeDetails: true } }],
  ['data over SSH, without details', 'a2000001a20019ea6001f4', { request: { action: 'data', cacheTimeMs: 60_000, includeDetails: false } }],
  ['live data over SSH', 'a2000001a2001903e801f4', { request: { action: 'data', cacheTimeMs: 1000, includeDetails: false } }],
  ['data over WebSocket', 'a3000001a20019ea6001f50202', { id: 2, request: { action: 'data', cacheTimeMs: 60_000, includeDetails: true } }],
  [
    'fingerprint',
    `a3000101a2005840${'ab'.repeat(64)}01f40201`,
    { id: 1, request: { action: 'fingerprint', signature, needSystemInfo: false } },
  ],
  ['data of a hub before 0.18', 'a2000001a10019ea60', { request: { action: 'data', cacheTimeMs: 60_000 } }],
  ['SMART over SSH', 'a10004', { request: { action: 'smart' } }],
  ['SMART over WebSocket', 'a200040203', { id: 3, request: { action: 'smart' } }],
  ['container logs', 'a2000201a1006c303132333435363738396162', { request: { action: 'container-logs', containerId: '0123456789ab' } }],
  [
    'container inspect',
    'a2000301a1006c303132333435363738396162',
    { request: { action: 'container-inspect', containerId: '0123456789ab' } },
  ],
  ['service details', 'a2000501a100656e67696e78', { request: { action: 'service-details', serviceName: 'nginx' } }],
]

for (const [name, hex, message] of vectors) {
  test(`encodeRequest writes ${name}`, () => assert.equal(toHex(encodeCbor(encodeRequest(message), nodeUtf8)), hex))
  test(`decodeRequest reads ${name}`, () => assert.deepEqual(decodeHex(hex), { ok: true, message }))
}

const data = (cacheTimeMs: number, includeDetails?: boolean): Request =>
  includeDetails === undefined ? { action: 'data', cacheTimeMs } : { action: 'data', cacheTimeMs, includeDetails }
const tolerated: readonly (readonly [string, string, Request])[] = [
  ['a hub without details', 'a2000001a10019ea60', data(60_000)],
  ['no body', 'a10000', data(0)],
  ['an empty map', 'a0', data(0)],
  ['a null body', 'a2000001f6', data(0)],
  ['a text body', 'a20000016568656c6c6f', data(0)],
  ['a cache time over 16 bits', 'a2000001a2001a0001117001f4', data(0, false)],
  ['a negative cache time', 'a2000001a2002001f4', data(0, false)],
  ['a details flag that is an integer', 'a2000001a20019ea600101', data(60_000)],
  ['indefinite maps', 'bf000001bf0019ea6001f4ffff', data(60_000, false)],
  ['unknown keys', 'a4000001a30019ea6001f409636162631863a1000109f5', data(60_000, false)],
]
for (const [name, hex, request] of tolerated) {
  test(`decodeRequest returns a data request for ${name}`, () => assert.deepEqual(decodeHex(hex), { ok: true, message: { request } }))
}

const refused: readonly (readonly [string, string, string])[] = [
  ['an array', '8200a10019ea60', 'request is not a map'],
  ['an integer', '05', 'request is not a map'],
  ['an unknown action', 'a10009', 'unknown action: 9'],
  ['an action over 255', 'a100190100', 'request has no usable action'],
  ['a text action', 'a1006161', 'request has no usable action'],
  ['logs without a body', 'a10002', 'request body of "container-logs" is unusable'],
  ['a fingerprint request without signature', 'a10001', 'request body of "fingerprint" is unusable'],
]
for (const [name, hex, reason] of refused) {
  test(`decodeRequest refuses ${name}`, () => assert.deepEqual(decodeHex(hex), { ok: false, reason }))
}

const raw = (entries: readonly (readonly [number, CborValue])[]) => decodeRequest(new Map(entries))
const asMap = (...entries: readonly (readonly [number, CborValue])[]): CborValue => new Map(entries)

test('decodeRequest accepts whole numbers up to 255 as actions', () => {
  assert.deepEqual(raw([[0, 255]]), { ok: false, reason: 'unknown action: 255' })
  for (const action of [256, 0.5, -1, 'data']) assert.deepEqual(raw([[0, action]]), { ok: false, reason: 'request has no usable action' })
  assert.deepEqual(raw([[2, 'id']]), { ok: false, reason: 'request has no usable action' })
})

test("decodeRequest reads this project's own requests without a body", () => {
  assert.deepEqual(
    raw([
      [0, 100],
      [2, 3],
    ]),
    { ok: true, message: { id: 3, request: { action: 'diagnosis' } } },
  )
  assert.deepEqual(raw([[0, 101]]), { ok: true, message: { request: { action: 'forget-proof' } } })
  assert.deepEqual([...encodeRequest({ request: { action: 'forget-proof' } })], [[0, 101]])
})

test('decodeRequest accepts a 16-bit cache time, and replaces any other by 0', () => {
  const cached = (time: CborValue) => {
    const read = raw([[1, asMap([0, time])]])
    return read.ok && read.message.request.action === 'data' ? read.message.request.cacheTimeMs : undefined
  }
  assert.deepEqual([0xffff, 0x1_0000, 0.5, 'x', null].map(cached), [0xffff, 0, 0, 0, 0])
})

test('decodeRequest accepts whole seconds as the start of a log, and ignores any other start', () => {
  const since = (time: CborValue) => {
    const read = raw([
      [0, 2],
      [1, asMap([0, 'id'], [100, time])],
    ])
    return read.ok && read.message.request.action === 'container-logs' ? read.message.request.sinceSeconds : 'refused'
  }
  assert.deepEqual([0, 1_764_000_000, 0.5, -1, 'x', null].map(since), [0, 1_764_000_000, undefined, undefined, undefined, undefined])
})

test('decodeRequest prefers the signature that covers the nonce', () => {
  const [plain, overNonce] = [Uint8Array.of(1), Uint8Array.of(2)]
  const read = (...body: readonly (readonly [number, CborValue])[]) =>
    raw([
      [0, 1],
      [1, asMap(...body)],
    ])
  const proof = (of: Uint8Array, needSystemInfo: boolean) => ({ action: 'fingerprint' as const, signature: of, needSystemInfo })
  assert.deepEqual(read([0, plain], [100, overNonce], [1, true]), {
    ok: true,
    message: { request: { ...proof(overNonce, true), coversNonce: true } },
  })
  assert.deepEqual(read([0, plain]), { ok: true, message: { request: proof(plain, false) } })
})

test('decodeRequest refuses a request without the name of its container or service', () => {
  for (const [action, name] of [
    [2, 'container-logs'],
    [3, 'container-inspect'],
    [5, 'service-details'],
  ] as const)
    assert.deepEqual(
      raw([
        [0, action],
        [1, asMap([0, 5])],
        [2, 8],
      ]),
      { ok: false, id: 8, reason: `request body of "${name}" is unusable` },
    )
})

test('encodeRequest writes no body for data as hub 0.12 requests it, and a body with cache time or details', () => {
  const body = (request: Request) => encodeRequest({ request }).get(1)
  assert.equal(body({ action: 'data', cacheTimeMs: 0 }), undefined)
  assert.deepEqual(body({ action: 'data', cacheTimeMs: 1 }), new Map([[0, 1]]))
  assert.deepEqual(
    body({ action: 'data', cacheTimeMs: 0, includeDetails: false }),
    new Map<number, CborValue>([
      [0, 0],
      [1, false],
    ]),
  )
})

test('decodeRequest returns the id of a refused request', () => {
  assert.deepEqual(decodeHex('a200090207'), { ok: false, id: 7, reason: 'unknown action: 9' })
})

const plain = { noNullPrototype: true }
const requests = fc.oneof(
  fc.record({ action: fc.constant('data' as const), cacheTimeMs: fc.nat(0xffff), includeDetails: fc.boolean() }, plain),
  fc.record({ action: fc.constant('fingerprint' as const), signature: fc.uint8Array(), needSystemInfo: fc.boolean() }, plain),
  fc.record(
    {
      action: fc.constant('fingerprint' as const),
      signature: fc.uint8Array(),
      coversNonce: fc.constant(true as const),
      needSystemInfo: fc.boolean(),
    },
    plain,
  ),
  fc.record({ action: fc.constantFrom('container-logs' as const, 'container-inspect' as const), containerId: anyName }, plain),
  fc.record({ action: fc.constant('container-logs' as const), containerId: anyName, sinceSeconds: fc.maxSafeNat() }, plain),
  fc.record({ action: fc.constant('service-details' as const), serviceName: anyName }, plain),
  fc.record({ action: fc.constant('data' as const), cacheTimeMs: fc.nat(0xffff) }, plain),
  fc.constantFrom({ action: 'smart' as const }, { action: 'diagnosis' as const }),
)

test('encodeRequest and decodeRequest round-trip any request', () => {
  fc.assert(
    fc.property(requests, fc.option(fc.nat(0xffff_ffff), { nil: undefined }), (request, id) => {
      const message: Message = id === undefined ? { request } : { id, request }
      assert.deepEqual(decodeRequest(encodeRequest(message)), { ok: true, message })
    }),
  )
})

type Action = { readonly request: string; readonly request_hex: string; readonly documents: readonly { readonly decoded: object }[] }

/** Messages to which a real agent sent a bare document must not decode as requests. */
for (const { request, request_hex, documents } of readRecording<{ replies: readonly Action[] }>('agent/ssh/head/actions-no-engine.json')
  .replies) {
  test(`decodeRequest agrees with a recorded agent on: ${request}`, () => {
    const result = decodeHex(request_hex)
    const decoded = documents[0]?.decoded ?? {}
    if ('1' in decoded && !('0' in decoded)) assert.equal(result.ok && result.message.request.action, 'data')
    else if ('0' in decoded) assert.equal(result.ok, false)
    else assert.equal(result.ok && result.message.request.action === 'data', false)
  })
}

function decodeHex(hex: string) {
  const item = decodeCbor(fromHex(hex), nodeUtf8)
  assert.ok(item.ok)
  return decodeRequest(item.value)
}
