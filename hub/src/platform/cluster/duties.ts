import { sql } from 'kysely'
import { databaseNow } from '../db/postgres/database-clock.ts'
import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'

/** Work that one hub does for all hubs of a database. A port: a single hub does everything. */
export type Duties = {
  /**
   * Runs the work while this hub has the duty; the result is `undefined` when another hub has it. The signal is aborted when the hub
   * loses it.
   */
  readonly perform: <T>(duty: Duty, work: (signal: AbortSignal) => Promise<T>) => Promise<T | undefined>
  /** True for the first hub that claims a run which is due at a time. A hub whose clock is late claims in vain. */
  readonly claim: (name: string, dueMs: number) => Promise<boolean>
  /** Names of the duties that other hubs have now. */
  readonly elsewhere: () => Promise<ReadonlySet<string>>
}

/** `keptMs`: time after a run for which this hub keeps the duty, so that it does the next run too; 0 to give it back at once. */
export type Duty = { readonly name: string; readonly keptMs: number }

/** The duties of a single hub. */
export const allDuties: Duties = {
  perform: async (_, work) => work(new AbortController().signal),
  claim: async () => true,
  elsewhere: async () => new Set(),
}

/** After this time without a renewal another hub takes the duty of a hub that died during a run. */
const LEASE_MS = 15_000

type DutiesParts = {
  readonly database: Database
  /** Id of this hub. */
  readonly hub: string
  readonly log: Log
  readonly leaseMs?: number
}

/** Duties in PostgreSQL, by its clock. */
export function sharedDuties({ database: { kysely }, hub, log, leaseMs = LEASE_MS }: DutiesParts): Duties {
  async function take({ name, keptMs }: Duty): Promise<boolean> {
    const heldMs = Math.max(leaseMs, keptMs)
    // A lease of the far future was taken before the database's clock was set back.
    const isFree = sql<boolean>`(duties.until <= ${databaseNow} or duties.until > ${databaseNow} + ${heldMs * 2}::bigint)`
    const { rows } = await sql`insert into duties (name, hub, until) values (${name}, ${hub}, ${databaseNow} + ${heldMs}::bigint)
      on conflict (name) do update set hub = excluded.hub, until = excluded.until
      where duties.hub = ${hub} or ${isFree} returning name`.execute(kysely)
    return rows.length > 0
  }

  async function release(name: string): Promise<void> {
    await kysely.deleteFrom('duties').where('name', '=', name).where('hub', '=', hub).execute()
  }

  /** Renews the duty while the work runs. */
  async function keep<T>(duty: Duty, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const lost = new AbortController()
    const renewing = setInterval(() => {
      take(duty).then(
        (isOurs) => isOurs || lost.abort(),
        (error: unknown) => log.warn('a duty was not renewed', { name: duty.name, error }),
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
        if (keptMs === 0) await release(name).catch((error: unknown) => log.warn('a duty was not given back', { name, error }))
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
