import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { roundsOf } from '../longer-runs.ts'
import { withNats } from '../nats-server.ts'
import { addProcessorAlerts, TOKEN } from './agents-of-all.ts'
import { assertNothingLostOrDoubled } from './fault-invariants.ts'
import { connectAgent, topicOf } from './live-agent.ts'
import { newerBuild, NEWER_VERSION } from './newer-build.ts'
import { numberedAgent } from './numbered-agent.ts'
import { rollingHubs, type RollingHub } from './rolling-hubs.ts'
import { everyAgentIsStored, settled, untilAgents } from './settled-agents.ts'

const AGENTS = 12
const SYSTEMS = '/api/collections/systems/records'
/** The test starts five hubs. */
const ROUNDS = roundsOf({ short: 0, long: 1, soak: 10 })

test('newerBuild builds a newer hub from these sources', () => {
  using newer = newerBuild()
  assert.equal(execFileSync(process.execPath, [newer.program, '--version'], { encoding: 'utf8' }), `${NEWER_VERSION}\n`)
})

for (let round = 0; round < ROUNDS; round++)
  test(`two hubs are upgraded one after the other without a gap in the samples (${round})`, { timeout: 400_000, ...withNats }, async () => {
    using newer = newerBuild()
    await using hubs = await rollingHubs()
    const { a, b, audit } = hubs
    const admin = await hubs.start()
    await using stack = new AsyncDisposableStack()
    const agents = Array.from({ length: AGENTS }, (_, place) => {
      const agent = numberedAgent({ name: `machine ${place}`, token: TOKEN, hubs: [a, b], first: place })
      stack.defer(agent.stop)
      return agent
    })
    await untilAgents(agents, ({ answers }) => answers.length > 0)
    const systems = await addProcessorAlerts({ address: a.address() ?? '' }, admin)
    assert.equal(systems.size, AGENTS)

    await a.restart(newer.program)
    assert.deepEqual(await b.versions(), { a: NEWER_VERSION, b: VEDETTE_VERSION })
    // Half of the agents dial the other hub, so that both hubs have agents.
    for (const agent of agents.slice(0, AGENTS / 2)) agent.redial()
    await settled(audit, agents)
    assert.deepEqual(new Set((await audit.owners()).values()), new Set(['a', 'b']))
    await assertLive({ owner: a, viewer: b, name: 'of-newer', userId: admin.id })
    await assertLive({ owner: b, viewer: a, name: 'of-older', userId: admin.id })

    await b.restart()
    assert.deepEqual(await a.versions(), { a: NEWER_VERSION, b: VEDETTE_VERSION })
    await everyAgentIsStored(audit, agents)
    await b.restart(newer.program)
    assert.deepEqual(await a.versions(), { a: NEWER_VERSION, b: NEWER_VERSION })
    await settled(audit, agents)
    await everyAgentIsStored(audit, agents)
    await assertNothingLostOrDoubled({ hubs, agents, systems, outages: [] })
    assert.equal(hubs.complaints(), '')
  })

type Live = { readonly owner: RollingHub; readonly viewer: RollingHub; readonly name: string; readonly userId: string }

/** Checks that a system is live on the hub that does not poll it: status, samples, live view, logs and changes. */
async function assertLive({ owner, viewer, name, userId }: Live): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const { body } = await owner.call(`POST ${SYSTEMS}`, { name, host: '127.0.0.1', port: '1', users: [userId] })
  const id = String(body['id'])
  const { status } = await owner.call('POST /api/collections/fingerprints/records', { system: id, token: `token-of-${name}` })
  assert.equal(status, 200)
  const stream = stack.use(await viewer.stream([`systems/${id}`, 'system_stats/*', `history/${id}`, topicOf(id)], owner.address()))
  const seen = [
    stream.next((event) => event.includes('"status":"up"') && event.includes('"cpu":44,')),
    stream.next((event) => /event:system_stats/.test(event) && event.includes('"cpu":44,')),
    stream.next((event) => event.includes(`event:history/${id}`)),
    stream.next((event) => event.includes('event:rt_metrics')),
  ]
  stack.defer(connectAgent(owner.address() ?? '', 44, name).close)
  await Promise.all(seen)
  const logs = await viewer.call(`GET /api/beszel/containers/logs?system=${id}&container=abcdef012345`)
  assert.deepEqual(logs.body, { logs: 'log of abcdef012345' })
  const renamed = stream.next((event) => event.includes(`"name":"renamed ${name}"`))
  assert.equal((await owner.call(`PATCH ${SYSTEMS}/${id}`, { name: `renamed ${name}` })).status, 200)
  await renamed
  const deleted = stream.next((event) => event.includes('"action":"delete"'))
  assert.equal((await owner.call(`DELETE ${SYSTEMS}/${id}`)).status, 204)
  await deleted
}
