import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeDocument } from '@vedette/protocol/wire/document-encode'
import { encodeEnvelope } from '@vedette/protocol/wire/envelope'
import { AGENT_CONNECT_PATH } from '../../src/fleet/fleet.ts'
import { lendToken, TOKEN } from '../cluster/agents-of-all.ts'
import { framingAgent } from '../framing-agent.ts'
import { call, hubsOfOneDatabase, signIn, until } from '../hubs-of-one-database.ts'
import { startNatsServer, withNats } from '../nats-server.ts'
import { bytesOf, machineSample } from '../scripted-agent.ts'

type Hub = { readonly address: string }

/** Connects a machine with the same token and fingerprint as all others. Resolves when the hub has polled it, or has refused it. */
async function connectClone({ address }: Hub) {
  const { promise: wasPolled, resolve } = Promise.withResolvers<void>()
  const agent = framingAgent({
    url: `${address.replace('http', 'ws')}${AGENT_CONNECT_PATH}`,
    token: TOKEN,
    answer({ request, id }) {
      if (request.action === 'fingerprint')
        return [bytesOf(encodeEnvelope({ kind: 'identity', identity: { fingerprint: 'cloned disk', hostname: 'clone' } }, id))]
      resolve()
      return [bytesOf(encodeEnvelope({ kind: 'document', document: encodeDocument(machineSample) }, id))]
    },
  })
  await Promise.race([wasPolled, agent.closedWith])
  return agent
}

test(
  'two machines with one fingerprint on two hubs do not replace each other endlessly, and the system shows the reason',
  { timeout: 300_000, ...withNats },
  async () => {
    await using nats = await startNatsServer()
    await using hubs = await hubsOfOneDatabase(nats.url)
    const [a, b] = [await hubs.start('a'), await hubs.start('b')]
    const { token } = await signIn(a)
    await lendToken(a, token)

    const first = await connectClone(a)
    const second = await connectClone(b)
    assert.deepEqual(await first.closedWith, { code: 1001, reason: 'another hub polls this system' })
    const third = await connectClone(a)
    assert.deepEqual(await second.closedWith, { code: 1001, reason: 'another hub polls this system' })
    const fourth = await connectClone(b)
    const ended = await Promise.race([fourth.closedWith, third.closedWith])
    assert.deepEqual(ended, { code: 1000, reason: 'another agent with this fingerprint is connected' })

    const systems = async () => {
      const { body } = await call(b, token, 'GET /api/collections/systems/records')
      return body['items'] as unknown as readonly {
        readonly id: string
        readonly status: string
        readonly info: { readonly why?: string }
      }[] // a page
    }
    // A sample is stored after the agent's response.
    const [system] = await until(systems, ([one]) => one?.status === 'up')
    // The next poll reports it. The end of a pause triggers a poll.
    for (const status of ['paused', 'pending']) await call(a, token, `PATCH /api/collections/systems/records/${system?.id}`, { status })
    const [told] = await until(systems, ([one]) => one?.info.why !== undefined)
    assert.match(told?.info.why ?? '', /^Two agents with the same token and fingerprint connect as this system .*; only one is heard/)
    third.close()
  },
)
