import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { CborValue } from '@vedette/protocol/cbor/value'
import { encodeDocument } from '@vedette/protocol/wire/document-encode'
import { encodeEnvelope, encodeIdentity, type Identity } from '@vedette/protocol/wire/envelope'
import type { Message } from '@vedette/protocol/wire/request'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { databases } from '../databases.ts'
import { framingAgent, type Frames } from '../framing-agent.ts'
import { readLinkVector } from '../recorded-link.ts'
import { fleetOn, shortDeadlines, type RunningFleet } from '../running-fleet.ts'
import { bytesOf, machineSample } from '../scripted-agent.ts'
import { storedSamples } from '../stored-samples.ts'

const recordedKey = readFileSync(
  join(import.meta.dirname, '..', '..', '..', 'protocol', 'vectors', 'agent', 'test-only-keys', 'hub_ed25519'),
  'utf8',
)

type Frame = { readonly from?: string; readonly frame?: string; readonly note?: string; readonly payload_hex?: string }
type Case = {
  readonly case: string
  readonly token?: string
  readonly events: readonly Frame[]
  readonly systems_created?: readonly { readonly name: string; readonly host: string; readonly port: string }[]
}
const { cases } = readLinkVector('hub-link/ws/head/authentication.json') as { readonly cases: readonly Case[] } // the shape of the recording

const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex')
const frameOf = ({ events }: Case, note: string): Uint8Array =>
  Buffer.from(events.find((event) => event.from === 'agent' && event.note?.startsWith(note) === true)?.payload_hex ?? '', 'hex')

const identity: Identity = { fingerprint: 'aabbccddeeff00112233445566778899aabbccddeeff0011' }
const documentWith = (busyPercent: number) => encodeDocument({ ...machineSample, cpu: { busyPercent } })

/** Response of agents since 0.13. */
const enveloped = ({ id, request }: Message, busyPercent = 12.5): Uint8Array =>
  request.action === 'fingerprint'
    ? bytesOf(encodeEnvelope({ kind: 'identity', identity }, id))
    : bytesOf(encodeEnvelope({ kind: 'document', document: documentWith(busyPercent) }, id))

/** Response of agents of 0.12. */
const bare = ({ request }: Message, busyPercent = 12.5): Uint8Array =>
  bytesOf(request.action === 'fingerprint' ? encodeIdentity(identity) : documentWith(busyPercent))

async function systemWithToken(fleet: RunningFleet, token: string) {
  const system = await fleet.addSystem({ host: '127.0.0.1', port: '1' })
  await fleet.addToken(system.id, token)
  return system
}

async function storedCpu(fleet: RunningFleet, system: string): Promise<readonly (number | undefined)[]> {
  const samples = await storedSamples(fleet.history, 'system', system)
  return samples.map(({ values }) => values['cpu.busyPercent'])
}

/** Makes the hub poll again without waiting for its interval. */
async function pollAgain(fleet: RunningFleet, system: string): Promise<void> {
  await fleet.update(system, { status: 'paused' })
  await fleet.status(system, 'paused')
  await fleet.update(system, { status: 'pending' })
  await fleet.status(system, 'up')
}

const replies: readonly (readonly [name: string, status: 'up' | 'down', frames: (message: Message) => Frames])[] = [
  ['twice', 'up', (message) => [enveloped(message), enveloped(message, 99)]],
  ['after a text frame', 'up', (message) => ['hello', enveloped(message)]],
  ['after an empty frame', 'up', (message) => [Buffer.of(), enveloped(message)]],
  ['after a reply with a wrong id', 'up', (message) => [enveloped({ ...message, id: 4000 }, 99), enveloped(message)]],
  ['under the generic key', 'up', ({ id }) => [bytesOf(new Map<number, CborValue>([...idOf(id), [7, documentWith(12.5)]]))]],
  [
    'with unknown keys',
    'up',
    ({ id }) => [bytesOf(new Map<number, CborValue>([...idOf(id), [1, documentWith(12.5)], [100, 'x'], [200, [1]]]))],
  ],
  ['as an error text', 'down', ({ id }) => [bytesOf(encodeEnvelope({ kind: 'error', message: 'failed' }, id))]],
  ['without data', 'down', ({ id }) => [bytesOf(new Map(idOf(id)))]],
  ['as a bare document although the request had an id', 'down', () => [bytesOf(documentWith(12.5))]],
  ['as malformed CBOR', 'down', () => [Buffer.from('ff00', 'hex')]],
  ['that is truncated', 'down', (message) => [enveloped(message).subarray(0, 40)]],
  ['as a text frame', 'down', () => ['{"stats":{}}']],
  ['with a wrong id', 'down', (message) => [enveloped({ ...message, id: 4000 })]],
  ['never', 'down', () => []],
]
const idOf = (id: number | undefined): readonly (readonly [number, CborValue])[] => (id === undefined ? [] : [[0, id]])

for (const kind of databases) {
  test(`${kind.name}: agents authenticate with the recorded bytes and are enrolled as recorded`, { timeout: 300_000 }, async (t) => {
    await using fleet = await fleetOn(kind, shortDeadlines, { privateKey: recordedKey })
    const owner = { email: 'owner@example.com', password: 'x', username: 'owner', role: 'admin', verified: true }
    const { id: user } = await fleet.write((unit) => fleet.records.insert(unit, 'users', owner))
    await fleet.write((unit) => fleet.records.insert(unit, 'universal_tokens', { user, token: 'universal-token-0001' }))
    await systemWithToken(fleet, 'regular-token-0001')
    let token = ''
    for (const one of cases) {
      token = one.token ?? token
      await t.test(one.case, async () => {
        const known = new Set((await fleet.records.loadWhere('systems', {})).map(({ id }) => id))
        const agent = framingAgent({
          url: fleet.url,
          token,
          answer: (message) => [message.request.action === 'fingerprint' ? frameOf(one, 'fingerprint') : frameOf(one, 'data')],
        })
        if (one.case.includes('empty fingerprint') && one.case.startsWith('universal')) {
          assert.deepEqual(await agent.closedWith, { code: 1000, reason: 'empty fingerprint' })
          return
        }
        await fleet.seen(({ collection, record }) => collection === 'systems' && record['status'] === 'up')
        fleet.forget()
        // The drives are requested in the background, a moment later.
        const asked = one.events.flatMap(({ from, frame, payload_hex: sent = '' }) =>
          from === 'hub' && frame === 'binary' && !sent.startsWith('a20004') ? [sent] : [],
        )
        assert.deepEqual(agent.received.slice(0, asked.length).map(hex), asked)
        const created = (await fleet.records.loadWhere('systems', {})).filter(({ id }) => !known.has(id))
        const facts = created.map(({ name, host, port }) => ({ name, host, port }))
        assert.deepEqual(
          facts,
          (one.systems_created ?? []).map(({ name, host, port }) => ({ name, host, port })),
        )
        agent.close()
        await agent.closedWith
      })
    }
  })

  test(`${kind.name}: a reply over WebSocket is accepted or refused by its content`, { timeout: 300_000 }, async (t) => {
    await using fleet = await fleetOn(kind, shortDeadlines)
    for (const [name, expected, frames] of replies) {
      await t.test(`a reply ${name}`, async () => {
        const token = `token for ${name}`
        const system = await systemWithToken(fleet, token)
        const agent = framingAgent({
          url: fleet.url,
          token,
          answer: (message) => (message.request.action === 'fingerprint' ? [enveloped(message)] : frames(message)),
        })
        // A reply that cannot be used ends the connection.
        if (expected === 'up') await fleet.status(system.id, 'up')
        else assert.equal((await agent.closedWith).code, 1000)
        assert.deepEqual(await storedCpu(fleet, system.id), expected === 'up' ? [12.5] : [])
        agent.close()
        await fleet.remove(system.id)
      })
    }
  })

  for (const [generation, answer] of [
    ['0.12.12', bare],
    ['0.18.8', enveloped],
  ] as const) {
    test(`${kind.name}: an extra reply of an agent ${generation} is never stored as the next sample`, { timeout: 300_000 }, async () => {
      await using fleet = await fleetOn(kind)
      const system = await systemWithToken(fleet, 'extra-replies')
      let polls = 0
      const agent = framingAgent({
        url: fleet.url,
        token: 'extra-replies',
        version: generation,
        answer(message) {
          if (message.request.action !== 'data') return [answer(message)]
          polls++
          return [answer(message, 10 * polls), answer(message, 10 * polls + 1)]
        },
      })
      await fleet.status(system.id, 'up')
      agent.send([answer({ id: 4000, request: { action: 'data', cacheTimeMs: 0 } }, 77)])
      await agent.wasHeard()
      await pollAgain(fleet, system.id)
      assert.deepEqual(await storedCpu(fleet, system.id), [10, 20])
      agent.close()
    })
  }

  for (const [generation, answer] of [
    ['0.12.12', bare],
    ['0.18.8', enveloped],
  ] as const) {
    test(`${kind.name}: a late reply of an agent ${generation} is accepted on the same connection`, { timeout: 300_000 }, async () => {
      await using fleet = await fleetOn(kind, shortDeadlines)
      const system = await systemWithToken(fleet, 'late-answers')
      const asked: Message[] = []
      const agent = framingAgent({
        url: fleet.url,
        token: 'late-answers',
        version: generation,
        answer(message) {
          if (message.request.action !== 'data') return [answer(message)]
          asked.push(message)
          const [first, late, again] = asked
          if (message === first) return [answer(first, 11)]
          return late && message === again ? [answer(late, 33)] : []
        },
      })
      await fleet.status(system.id, 'up')
      await pollAgain(fleet, system.id)
      assert.deepEqual(await storedCpu(fleet, system.id), [11, 33])
      assert.equal(asked.length, 3)
      agent.close()
    })
  }

  test(`${kind.name}: a hub that stops sends its agents a close reason`, { timeout: 300_000 }, async () => {
    await using fleet = await fleetOn(kind)
    const system = await systemWithToken(fleet, 'farewell-token')
    const agent = framingAgent({ url: fleet.url, token: 'farewell-token', answer: (message) => [enveloped(message)] })
    await fleet.status(system.id, 'up')
    const silent = framingAgent({ url: fleet.url, token: 'farewell-token', answer: () => [] })
    await fleet.fleet.close()
    assert.deepEqual(await agent.closedWith, { code: 1001, reason: 'the hub is stopping' })
    assert.ok([1001, 1006].includes((await silent.closedWith).code), 'one that was not let in yet')
  })

  for (const [change, values] of [
    ['token is rotated', { token: 'another-token' }],
    ['fingerprint is cleared', { fingerprint: '' }],
  ] as const) {
    test(`${kind.name}: an agent loses its connection when its ${change}`, { timeout: 300_000 }, async () => {
      await using fleet = await fleetOn(kind)
      const system = await systemWithToken(fleet, 'first-token')
      const agent = framingAgent({ url: fleet.url, token: 'first-token', answer: (message) => [enveloped(message)] })
      await fleet.status(system.id, 'up')
      const [row] = await fleet.records.loadWhere('fingerprints', { system: system.id })
      await fleet.write((unit) => fleet.records.update(unit, 'fingerprints', row?.id ?? '', values))
      assert.deepEqual(await agent.closedWith, { code: 1000, reason: '' })
    })
  }

  test(
    `${kind.name}: two machines with one fingerprint do not replace each other endlessly, and the system shows the reason`,
    { timeout: 300_000 },
    async () => {
      await using fleet = await fleetOn(kind)
      const system = await systemWithToken(fleet, 'cloned-token')
      const connect = () => framingAgent({ url: fleet.url, token: 'cloned-token', answer: (message) => [enveloped(message)] })
      const agents = []
      for (let count = 0; count < 4; count++) {
        agents.push(connect())
        if (count < 3) await fleet.status(system.id, 'up')
      }
      const [first, second, third, fourth] = agents
      assert.deepEqual(await first?.closedWith, { code: 1000, reason: '' })
      assert.deepEqual(await second?.closedWith, { code: 1000, reason: '' })
      assert.deepEqual(await fourth?.closedWith, { code: 1000, reason: 'another agent with this fingerprint is connected' })
      await pollAgain(fleet, system.id)
      const stored = await fleet.records.load('systems', system.id)
      assert.ok(stored)
      assert.match(String((stored['info'] as Record<string, Json>)['why']), /^Two agents with the same token and fingerprint/)
      third?.close()
    },
  )

  test(`${kind.name}: an agent with an empty fingerprint is refused, and its token stays unclaimed`, { timeout: 300_000 }, async () => {
    await using fleet = await fleetOn(kind)
    const system = await systemWithToken(fleet, 'open-door')
    const empty = ({ id }: Message) => [bytesOf(encodeEnvelope({ kind: 'identity', identity: { fingerprint: '' } }, id))]
    const agent = framingAgent({ url: fleet.url, token: 'open-door', answer: empty })
    assert.deepEqual(await agent.closedWith, { code: 1000, reason: 'empty fingerprint' })
    const down = await fleet.status(system.id, 'down')
    assert.match(String((down['info'] as Record<string, Json>)['why']), /empty fingerprint|Nothing listens/)
    assert.equal((await fleet.records.loadWhere('fingerprints', { system: system.id }))[0]?.['fingerprint'], '')
  })

  test(`${kind.name}: two self-enrolled machines with the same name become separate systems`, { timeout: 300_000 }, async () => {
    await using fleet = await fleetOn(kind)
    const { id: user } = await fleet.write((unit) =>
      fleet.records.insert(unit, 'users', { email: 'a@example.com', password: 'x', username: 'aaa', role: 'user', verified: true }),
    )
    await fleet.write((unit) => fleet.records.insert(unit, 'universal_tokens', { user, token: 'universal-token' }))
    const names: Json[] = []
    for (const fingerprint of ['machine-one', 'machine-two']) {
      const who = { fingerprint, hostname: 'web' }
      const agent = framingAgent({
        url: fleet.url,
        token: 'universal-token',
        answer: (message) =>
          message.request.action === 'fingerprint'
            ? [bytesOf(encodeEnvelope({ kind: 'identity', identity: who }, message.id))]
            : [enveloped(message)],
      })
      const { record } = await fleet.seen(({ collection, record: { status } }) => collection === 'systems' && status === 'up')
      names.push(record['name'] ?? null)
      fleet.forget()
      agent.close()
      await agent.closedWith
    }
    assert.deepEqual(names, ['web', 'web (2)'])
  })
}
