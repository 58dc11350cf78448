import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { watchAlerts } from '../../src/alerts/rules/alert-watch.ts'
import { leasedOwnership } from '../../src/fleet/ownership/leased-ownership.ts'
import { historyStore } from '../../src/history/history-store.ts'
import { joinHubs } from '../../src/platform/cluster/membership.ts'
import type { RecordValues } from '../../src/records/model/record-store.ts'
import { samplePipeline } from '../../src/samples/sample-pipeline.ts'
import { databases, silentLog } from '../databases.ts'
import { explainedPlans, statementsOf, type ExplainedPlan, type PlanNode } from '../explained-plans.ts'
import { messagesInMemory } from '../messages-in-memory.ts'
import { machineSample } from '../scripted-agent.ts'
import { engineOn } from '../test-engine.ts'
import { systemClock } from '../../src/platform/clock.ts'

const postgres = databases.find(({ name }) => name === 'postgres')
assert.ok(postgres)

const START_MS = Date.UTC(2026, 0, 10, 12)
const SYSTEMS = 30
/** Tables with rows of each system. */
const BY_SYSTEM =
  /\b(systems|system_details|system_leases|containers|systemd_services|smart_devices|alerts|alerts_history|alert_states|incidents|notices)\b/
/** A row is found by its system, by its own id, or by the alert, user or hub to which it belongs. */
const KEYS = /\b(system|id|alert|owner|hub|"?user"?) = /

/**
 * Statements that find rows of a system only by the ids of the rows. A table that is distributed by system would need the system in
 * them, too.
 */
const withoutSystem = [
  ...['select', 'delete'].flatMap((verb) => [`${verb} containers`, `${verb} systemd_services`]),
  ...['select', 'update'].flatMap((verb) => [`${verb} alerts`, `${verb} alerts_history`]),
]

/** Systems with a container, a service and alerts, owned by several hubs. */
async function scene(stack: AsyncDisposableStack) {
  assert.ok(postgres)
  const { database, bus, at } = stack.use(await postgres.open())
  assert.ok('url' in at)
  let nowMs = START_MS
  const clock = { now: () => nowMs }
  const engine = engineOn(database, clock)
  const { store: records } = engine
  const insert = (collection: string, values: RecordValues) => database.write((unit) => records.insert(unit, collection, values))
  const owner = await insert('users', { email: 'user@example.com', username: 'user', role: 'user', verified: true, password: 'none' })
  const systems = await Promise.all(
    Array.from({ length: SYSTEMS }, (_, place) => insert('systems', { name: `m${place}`, status: 'up', users: [owner.id], info: {} })),
  )
  for (const { id: system } of systems)
    for (const name of ['CPU', 'Status']) await insert('alerts', { user: owner.id, system, name, value: 80, min: 1 })
  const membership = stack.use(await joinHubs({ database, log: silentLog, clock: systemClock, name: 'a', shares: true }))
  const messages = messagesInMemory().connect()
  const own = stack.use(await leasedOwnership({ database, membership, messages, bus, log: silentLog }))
  const history = historyStore({ db: database, clock, bus, log: silentLog, isShared: true })
  const alerts = stack.adopt(await watchAlerts({ engine, history, bus, log: silentLog }), ({ close }) => close())
  await alerts.recalled()
  const parts = { db: database, records, history, clock, bus, alerts, log: silentLog, fence: own.fence }
  const pipeline = stack.use(samplePipeline(parts))
  return {
    url: at.url,
    connect: () => own.claim(systems[0]?.id ?? ''),
    async poll(busyPercent: number, containerIds: readonly string[]): Promise<void> {
      nowMs += 60_000
      const outcomes = await Promise.all(
        systems.map(({ id }, place) => {
          const containers = containerIds.map((one) => ({
            id: `${one}${String(place).padStart(8, '0')}`,
            name: one,
            cpuPercent: busyPercent,
          }))
          const services = [
            { name: `${containerIds.join('')}.service`, state: 'active', subState: 'running', cpuPercent: busyPercent },
          ] as const
          const sample = { ...machineSample, cpu: { busyPercent }, containers, services }
          return pipeline.store({ system: id, receivedAtMs: nowMs, epoch: own.epochOf(id), sample })
        }),
      )
      assert.ok(outcomes.every(({ kind }) => kind === 'stored'))
    },
    async goDown(): Promise<void> {
      const previous = systems[0]
      assert.ok(previous)
      await database.write(async (unit) => {
        await records.update(unit, 'systems', previous.id, { status: 'down', info: {} })
        await alerts.wentDown(unit, previous, 'No answer')
      })
    },
  }
}

const isOfTable = (node: PlanNode): boolean => BY_SYSTEM.test(node['Relation Name'] ?? '') && node['Node Type'].endsWith('Scan')

/** The condition of a bitmap scan is on the node below it, which names no table. */
const isFoundByKey = (node: PlanNode): boolean =>
  node['Node Type'] === 'Bitmap Heap Scan'
    ? (node.Plans ?? []).some((below) => KEYS.test(below['Index Cond'] ?? ''))
    : KEYS.test(node['Index Cond'] ?? '')

/** A hub queries all systems and leases every few seconds, independently of polls. A slow test records these queries, too. */
const OF_ALL_SYSTEMS = /select count\(\*\) from systems\b|left join system_leases\b|^delete from system_leases where not exists/

/** Tables whose key is the system, or that have no column for it because their rows belong to an alert or a user. */
const NO_SYSTEM_COLUMN = /^(systems|system_details|alert_states|incidents|notices)$/

/** A short name such as `update containers`; `undefined` for a statement that names the system of its rows. */
function nameWithoutSystem({ text }: ExplainedPlan): string | undefined {
  const [, verb = ''] = /^\s*(\w+)/.exec(text) ?? []
  const [table = ''] = BY_SYSTEM.exec(text) ?? []
  const isNamed = /\bsystem\b/.test(text) || verb === 'insert' || NO_SYSTEM_COLUMN.test(table)
  return isNamed ? undefined : `${verb} ${table}`
}

test(
  'every statement of a poll, alert or lease uses a key that includes the system, except listed statements',
  { timeout: 300_000 },
  async (it) => {
    await using stack = new AsyncDisposableStack()
    const hub = await scene(stack)
    // The driver works normally, and its calls are recorded.
    const sent = it.mock.method(Client.prototype, 'query')
    await hub.connect()
    await hub.poll(1, ['aaaa'])
    await hub.poll(95, ['aaaa', 'bbbb'])
    await hub.poll(95, ['bbbb'])
    await hub.poll(2, ['bbbb'])
    await hub.goDown()
    await hub.poll(2, ['bbbb'])
    const statements = statementsOf(sent.mock.calls, BY_SYSTEM)
    sent.mock.restore()
    assert.ok(statements.size > 20, [...statements.keys()].join('\n'))
    const plans = await explainedPlans(hub.url, statements)
    for (const { text, nodes } of plans.filter(({ text }) => !OF_ALL_SYSTEMS.test(text)))
      for (const node of nodes.filter(isOfTable)) assert.ok(isFoundByKey(node), `reads a whole table: ${text}\n${JSON.stringify(node)}`)
    const found = new Set(plans.map(nameWithoutSystem).filter((name) => name !== undefined))
    assert.deepEqual([...found].toSorted(), withoutSystem.toSorted())
  },
)

/** Statistics of 6,000 systems with ten containers each, for the query planner of PostgreSQL. */
const LARGE_FLEET = `
  insert into systems (id, name, status, info, users) select 'system' || no, 'm', 'up', to_json(repeat('x', 1000)), '[]' from generate_series(1, 6000) no;
  insert into containers (id, system, name) select 'container' || no, 'system' || (no % 6000), 'c' from generate_series(1, 60000) no;
  analyze systems; analyze containers`

test('a poll of some systems of a large fleet uses no sequential scan', { timeout: 300_000 }, async (it) => {
  await using stack = new AsyncDisposableStack()
  const hub = await scene(stack)
  await hub.poll(1, ['aaaa'])
  const sent = it.mock.method(Client.prototype, 'query')
  await hub.poll(1, ['aaaa'])
  const statements = statementsOf(sent.mock.calls, /\b(systems|containers)\b/)
  sent.mock.restore()
  assert.equal(statements.size, 4, [...statements.keys()].join('\n'))
  for (const { text, nodes } of await explainedPlans(hub.url, statements, LARGE_FLEET))
    for (const node of nodes.filter(isOfTable)) assert.notEqual(node['Node Type'], 'Seq Scan', `reads a whole table: ${text}`)
})
