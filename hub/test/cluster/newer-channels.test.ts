import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { encodeDocument } from '@vedette/protocol/wire/document-encode'
import { encodeEnvelope } from '@vedette/protocol/wire/envelope'
import { startHubProcess } from '../hub-process.ts'
import { call, hubsOfOneDatabase, signIn, until } from '../hubs-of-one-database.ts'
import { httpPeer } from '../http-peer.ts'
import { startNatsServer, withNats } from '../nats-server.ts'
import { behavingSshAgent, bytesOf, finish, machineSample } from '../scripted-agent.ts'
import { NEWER_CHANNEL, newerBuild } from './newer-build.ts'

test(
  'an older hub leaves a delivery to an unknown kind of channel to a newer hub, which sends it',
  { timeout: 240_000, ...withNats },
  async () => {
    using newer = newerBuild()
    await using nats = await startNatsServer()
    await using hubs = await hubsOfOneDatabase(nats.url)
    await using receiver = await httpPeer()
    // The newer hub is killed, as in a restart of its machine.
    // The server of the tests is newer than the `pg_dump` of most machines.
    const flags = [...hubs.flags(), '--upgrade-without-backup', 'true']
    const startNewer = () => startHubProcess([...flags, '--data', join(hubs.folder, 'newer'), '--hub-name', 'newer'], {}, newer.program)
    const first = await startNewer()
    first.kill('SIGKILL')
    await first.ended

    const hub = await hubs.start('older')
    const { token, id: user } = await signIn(hub)
    const ask = async (request: string, body?: object) => {
      const answer = await call(hub, token, request, body)
      assert.ok(answer.status < 300, `${request}: ${answer.status}`)
      return answer.body
    }
    const addresses = [NEWER_CHANNEL, 'gotify'].map((scheme) => `${scheme}://127.0.0.1:${receiver.port}/AzyoeNS.D4iJLVa?disabletls=yes`)
    const { id } = await ask('POST /api/collections/user_settings/records', { user })
    await ask(`PATCH /api/collections/user_settings/records/${String(id)}`, { settings: { emails: [], webhooks: addresses } })
    const { key } = await ask('GET /api/beszel/getkey')
    const { promise: alertIsSet, resolve: measure } = Promise.withResolvers<void>()
    const document = encodeDocument({ ...machineSample, cpu: { busyPercent: 97 } })
    await using agent = await behavingSshAgent(String(key), {
      behave: async (channel, asked) => {
        await asked
        await alertIsSet
        finish(channel, bytesOf(encodeEnvelope({ kind: 'document', document })))
      },
    })
    const system = { name: 'web', host: '127.0.0.1', port: String(agent.port), users: [user] }
    const created = await ask('POST /api/collections/systems/records', system)
    await ask('POST /api/collections/alerts/records', { user, system: created['id'] ?? '', name: 'CPU', value: 80, min: 1 })
    measure()

    const deliveries = async () => {
      const { items } = await ask('GET /api/vedette/deliveries')
      const all = items as unknown as readonly { readonly channel: string; readonly state: string; readonly attempts: number }[] // a page
      return new Map(all.map(({ channel, state, attempts }) => [channel, { state, attempts }]))
    }
    const decided = await until(deliveries, (found) => {
      const left = found.get(NEWER_CHANNEL)
      return found.get('Gotify')?.state === 'delivered' && (left?.state !== 'waiting' || left.attempts === 0)
    })
    assert.deepEqual(decided.get(NEWER_CHANNEL), { state: 'waiting', attempts: 0 })
    assert.equal(receiver.received.length, 1)

    const second = await startNewer()
    await until(deliveries, (found) => found.get(NEWER_CHANNEL)?.state === 'delivered')
    assert.equal(receiver.received.length, 2)
    assert.equal(receiver.received[0]?.body, receiver.received[1]?.body)
    second.kill('SIGTERM')
    assert.equal(await second.ended, 0)
  },
)
