import { sql } from 'kysely'
import { databaseNow } from '../db/postgres/database-clock.ts'
import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'

/**
 * Functions by which exactly one hub of a database runs a background task ("duty") for all. `perform` runs it under a lease, `claim` takes
 * a due run. A single hub uses {@link allDuties}, several use `sharedDuties`.
 */
export type Duties = {
  /**
   * Calls `work` if this hub gets the lease of the background task `duty`, and resolves to its result. Resolves to `undefined` if another
   * hub has the lease. The signal aborts when the lease is lost during `work`.
   */
  readonly perform: <T>(duty: Duty, work: (signal: AbortSignal) => Promise<T>) => Promise<T | undefined>
  /**
   * Claims the run of the background task `name` that is due at `dueMs` (epoch ms). Resolves to true for the first hub that claims it,
   * otherwise to false, also for a run before the last claimed one.
   */
  readonly claim: (name: string, dueMs: number) => Promise<boolean>
  /**
   * Resolves to the set of names of the background tasks whose leases other hubs hold. Those hubs run the tasks now, or keep them for the
   * next run.
   */
  readonly elsewhere: () => Promise<ReadonlySet<string>>
}

/**
 * Background task that one hub runs for all hubs: its `name`, and `keptMs`. For `keptMs` ms after its last renewal the hub keeps the lease
 * and does the next run too. 0 releases the lease after each run.
 */
export type Duty = { readonly name: string; readonly keptMs: number }

/** Implementation of {@link Duties} for a single hub: `perform` always runs the task, `claim` is always true, and `elsewhere` is empty. */
export const allDuties: Duties = {
  perform: async (_, work) => work(new AbortController().signal),
  claim: async () => true,
  elsewhere: async () => new Set(),
}

/**
 * Lease time of a background task, in ms: 15 s, or its `keptMs` if longer. If the owner hub does not renew the lease for this long, another
 * hub may take the task.
 */
const LEASE_MS = 15_000

type DutiesParts = {
  readonly database: Database
  /** Id of this hub, stored as the owner of the leases of its background tasks. */
  readonly hub: string
  readonly log: Log
  readonly leaseMs?: number
}

/** Creates the {@link Duties} of several hubs: each background task has a lease in PostgreSQL. Times are those of the database's clock. */
export function sharedDuties({ database: { kysely }, hub, log, leaseMs = LEASE_MS }: DutiesParts): Duties {
  async function take({ name, keptMs }: Duty): Promise<boolean> {
    const heldMs = Math.max(leaseMs, keptMs)
    // A lease that ends in the far future was taken before the database's clock was set back.
    const isFree = sql<boolean>`(duties.until <= ${databaseNow} or duties.until > ${databaseNow} + ${heldMs * 2}::bigint)`
    const { rows } = await sql`insert into duties (name, hub, until) values (${name}, ${hub}, ${databaseNow} + ${heldMs}::bigint)
      on conflict (name) do update set hub = excluded.hub, until = excluded.until
      where duties.hub = ${hub} or ${isFree} returning name`.execute(kysely)
    return rows.length > 0
  }

  async function release(name: string): Promise<void> {
    await kysely.deleteFrom('duties').where('name', '=', name).where('hub', '=', hub).execute()
  }

  /**
   * Calls `work`, one run of a background task whose lease this hub has, and resolves to its result. Renews the lease every 5 s during the
   * run. If another hub has taken it, the signal given to `work` aborts.
   */
  async function keep<T>(duty: Duty, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const lost = new AbortController()
    const renewing = setInterval(() => {
      take(duty).then(
        (isOurs) => isOurs || lost.abort(),
        (error: unknown) => log.warn('duty not renewed', { name: duty.name, error }),
      )
    }, leaseMs / 3)
    renewing.unref()
    try {
      return await work(lost.signal)
    } finally {
      clearInterval(renewing)
    }
  }

  return {
    async perform(duty, work) {
      const { name, keptMs } = duty
      if (!(await take(duty))) return undefined
      try {
        return await keep(duty, work)
      } finally {
        if (keptMs === 0) await release(name).catch((error: unknown) => log.warn('duty not released', { name, error }))
      }
    },
    async claim(name, dueMs) {
      const { rows } = await sql`insert into hub_state (name, value) values (${`due.${name}`}, ${String(dueMs)})
        on conflict (name) do update set value = excluded.value
        where hub_state.value::bigint < excluded.value::bigint returning name`.execute(kysely)
      return rows.length > 0
    },
    async elsewhere() {
      const others = await kysely.selectFrom('duties').select('name').where('hub', '<>', hub).where('until', '>', databaseNow).execute()
      return new Set(others.map(({ name }) => name))
    },
  }
}
