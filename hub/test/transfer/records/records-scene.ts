import { DatabaseSync } from 'node:sqlite'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '@vedette/protocol/wire/stats-json'
import type { ForeignHub, RecordsPlan, TransferTarget } from '../../../src/operations/transfer/foreign-hub.ts'
import { planRecords } from '../../../src/operations/transfer/records/plan-records.ts'
import { systemClock, type Clock } from '../../../src/platform/clock.ts'
import type { Database } from '../../../src/platform/db/database.ts'
import type { RecordValues } from '../../../src/records/model/record-store.ts'
import type { TestDatabaseKind } from '../../databases.ts'
import { roundsOf } from '../../longer-runs.ts'
import { engineOn } from '../../test-engine.ts'

/** Versions of the other hub whose databases are recorded. */
const generations = ['0.9.1', '0.12.12', '0.18.8-head'] as const
type Generation = (typeof generations)[number]

/** The versions whose import is tested on a database: all on the embedded one and in the long run, else the newest. */
export const generationsOn = ({ name }: TestDatabaseKind): readonly Generation[] =>
  generations.slice(name === 'sqlite' ? 0 : roundsOf({ short: 2, long: 0, soak: 0 }))

/** The password of all recorded people. */
export const PASSWORD = 'exam-password-1'

/** A recorded database of the other hub, changed by SQL statements. */
export function foreignHub(generation: Generation, ...changes: readonly string[]): ForeignHub & Disposable {
  const database = new DatabaseSync(':memory:')
  // The last line of a dump commits its only transaction.
  database.exec(readFileSync(join(import.meta.dirname, '..', 'foreign', `${generation}.sql`), 'utf8'))
  for (const change of changes) database.exec(change)
  return { database, privateKey: undefined, configYaml: undefined, [Symbol.dispose]: () => database.close() }
}

export function targetOn(database: Database, clock: Clock = systemClock): TransferTarget {
  const { store, secrets } = engineOn(database, clock)
  return { database, records: store, secrets, clock }
}

/** A hub without any data, into which is imported. */
export async function importScene(kind: TestDatabaseKind, clock: Clock = systemClock) {
  const stack = new AsyncDisposableStack()
  const { database, events } = stack.use(await kind.open())
  const target = targetOn(database, clock)
  async function take(foreign: ForeignHub, admins: readonly string[] = []): Promise<RecordsPlan> {
    const plan = await planRecords(foreign, target, { admins })
    await plan.write(() => {}, new AbortController().signal)
    return plan
  }
  return {
    target,
    database,
    events,
    take,
    plan: (foreign: ForeignHub, admins: readonly string[] = []) => planRecords(foreign, target, { admins }),
    all: (collection: string) => target.records.loadWhere(collection, {}),
    insert: (collection: string, values: RecordValues) => database.write((unit) => target.records.insert(unit, collection, values)),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** The line of a plan, such as `users`; one without rows if there is none. */
export const lineOf = ({ lines }: RecordsPlan, what: string) =>
  lines.find((line) => line.what === what) ?? { what, found: 0, taken: 0, present: 0, changed: [], leftOut: [] }

/** The reasons of a line, changed and left out, each with its count. */
export const reasonsOf = (plan: RecordsPlan, what: string): { readonly [reason: string]: Json } =>
  Object.fromEntries([...lineOf(plan, what).changed, ...lineOf(plan, what).leftOut].map(({ reason, count }) => [reason, count]))

/** A recorded database with 400 more systems, each with an alert and firing periods, so that its import takes many transactions. */
export const largeHub = (): ForeignHub & Disposable =>
  foreignHub(
    '0.18.8-head',
    `create temp table n as with recursive n(i) as (select 1 union all select i + 1 from n where i < 400) select i from n`,
    `insert into systems (id, name, host, port, status, users, created, updated)
      select printf('system%09d', i), 's' || i, 'h' || i, '45876', 'up', '["jfhgzel966sgj78"]', '2026-01-01 00:00:00.000Z', '2026-01-01 00:00:00.000Z' from n`,
    `insert into alerts (id, user, system, name, value, min, triggered, created, updated)
      select printf('alert%010d', i), 'jfhgzel966sgj78', printf('system%09d', i), 'CPU', 80, 1, i % 2, '2026-01-01 00:00:00.000Z', '2026-01-01 00:00:00.000Z' from n`,
    `insert into alerts_history (id, user, system, alert_id, name, value, created, resolved)
      select printf('history%08d', i), 'jfhgzel966sgj78', printf('system%09d', i), printf('alert%010d', i), 'CPU', 80, '2026-01-01 00:00:00.000Z',
        case i % 2 when 0 then '2026-01-01 01:00:00.000Z' else '' end from n`,
  )
