import { pointsOf } from '@vedette/protocol/metrics/series'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { historyStore } from '../../src/history/history-store.ts'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { databases, silentLog } from '../databases.ts'
import { explainedPlans, statementsOf } from '../explained-plans.ts'
import { DAY_MS, EVER, HOUR_MS } from '../history-scene.ts'

const postgres = databases.find(({ name }) => name === 'postgres')
assert.ok(postgres)

const START_MS = Date.UTC(2026, 0, 10)
/** Tables with rows of each system. */
const BY_SYSTEM = /\bhistory_(open|blocks)\b/

test('every statement of the history finds its rows by the system, without a sequential scan', { timeout: 300_000 }, async (it) => {
  await using opened = await postgres.open()
  const { database, at } = opened
  assert.ok('url' in at)
  // The driver works normally, and its calls are recorded.
  const sent = it.mock.method(Client.prototype, 'query')
  let nowMs = START_MS
  const history = historyStore({ db: database, clock: { now: () => nowMs }, bus: inProcessEventBus(), log: silentLog })
  const names = Array.from({ length: 30 }, (_, place) => `system ${place}`)
  const store = (atMs: number) =>
    database.write((unit) =>
      history.append(
        unit,
        names.map((system) => ({ system, atMs, kinds: { system: pointsOf({ 'cpu.busyPercent': 1 }) } })),
      ),
    )
  await store(nowMs)
  for (const systems of [undefined, names.slice(0, 1)])
    for (const tier of ['1m', '10m', '2h'] as const) await history.read({ kind: 'system', tier, window: EVER, ...(systems && { systems }) })
  nowMs += 2 * DAY_MS
  await history.maintain()
  await store(START_MS + HOUR_MS)
  nowMs += 400 * DAY_MS
  await history.maintain()
  await history.forget('system 0')
  await history.maintain()
  const statements = statementsOf(sent.mock.calls, BY_SYSTEM)
  sent.mock.restore()
  assert.ok(statements.size > 8, [...statements.keys()].join('\n'))

  for (const { text, nodes } of await explainedPlans(at.url, statements)) {
    const isWhole = nodes.some(
      (node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] !== undefined && BY_SYSTEM.test(node['Relation Name']),
    )
    assert.ok(!isWhole, `reads a whole table: ${text}`)
    const isFound = nodes.some((node) => /\bsystem = /.test(node['Index Cond'] ?? ''))
    assert.ok(isFound || text.includes('insert into'), `finds rows without the system: ${text}`)
  }
})
