import type { DatabaseSync } from 'node:sqlite'
import { historyStore } from '../../../src/history/history-store.ts'
import { statsRecords } from '../../../src/history/read/stats-records.ts'
import { loadStoredHistory } from '../../../src/history/store/stored-history.ts'
import { verifyHistory } from '../../../src/history/store/verify.ts'
import type { TransferLine } from '../../../src/operations/transfer/foreign-hub.ts'
import { planHistory } from '../../../src/operations/transfer/history/plan-history.ts'
import { silentLog, type TestDatabase } from '../../databases.ts'
import { foreignDatabase, foreignDate, writeForeignHistory, type ForeignHistory } from './foreign-history.ts'

export const systemIds = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `foreign${String(index).padStart(8, '0')}`)

/** A database of the other hub in memory, with the history of some machines. */
export function foreignHubWith(history: ForeignHistory): DatabaseSync {
  const database = foreignDatabase(':memory:')
  writeForeignHistory(database, history)
  return database
}

/** Adds one row as it would stand in the other hub's table. */
export function addRow(
  database: DatabaseSync,
  {
    system,
    type,
    atMs,
    stats,
    table = 'system_stats',
  }: {
    readonly system: string
    readonly type: string
    readonly atMs: number | string
    readonly stats: string
    readonly table?: 'system_stats' | 'container_stats'
  },
): void {
  const { rows } = database.prepare(`select count(*) as rows from ${table}`).get() as { readonly rows: number } // a count
  database
    .prepare(`insert into ${table} (id, system, type, stats, created, updated) values (?, ?, ?, ?, ?, '')`)
    .run(`added${rows}`, system, type, stats, typeof atMs === 'string' ? atMs : foreignDate(atMs))
}

const own = (systems: readonly string[]): ReadonlyMap<string, string> => new Map(systems.map((system) => [system, system]))

/** A hub on a test's database that takes over another hub's history, under a clock that only the test moves. */
export function importScene({ database, bus }: Pick<TestDatabase, 'database' | 'bus'>, startMs: number) {
  let nowMs = startMs
  const clock = { now: () => nowMs }
  const newHistory = () => historyStore({ db: database, clock, bus, log: silentLog })
  const plan = (foreign: DatabaseSync, systems: readonly string[]) => planHistory({ database: foreign }, { database, clock }, own(systems))
  return {
    database,
    advanceTo: (next: number) => void (nowMs = next),
    plan,
    /** Plans and writes. Resolves to the lines of the plan. */
    async take(foreign: DatabaseSync, systems: readonly string[]): Promise<readonly TransferLine[]> {
      const { lines, write } = await plan(foreign, systems)
      await write(() => {}, new AbortController().signal)
      return lines
    },
    /** A hub that started now. */
    newHistory,
    records: (kind: 'system' | 'containers') => statsRecords(newHistory(), kind, clock),
    /** All rows of the history's tables. */
    async rows() {
      const { kysely } = database
      return {
        systems: await kysely.selectFrom('history_systems').selectAll().orderBy('no').execute(),
        series: await kysely.selectFrom('history_series').selectAll().orderBy('no').execute(),
        open: await kysely.selectFrom('history_open').selectAll().orderBy('id').execute(),
        blocks: await kysely.selectFrom('history_blocks').selectAll().orderBy('id').execute(),
        sizes: await kysely.selectFrom('history_sizes').selectAll().orderBy('tier').orderBy('day').execute(),
      }
    },
    /** Problems that `vedette history verify` would report. */
    async problems(): Promise<readonly string[]> {
      const found: string[] = []
      await verifyHistory(database.kysely, await loadStoredHistory(database), (problem) => found.push(problem))
      return found
    },
  }
}

export const lineOf = (lines: readonly TransferLine[], what: string): TransferLine => {
  const found = lines.find((line) => line.what === what)
  if (found === undefined) throw new Error(`There is no line ${what}`)
  return found
}

/** Reasons of a line with their numbers. */
export const reasonsOf = ({ leftOut }: TransferLine): Readonly<Record<string, number>> =>
  Object.fromEntries(leftOut.map(({ reason, count }) => [reason, count]))
