import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { Message } from '@vedette/protocol/wire/request'
import type { Reply } from '@vedette/protocol/wire/envelope'
import { agentsOfHubs, type SystemOwners } from '../../src/fleet/agents-of-hubs.ts'
import { standardDeadlines } from '../../src/fleet/session/deadlines.ts'
import { parseNatsAddress } from '../../src/platform/cluster/nats-address.ts'
import { openNatsMessages } from '../../src/platform/cluster/nats-messages.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { secretBox } from '../../src/platform/secrets/secret-box.ts'
import { collectedLog } from '../collected-log.ts'
import { databases, silentLog } from '../databases.ts'
import { startNatsServer, withNats } from '../nats-server.ts'
import { fleetOn } from '../running-fleet.ts'
import { answering, behavingSshAgent, documentReply, machineSample } from '../scripted-agent.ts'

const [sqlite] = databases
assert.ok(sqlite)
const key = randomBytes(32)

type Hub = { readonly name: string; readonly owners: SystemOwners; readonly secretKey?: Buffer }

/** A hub with its own fleet. */
async function openHub(stack: AsyncDisposableStack, natsUrl: string, { name, owners, secretKey = key }: Hub) {
  assert.ok(sqlite)
  const fleet = stack.use(await fleetOn(sqlite))
  const messages = await openNatsMessages({
    address: parseNatsAddress(natsUrl),
    database: 'db',
    hub: name,
    name,
    log: silentLog,
    clock: systemClock,
  })
  stack.defer(messages.close)
  const { log, lines } = collectedLog()
  const parts = { own: fleet.fleet, owners, messages, secrets: secretBox(secretKey), deadlines: standardDeadlines, log }
  return { ...fleet, messages, lines, agents: stack.use(agentsOfHubs(parts)) }
}

const ownsAll: SystemOwners = { owns: () => true, ownerOf: async () => undefined }
const ofHub = (hub: string): SystemOwners => ({ owns: () => false, ownerOf: async () => hub })

/** An agent with a container and its log. */
const longLog = 'a line of a log\n'.repeat(5_000)
function answer({ request }: Message): Reply {
  if (request.action === 'container-logs') return { kind: 'text', text: longLog }
  if (request.action === 'container-inspect') return { kind: 'error', message: `no container ${request.containerId}` }
  return documentReply(machineSample)
}

test('agentsOfHubs: a request for an agent of another hub gets the response of that hub', { timeout: 300_000, ...withNats }, async () => {
  await using stack = new AsyncDisposableStack()
  const nats = stack.use(await startNatsServer())
  const a = await openHub(stack, nats.url, { name: 'a', owners: ownsAll })
  const b = await openHub(stack, nats.url, { name: 'b', owners: ofHub('a') })
  const agent = stack.use(await behavingSshAgent(a.key.publicLine, { behave: answering(answer) }))
  const { id } = await a.addSystem({ host: '127.0.0.1', port: String(agent.port) })
  await a.status(id, 'up')

  assert.deepEqual(await b.agents.ask(id, { action: 'container-logs', containerId: 'c1' }), {
    ok: true,
    value: { kind: 'text', text: longLog },
  })
  assert.deepEqual(
    await b.agents.ask(id, { action: 'container-inspect', containerId: 'c1' }),
    await a.agents.ask(id, { action: 'container-inspect', containerId: 'c1' }),
  )
  assert.deepEqual(await b.agents.readDrives(id), await a.agents.readDrives(id))
  assert.deepEqual(await b.agents.acceptHostKey(id), { ok: true, value: false })
  assert.deepEqual(await b.agents.fetchLive(id, 1000), await a.agents.fetchLive(id, 1000))
  assert.equal(await b.agents.fetchLive('unknown', 1000), undefined)
  assert.deepEqual(await b.agents.ask('unknown', { action: 'diagnosis' }), await a.agents.ask('unknown', { action: 'diagnosis' }))
})

test(
  'agentsOfHubs: a request fails with a reason if the owner does not respond or has another secret key',
  { timeout: 300_000, ...withNats },
  async () => {
    await using stack = new AsyncDisposableStack()
    const nats = stack.use(await startNatsServer())
    const b = await openHub(stack, nats.url, { name: 'b', owners: ofHub('gone') })
    const away = { ok: false, reason: 'The hub that polls this system does not respond; try again in a few seconds' } as const
    assert.deepEqual(await b.agents.ask('s', { action: 'diagnosis' }), away)
    assert.deepEqual(await b.agents.readDrives('s'), away)
    assert.deepEqual(await b.agents.acceptHostKey('s'), away)
    await assert.rejects(b.agents.fetchLive('s', 1000), { name: 'AgentUnavailable', message: away.reason })
    await openHub(stack, nats.url, { name: 'gone', owners: ownsAll, secretKey: randomBytes(32) })
    assert.deepEqual(await b.agents.ask('s', { action: 'diagnosis' }), away)
  },
)

test('agentsOfHubs: a request of a newer hub is refused with a reason and one log line', { timeout: 300_000, ...withNats }, async () => {
  await using stack = new AsyncDisposableStack()
  const nats = stack.use(await startNatsServer())
  const a = await openHub(stack, nats.url, { name: 'a', owners: ownsAll })
  const b = await openHub(stack, nats.url, { name: 'b', owners: ofHub('a') })
  const secrets = secretBox(key)
  const ask = async (question: object): Promise<unknown> => {
    const response = await b.messages.ask('a', 'agents', secrets.seal('hubs.agents', JSON.stringify(question)), AbortSignal.timeout(10_000))
    return JSON.parse(secrets.open('hubs.agents', String(response)))
  }
  const unknown = { isOk: false, reason: 'The hub that polls this system does not know this request; its version is older' }
  assert.deepEqual(await ask({ kind: 'restart', system: 's' }), unknown)
  assert.deepEqual(await ask({ kind: 'restart', system: 's' }), unknown)
  assert.deepEqual(await ask({ kind: 'ask', system: 's', request: '' }), unknown)
  assert.deepEqual(await ask({ kind: 'accept host key', system: 's', reason: 'new' }), { isOk: true, isAccepted: false })
  assert.deepEqual(a.lines, ['requests of another hub refused: this version cannot read them'])
})
