import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { thisProgram, type Program } from '../db/migrations/all-migrations.ts'
import { CLOCK_CURE, clockProblem, databaseNow, hubClock } from '../db/postgres/database-clock.ts'
import { GONE_AFTER_MS, isLiving } from '../db/postgres/living-hubs.ts'
import { loadSchema, tooNew, tooOld } from '../db/schema-support.ts'
import type { Clock } from '../clock.ts'
import { withDeadline } from '../deadline.ts'
import type { Database } from '../db/database.ts'
import type { Tables } from '../db/schema.ts'
import type { Log } from '../log.ts'
import { startLoop } from '../loop.ts'

/** Interval in ms at which a hub renews its row in the table `hubs`: 2 s. A hub that has not renewed it for 6 s counts as dead. */
const RENEW_EVERY_MS = 2000
/**
 * Timeout of one renewal of this hub's row in the table `hubs`, in ms (4 s). After it the renewal counts as failed, and the next one uses
 * another connection.
 */
const RENEWAL_TIMEOUT_MS = 4000
/** Time in ms (1 day) after a dead hub's last renewal for which its row stays in the table `hubs`. Then the row is deleted. */
const KEEP_GONE_MS = 24 * 3_600_000

/**
 * Value (1) of the column `draining` of `hubs` while an admin drains the hub, so that it gives all its systems to other hubs. The value 0
 * means that it is not drained.
 */
export const DRAINED_BY_ADMIN = 1
export const DRAINED_BY_CLOCK = 2

/** Error when this hub may not join the hubs of a database, such as for an equal name. The message is one sentence for the operator. */
export class HubRefusedError extends Error {
  override readonly name = 'HubRefusedError'
}

export type Member = {
  readonly id: string
  readonly name: string
  readonly version: string
  /** Start time of this living hub of the database, in epoch ms by the database's clock. */
  readonly startedAtMs: number
  /** True when this living hub is draining: it gives the systems that it monitors to other hubs. */
  readonly isDraining: boolean
}

/**
 * Membership of this hub among the hubs of one PostgreSQL database: its row in the table `hubs`, renewed every 2 s. Disposing it deletes
 * the row, so that other hubs see at once that this hub has ended.
 */
export type Membership = AsyncDisposable & {
  readonly id: string
  /** Returns the living hubs of the database, including this one, sorted by name, as this hub read them when it last renewed its row. */
  readonly living: () => readonly Member[]
  /** SQL subquery that selects the ids of living hubs: those that renewed their row in the last 6 s, by the database's clock. */
  readonly livingIds: RawBuilder<string>
  /**
   * Resolves at once if this hub renewed its row in `hubs` so recently that other hubs count it as living. Otherwise renews the row first,
   * and rejects when that fails.
   */
  readonly assureLiving: () => Promise<void>
  /** Subscribes to renewals of this hub's row in `hubs`: the listener is called after each one. Returns the function that unsubscribes. */
  readonly onRenewal: (listener: () => void) => () => void
  /**
   * Renews the hub's row in the table `hubs` now, and after success calls the `onRenewal` listeners. Never rejects: a failure is logged and
   * tried again.
   */
  readonly renew: () => Promise<void>
  /**
   * Promise that resolves to the reason when another hub has deleted this hub's row, as while this process was frozen, and it may not join
   * again. This hub must then exit. Otherwise the promise stays pending.
   */
  readonly replaced: Promise<HubRefusedError>
}

export type MembershipParts = {
  readonly database: Database
  readonly log: Log
  readonly name: string
  /** Clock of this hub's machine, which sets the times of samples. It is compared with the database's clock. */
  readonly clock: Clock
  readonly program?: Program
  /**
   * True for a hub that shares the database with other hubs over a message connection (NATS). False for a hub that must use the database
   * alone.
   */
  readonly shares: boolean
  /**
   * Id of the hub process that used this data folder before and has ended, since its lock is free. Its row in `hubs` is deleted at once
   * instead of after a timeout. `undefined`: none is known.
   */
  readonly endedHub?: string | undefined
  readonly id?: string
  /** Returns the current time of a monotonic clock, in ms; `performance.now` by default. */
  readonly nowMs?: () => number
  readonly renewEveryMs?: number
  readonly goneAfterMs?: number
}

export const newHubId = (): string => randomBytes(8).toString('hex')

/**
 * Adds this hub to the hubs of a PostgreSQL database, as a row in the table `hubs`, and renews that row from then on. Rejects with {@link
 * HubRefusedError} when it may not use the database.
 */
export async function joinHubs(parts: MembershipParts): Promise<Membership> {
  const { database, log, id = newHubId(), nowMs = () => performance.now() } = parts
  const { renewEveryMs = RENEW_EVERY_MS, goneAfterMs = GONE_AFTER_MS } = parts
  const me: Joining = { program: thisProgram, ...parts, id, goneAfterMs }
  const ownClock = hubClock(log)
  const listeners = new Set<() => void>()
  const { promise: replaced, resolve: replace } = Promise.withResolvers<HubRefusedError>()
  let members: readonly Member[] = []
  let renewedAtMs = Number.NEGATIVE_INFINITY

  async function renewRow(): Promise<void> {
    // Measured before the statement, so that the row is never older than this hub believes.
    const startedAtMs = nowMs()
    const late = (): Error => new Error('Cannot renew the row of this hub: the database does not answer')
    let rows: readonly Row[] = []
    const problem = await clockProblem(me.clock, async () => {
      rows = (await withDeadline(RENEWAL_TIMEOUT_MS, renewal(database.kysely, me, ownClock.isWrong()), late)).rows
      return rows.find((row) => row.id === id)?.now ?? me.clock.now()
    })
    if (!rows.some((row) => row.id === id)) return rejoin()
    renewedAtMs = startedAtMs
    members = rows.map(memberOf)
    // A hub that uses the database alone compares its clock with no other hub.
    if (me.shares) ownClock.note(problem)
    for (const listener of listeners) listener()
  }

  /**
   * Inserts this hub's row in `hubs` again after another hub has deleted it. If this hub may not join again, resolves the promise
   * `replaced` with the reason.
   */
  async function rejoin(): Promise<void> {
    try {
      const blocker = await tryToJoin(database, me)
      if (blocker === undefined) return await renewRow()
      replace(refusal(me, blocker))
    } catch (error) {
      if (!(error instanceof HubRefusedError)) throw error
      replace(error)
    }
  }

  await joinWhenFree(me)
  await renewRow()
  const loop = startLoop({
    async work() {
      await renewRow()
      return renewEveryMs
    },
    onError: (error) => log.warn('row of this hub not renewed', { error }),
    firstMs: renewEveryMs,
    retryMs: renewEveryMs,
  })
  return {
    id,
    living: () => members,
    livingIds: sql<string>`(select id from hubs where ${isLiving(goneAfterMs)})`,
    async assureLiving() {
      if (nowMs() - renewedAtMs >= goneAfterMs) await renewRow()
    },
    onRenewal(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    renew: loop.run,
    replaced,
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]()
      await database.kysely
        .deleteFrom('hubs')
        .where('id', '=', id)
        .execute()
        .catch((error: unknown) => log.warn('row of this hub not deleted', { error }))
    },
  }
}

type Joining = Omit<MembershipParts, 'goneAfterMs' | 'program'> & {
  readonly id: string
  readonly goneAfterMs: number
  readonly program: Program
}

type Row = { id: string; name: string; version: string; started_at: number; draining: number; now: number }

const memberOf = ({ id, name, version, started_at, draining }: Row): Member => ({
  id,
  name,
  version,
  startedAtMs: started_at,
  isDraining: draining !== 0,
})

/**
 * Runs one SQL statement that renews this hub's row in `hubs`, and resolves to the rows of all living hubs. The result lacks this hub when
 * its row was deleted.
 */
const renewal = (kysely: Kysely<Tables>, { id, goneAfterMs }: Joining, isClockWrong: boolean) =>
  sql<Row>`with renewed as (update hubs set seen_at = ${databaseNow},
        draining = case draining when ${isClockWrong ? 0 : DRAINED_BY_CLOCK} then ${isClockWrong ? DRAINED_BY_CLOCK : 0} else draining end
      where id = ${id} returning id)
    select id, name, version, started_at, draining, ${databaseNow} as now from hubs
    where id in (select id from renewed) or (id <> ${id} and ${isLiving(goneAfterMs)}) order by name`.execute(kysely)

const timeOf = async (kysely: Kysely<Tables>): Promise<number> =>
  (await sql<{ now: number }>`select ${databaseNow} as now`.execute(kysely)).rows[0]?.now ?? Number.NaN

/**
 * Row of the table `hubs` of a living hub that prevents this hub from joining. Either both have the same name, or one of them does not
 * share the database (`shares` 0). `seen_at` is its last renewal.
 */
type Blocker = { id: string; name: string; shares: number; seen_at: number }

/**
 * Inserts this hub's row in `hubs`. While the row of another living hub blocks that, waits until that row expires, as for a dead hub.
 * Throws `HubRefusedError` if the other hub renews its row, because it is alive.
 */
async function joinWhenFree(me: Joining): Promise<void> {
  let first: Blocker | undefined
  for (;;) {
    const blocker = await tryToJoin(me.database, me)
    if (blocker === undefined) return
    if (first?.id === blocker.id && first.seen_at !== blocker.seen_at) throw refusal(me, blocker)
    if (first?.id !== blocker.id) first = blocker
    await wait(me.goneAfterMs / 12)
  }
}

/**
 * Inserts this hub's row in `hubs` and deletes the rows of dead hubs that it replaces. Resolves to the row of a living hub that prevents
 * this, or to `undefined` after success. Throws {@link HubRefusedError} when the tables are too new or too old for this hub, or its clock
 * is wrong.
 */
async function tryToJoin(database: Database, me: Joining): Promise<Blocker | undefined> {
  const { id, name, shares, endedHub = '', program } = me
  return database.write(async (unit) => {
    await unit.alone('hubs')
    const schema = await loadSchema(unit.sql, database.name)
    const problem = tooNew(schema, program, shares) ?? tooOld(schema, program)
    if (problem !== undefined) throw new HubRefusedError(problem)
    const wrongClock = shares ? await clockProblem(me.clock, () => timeOf(unit.sql)) : undefined
    if (wrongClock !== undefined) throw new HubRefusedError(`Cannot use the database: ${wrongClock}; ${CLOCK_CURE}`)
    await unit.sql.deleteFrom('hubs').where('id', '=', endedHub).execute()
    const conflicts = shares ? sql<boolean>`(name = ${name} or shares = 0)` : sql<boolean>`true`
    const { rows } = await sql<Blocker>`select id, name, shares, seen_at from hubs
      where id <> ${id} and ${conflicts} and ${isLiving(me.goneAfterMs)} order by name limit 1`.execute(unit.sql)
    if (rows[0] !== undefined) return rows[0]
    await sql`delete from hubs where id = ${id} or ${conflicts} or seen_at < ${databaseNow} - ${KEEP_GONE_MS}`.execute(unit.sql)
    await sql`insert into hubs (id, name, version, started_at, seen_at, shares, schema_version)
      values (${id}, ${name}, ${program.version}, ${databaseNow}, ${databaseNow}, ${shares ? 1 : 0}, ${program.migrations.length})`.execute(
      unit.sql,
    )
    return undefined
  })
}

function refusal(me: Joining, blocker: Blocker): HubRefusedError {
  if (!me.shares) {
    const both = blocker.shares !== 0 ? 'give this hub its --nats too' : 'give both hubs --nats'
    return new HubRefusedError(`Cannot use the database: the hub "${blocker.name}" is using it; stop it, or ${both}`)
  }
  if (blocker.shares === 0)
    return new HubRefusedError(`Cannot use the database: the hub "${blocker.name}" is using it without --nats; stop it, or give it --nats`)
  return new HubRefusedError(
    `Cannot use the hub name "${me.name}": another hub of this database has it; give each hub a --hub-name of its own`,
  )
}
