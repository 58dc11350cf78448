import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { encodeEnvelope } from '@vedette/protocol/wire/envelope'
import { sql } from 'kysely'
import { WebSocket } from 'ws'
import { AGENT_CONNECT_PATH } from '../../src/fleet/fleet.ts'
import { historyStore } from '../../src/history/history-store.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { databases, silentLog } from '../databases.ts'
import { startHubProcess, type HubProcess } from '../hub-process.ts'
import { makeMemoryFolder } from '../memory-folder.ts'
import { bytesOf, documentReply, machineSample, readMessage } from '../scripted-agent.ts'
import { storedSamples } from '../stored-samples.ts'
import { engineOn } from '../test-engine.ts'

const postgres = databases.find(({ name }) => name === 'postgres')
assert.ok(postgres)

const admin = { identity: 'admin@example.com', password: 'correct-horse-1' }
const environment = { VEDETTE_ADMIN_EMAIL: admin.identity, VEDETTE_ADMIN_PASSWORD: admin.password }
const TOKEN = 'token-of-all-agents'
/** Connect timeout of an agent, which then tries the next hub. */
const CONNECT_MS = 2000

type Agent = {
  readonly name: string
  /** Numbers of the agent's measurements so far. */
  readonly measured: () => number
  /** The hub to which the agent is connected. */
  readonly at: () => HubProcess | undefined
  /** Holds the next response until `release` is called. `requested` resolves when the hub has sent the request. */
  readonly holdBack: () => { readonly requested: Promise<void>; readonly release: () => void }
  readonly stop: () => void
}

/** An agent that dials the hubs in turn, as behind a load balancer without health checks. It numbers its measurements. */
function agentOf(name: string, hubs: readonly HubProcess[], first: number): Agent {
  let measured = 0
  let held: { readonly requested: () => void; readonly sent: Promise<void> } | undefined
  let socket: WebSocket | undefined
  let at: HubProcess | undefined
  let isStopped = false

  function dial(turn: number): void {
    const hub = hubs[turn % hubs.length]
    if (hub === undefined || isStopped) return
    const headers = { 'X-Token': TOKEN, 'X-Beszel': '0.18.8' }
    const url = `${hub.address.replace('http', 'ws')}${AGENT_CONNECT_PATH}`
    socket = new WebSocket(url, { headers, perMessageDeflate: false, handshakeTimeout: CONNECT_MS })
    socket.on('error', () => {})
    socket.on('close', () => {
      at = undefined
      dial(turn + 1)
    })
    const current = socket
    current.on('message', (data: Buffer) => {
      const { id, request } = readMessage(data)
      if (request.action === 'fingerprint') {
        at = hub
        current.send(bytesOf(encodeEnvelope({ kind: 'identity', identity: { fingerprint: `fingerprint of ${name}`, hostname: name } }, id)))
        return
      }
      if (request.action !== 'data') return current.send(bytesOf(encodeEnvelope({ kind: 'error', message: 'not supported' }, id)))
      const sample = { ...machineSample, uptimeSeconds: ++measured, takenAtMs: Date.now() }
      const send = (): void => current.send(bytesOf(encodeEnvelope(documentReply({ ...sample, cpu: { busyPercent: measured } }), id)))
      const hold = held
      held = undefined
      hold?.requested()
      if (hold === undefined) send()
      else void hold.sent.then(send)
    })
  }

  dial(first)
  return {
    name,
    measured: () => measured,
    at: () => at,
    holdBack() {
      const { promise: requested, resolve: ask } = Promise.withResolvers<void>()
      const { promise: sent, resolve: release } = Promise.withResolvers<void>()
      held = { requested: ask, sent }
      return { requested, release }
    },
    stop() {
      isStopped = true
      socket?.terminate()
    },
  }
}

/** Two hub processes on one PostgreSQL database. Their NATS server is unreachable. */
async function twoHubs() {
  assert.ok(postgres)
  const stack = new AsyncDisposableStack()
  const { at } = stack.use(await postgres.ready())
  assert.ok('url' in at)
  const data = makeMemoryFolder('vedette-several-')
  stack.defer(() => rmSync(data, { recursive: true, force: true }))
  const database = stack.adopt(await openDatabase({ at, bus: inProcessEventBus(), log: silentLog }), ({ close }) => close())
  const records = engineOn(database).store
  const hubs: HubProcess[] = []
  for (const name of ['a', 'b']) {
    const flags = ['--data', join(data, name), '--database', at.url, '--hub-name', name, '--nats', 'nats://127.0.0.1:1']
    const hub = await startHubProcess([...flags, '--secret-key', 'one key for all hubs of a database'], environment)
    stack.defer(async () => {
      hub.kill('SIGKILL')
      await hub.ended
    })
    hubs.push(hub)
  }
  const [a, b] = hubs
  assert.ok(a && b)
  await lendToken(a)
  const agents: Agent[] = []
  stack.defer(() => agents.forEach((agent) => agent.stop()))

  async function systemOf(name: string): Promise<string | undefined> {
    const [record] = await records.loadWhere('systems', { name })
    return record?.id
  }

  return {
    a,
    b,
    agent(name: string, first: HubProcess) {
      const agent = agentOf(name, [first, first === a ? b : a], 0)
      agents.push(agent)
      return agent
    },
    /** Numbers of an agent's stored measurements, in order of time. */
    async stored(name: string): Promise<readonly (number | undefined)[]> {
      const system = await systemOf(name)
      // A new store, because a store caches the rows that it has read and written.
      const history = historyStore({ db: database, clock: systemClock, bus: inProcessEventBus(), log: silentLog })
      const samples = system === undefined ? [] : await storedSamples(history, 'system', system)
      return samples.map(({ values }) => values['cpu.busyPercent'])
    },
    /** Name of the hub that owns the agent's system. */
    async owner(name: string): Promise<string | undefined> {
      const system = (await systemOf(name)) ?? ''
      const { rows } = await sql<{ name: string }>`select hubs.name from hubs join system_leases on hubs.id = hub
        where system = ${system}`.execute(database.kysely)
      return rows[0]?.name
    },
    eventsOf: (kind: string) => database.kysely.selectFrom('system_events').selectAll().where('kind', '=', kind).execute(),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

async function lendToken({ address }: HubProcess): Promise<void> {
  const signedIn = await fetch(`${address}/api/collections/users/auth-with-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  })
  const { token } = (await signedIn.json()) as { token: string } // of a session
  const headers = { authorization: token }
  const lent = await fetch(`${address}/api/beszel/universal-token?enable=1&permanent=1&token=${TOKEN}`, { headers })
  assert.equal(lent.status, 200)
}

/** Polls until the condition holds. The test's own timeout is the limit. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo()));
}

function assertNoneTwice(numbers: readonly (number | undefined)[]): void {
  assert.deepEqual([...new Set(numbers)], numbers, 'a sample was stored twice')
}

test(
  'after a hub is killed, the other hub polls its agents, stores no sample twice and marks no system down',
  { timeout: 300_000 },
  async () => {
    await using hubs = await twoHubs()
    const names = Array.from({ length: 6 }, (_, index) => `machine ${index}`)
    const agents = names.map((name, index) => hubs.agent(name, index % 2 === 0 ? hubs.a : hubs.b))
    for (const { name } of agents) await until(async () => (await hubs.stored(name)).length > 0)
    const moved = agents.filter((agent) => agent.at() === hubs.a)
    assert.equal(moved.length, 3)
    for (const { name } of moved) assert.equal(await hubs.owner(name), 'a')
    const before = new Map(moved.map((agent) => [agent, agent.measured()]))
    hubs.a.kill('SIGKILL')
    await hubs.a.ended
    for (const agent of moved)
      await until(async () => (await hubs.stored(agent.name)).some((number) => (number ?? 0) > (before.get(agent) ?? 0)))
    for (const { name } of agents) {
      assert.equal(await hubs.owner(name), 'b')
      assertNoneTwice(await hubs.stored(name))
    }
    assert.deepEqual(await hubs.eventsOf('down'), [])
  },
)

test('a sample of a hub that was frozen for longer than its leases is dropped', { timeout: 300_000 }, async () => {
  await using hubs = await twoHubs()
  const agent = hubs.agent('machine', hubs.a)
  const { requested, release } = agent.holdBack()
  await requested
  process.kill(hubs.a.pid, 'SIGSTOP')
  release()
  const late = agent.measured()
  await until(async () => (await hubs.owner('machine')) === 'b')
  process.kill(hubs.a.pid, 'SIGCONT')
  await until(async () => (await hubs.stored('machine')).some((number) => (number ?? 0) > late))
  const stored = await hubs.stored('machine')
  assert.ok(!stored.includes(late))
  assertNoneTwice(stored)
  assert.deepEqual(await hubs.eventsOf('down'), [])
  assert.equal(hubs.a.complaints(), '')
})
