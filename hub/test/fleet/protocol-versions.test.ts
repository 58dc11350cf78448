import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { CborMap, CborValue } from '@vedette/protocol/cbor/value'
import { encodeDocument } from '@vedette/protocol/wire/document-encode'
import { encodeEnvelope, type Reply } from '@vedette/protocol/wire/envelope'
import { framingAgent } from '../framing-agent.ts'
import { startHubProcess, type HubProcess } from '../hub-process.ts'
import { call, signIn, until } from '../hubs-of-one-database.ts'
import { makeMemoryFolder } from '../memory-folder.ts'
import { bytesOf, machineSample } from '../scripted-agent.ts'

/*
 * Agents of another protocol version on today's hub. The other direction, today's agent on older and newer hubs, is tested in
 * agent/test/recorded-hubs.test.ts and agent/test/websocket-link.test.ts. Recordings of nine older agents: recorded-agents.test.ts.
 */

const folder = makeMemoryFolder('vedette-protocol-')
let hub: HubProcess | undefined
before(async () => {
  hub = await startHubProcess(['--data', folder], { VEDETTE_ADMIN_EMAIL: 'admin@example.com', VEDETTE_ADMIN_PASSWORD: 'correct-horse-1' })
})
after(async () => {
  hub?.kill('SIGTERM')
  await hub?.ended
  rmSync(folder, { recursive: true, force: true })
})

/** Content that no version has yet: a number, a text with a name of every object, a list and a map, under keys of both kinds. */
const later: readonly (readonly [number | string, CborValue])[] = [
  [5001, 1],
  [5002, '__proto__'],
  [5003, [1, null, 'x']],
  [5004, new Map<number | string, CborValue>([[0, new Map([['constructor', true]])]])],
  ['addedLater', 2.5],
]

/** Adds unknown content to a map and to each map within it. */
const withLater = (map: CborMap): CborMap =>
  new Map([...[...map].map(([key, value]) => [key, value instanceof Map ? withLater(value) : value] as const), ...later])

const same = (map: CborMap): CborMap => map

for (const [what, version, change] of [
  ['a newer protocol, with unknown fields in each map', '1.4.0+vedette.9.9.9', withLater],
  ['a newer protocol of another project, with unknown fields', '99.0.0', withLater],
  ['an older protocol', '0.18.0', same],
] as const)
  test(`an agent of ${what} is enrolled, and its samples are stored`, { timeout: 120_000 }, async () => {
    assert.ok(hub)
    const { address } = hub
    const { token, id: user } = await signIn(hub)
    const ask = async (request: string, body?: object) => (await call(hub as HubProcess, token, request, body)).body // started before
    const record = { name: version, host: '127.0.0.1', port: '1', users: [user] }
    const { id: system } = await ask('POST /api/collections/systems/records', record)
    await ask('POST /api/collections/fingerprints/records', { system, token: `token-of-${version}` })
    const replyTo = (action: string): Reply =>
      action === 'fingerprint'
        ? { kind: 'identity', identity: { fingerprint: version, hostname: version } }
        : { kind: 'document', document: change(encodeDocument({ ...machineSample, cpu: { busyPercent: 44 } })) }
    const agent = framingAgent({
      url: `${address.replace('http', 'ws')}/api/beszel/agent-connect`,
      token: `token-of-${version}`,
      version,
      answer: ({ request, id }) => [bytesOf(change(encodeEnvelope(replyTo(request.action), id)))],
    })
    try {
      const up = await until(
        () => ask(`GET /api/collections/systems/records/${String(system)}`),
        ({ status }) => status === 'up',
      )
      assert.partialDeepStrictEqual(up, { info: { cpu: 44 } })
      const stored = await until(
        () => ask(`GET /api/collections/system_stats/records?filter=${encodeURIComponent(`system='${String(system)}'`)}`),
        ({ totalItems }) => Number(totalItems) > 0,
      )
      assert.partialDeepStrictEqual(stored, { items: [{ stats: { cpu: 44 } }] })
    } finally {
      agent.close()
    }
  })
