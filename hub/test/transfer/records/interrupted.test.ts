import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import type { Database, DatabaseOptions } from '../../../src/platform/db/database.ts'
import { openDatabase } from '../../../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../../../src/platform/events/event-bus.ts'
import { planRecords } from '../../../src/operations/transfer/records/plan-records.ts'
import { compiledSources } from '../../compiled-sources.ts'
import { databases, silentLog } from '../../databases.ts'
import { roundsOf } from '../../longer-runs.ts'
import { importScene, largeHub, lineOf, targetOn } from './records-scene.ts'

const ADMINS = ['admin@example.com']
const tables = [
  'users',
  'systems',
  'fingerprints',
  'containers',
  'system_details',
  'user_settings',
  'quiet_hours',
  'alerts',
  'alerts_history',
  'incidents',
  'alert_states',
]

/** The rows of all tables, without what each import makes anew: the order of insertion, and sealed texts. */
async function contentOf({ kysely }: Pick<Database, 'kysely'>) {
  const content: unknown[] = []
  for (const table of tables) {
    const rows = (await kysely.selectFrom(table).selectAll().execute()).map((row) =>
      JSON.stringify(Object.entries(row).filter(([name]) => !['seq', 'token', 'tokenKey'].includes(name))),
    )
    content.push([table, rows.toSorted()])
  }
  return content
}

/** Starts an import in a process of its own and kills it after a number of transactions. */
async function importUntilKilled(at: DatabaseOptions['at'], transactions: number): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'importing-process.ts'), JSON.stringify(at)], {
    env: { NODE_NO_WARNINGS: '1', ...compiledSources },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let count = 0
  for await (const line of createInterface({ input: child.stdout })) {
    assert.match(line, /^\d+$/)
    count += 1
    if (count < transactions) child.stdin.write('.')
    else child.kill('SIGKILL')
  }
  assert.deepEqual(await ended, [null, 'SIGKILL'])
}

for (const kind of databases) {
  test(`${kind.name}: an import continues after it was killed between transactions, and ends as one in a single run`, async () => {
    await using place = await kind.ready()
    for (const transactions of [4, 14].slice(-roundsOf({ short: 1, long: 2, soak: 2 }))) await importUntilKilled(place.at, transactions)
    await using single = await importScene(kind, { now: () => Date.UTC(2026, 10, 26) })
    using foreign = largeHub()
    await single.take(foreign, ADMINS)
    const database = await openDatabase({ at: place.at, bus: inProcessEventBus(), log: silentLog })
    try {
      const target = targetOn(database, { now: () => Date.UTC(2026, 10, 26) })
      const plan = await planRecords(foreign, target, { admins: ADMINS })
      assert.equal(lineOf(plan, 'systems').present > 0, true)
      assert.equal(lineOf(plan, 'alert history').taken > 0, true)
      await plan.write(() => {}, new AbortController().signal)
      assert.deepEqual(await contentOf(database), await contentOf(single.database))
    } finally {
      await database.close()
    }
  })

  test(`${kind.name}: an aborted import rejects with its reason, and the same plan continues`, async () => {
    await using scene = await importScene(kind)
    using foreign = largeHub()
    const plan = await scene.plan(foreign, ADMINS)
    const stop = new AbortController()
    const reason = new Error('stopped by the operator')
    await assert.rejects(
      plan.write((doneRows) => doneRows > 300 && stop.abort(reason), stop.signal),
      reason,
    )
    const before = (await scene.all('systems')).length
    assert.ok(before > 0 && before < 404, String(before))
    let last = 0
    await plan.write((doneRows) => {
      assert.ok(doneRows >= last)
      last = doneRows
    }, new AbortController().signal)
    assert.equal(last, plan.rows)
    assert.equal((await scene.all('systems')).length, 404)
    assert.equal((await scene.all('alerts')).length, 409)
    assert.deepEqual(
      (await scene.plan(foreign, ADMINS)).lines.filter(({ taken }) => taken > 0),
      [],
    )
  })
}
