import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeCbor } from '@vedette/protocol/cbor/decode'
import { decodeEnvelope, type EnvelopeResult } from '@vedette/protocol/wire/envelope'
import { encodeRequest, type Request } from '@vedette/protocol/wire/request'
import { createLoop } from '../runtime/deadline.ts'
import { logTo } from '../runtime/log.ts'
import { memoryRuntime } from '../runtime/memory-runtime.ts'
import { byteTools } from '../runtime/node/byte-tools.ts'
import type { Runtime, RuntimeEvents } from '../runtime/runtime.ts'
import { encodedBytes, textCodec } from './requests.ts'
import { createWebSocketLink } from './websocket-link.ts'

/** A link to a hub that the test plays. Reads of its disks never finish, like work that a limit of the host cancelled. */
function linkOfStuckDisks() {
  const memory = memoryRuntime({ files: {}, bytes: byteTools })
  const sent: EnvelopeResult[] = []
  let heard: RuntimeEvents | undefined
  const runtime: Runtime = {
    ...memory.runtime,
    bytes: { ...byteTools, ed25519Verify: () => true },
    listen: (events) => {
      heard = events
      memory.runtime.listen(events)
    },
    wsOpen: () => undefined,
    wsSend: (_, data) => {
      const item = decodeCbor(data, textCodec(byteTools))
      if (item.ok) sent.push(decodeEnvelope(item.value, 'document'))
    },
  }
  const loop = createLoop(runtime)
  const never = () => new Promise<never>(() => undefined)
  const sources = {
    sampler: { take: () => Promise.resolve({ uptimeSeconds: 7, agentVersion: '1', takenAtMs: 1 }), seed: () => Promise.resolve() },
    containerLogs: never,
    containerInspect: never,
    diskHealth: never,
    serviceDetails: never,
    diagnosis: () => ({ agentVersion: '1', takenAtMs: 1, collectors: [] }),
    forgetProof: () => undefined,
  }
  const link = createWebSocketLink(
    { runtime, loop, log: logTo(runtime, 'error'), sources: () => sources },
    {
      token: 't',
      hubKeys: [new Uint8Array(32)],
      proofs: { needsNonce: () => false, add: () => undefined, clear: () => undefined },
      identity: () => ({ fingerprint: 'f' }),
      onTrusted: () => undefined,
      onEnded: () => undefined,
    },
  )
  const ask = async (request: Request): Promise<EnvelopeResult | undefined> => {
    const before = sent.length
    heard?.onWsMessage(1, encodedBytes(encodeRequest({ id: 7, request }), byteTools))
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    return sent[before]
  }
  link.dial({ url: 'ws://hub.example.org', proxy: undefined, certificateSha256: undefined })
  heard?.onWsOpen(1)
  return { ask, advance: memory.advance }
}

const poll: Request = { action: 'data', cacheTimeMs: 1000, includeDetails: false }

test('createWebSocketLink refuses a 17th concurrent request, and accepts requests again after half a minute', async () => {
  const { ask, advance } = linkOfStuckDisks()
  await ask({ action: 'fingerprint', signature: new Uint8Array(64), needSystemInfo: false })
  for (let count = 0; count < 16; count++) assert.equal(await ask({ action: 'smart' }), undefined)
  const refused = await ask(poll)
  assert.ok(refused?.ok)
  assert.deepEqual(refused.reply, { kind: 'error', message: 'too many requests at once' })
  advance(30_000)
  const answered = await ask(poll)
  assert.ok(answered?.ok)
  assert.equal(answered.reply.kind, 'document')
})
