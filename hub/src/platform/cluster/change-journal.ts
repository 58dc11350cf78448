import { sql, type Transaction } from 'kysely'
import { databaseNow } from '../db/postgres/database-clock.ts'
import { z } from 'zod'
import type { Json } from '@vedette/protocol/wire/stats-json'
import type { Database, JournalEvents } from '../db/database.ts'
import type { Tables } from '../db/schema.ts'
import type { EventBus, RecordEvent } from '../events/event-bus.ts'
import { parseJson } from '../json.ts'
import { firstTime } from '../limits/first-time.ts'
import type { Log } from '../log.ts'
import { startLoop, type Loop } from '../loop.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { recentEvents } from './recent-events.ts'

/**
 * Interval in ms, 4 s, between two reads of the table `changes`, which has record events of other hubs. So a change arrives within 5 s even
 * if the messages between hubs fail.
 */
const READ_EVERY_MS = 4_000
const RETRY_MS = 1_000
const PURGE_EVERY_MS = 600_000
const KEPT_MS = 3_600_000
/**
 * Maximum time between two reads of the table `changes`, in ms: 30 min. After a longer pause the hub restarts, because events are deleted
 * after 1 h and some may be missed.
 */
const MISSED_AFTER_MS = KEPT_MS / 2
const PLACE = 'changes.event'

const record = z.looseObject({ id: z.string() }) as unknown as z.ZodType<RecordEvent['record']> // the JSON was a record
const eventSchema = z.object({
  action: z.enum(['create', 'update', 'delete']),
  collection: z.string(),
  record,
  previous: record.optional(),
})

/**
 * Journal of record events in the PostgreSQL table `changes`, for several hubs of one database. `store` writes this hub's events; `follow`
 * reads those of other hubs and publishes them on this hub's event bus.
 */
export type ChangeJournal = {
  /**
   * Inserts those record events of a transaction that are relevant (`isRelevant`) into the table `changes`, from which other hubs read
   * them. Runs within the transaction that caused the events. Stores nothing before the first call of `follow`.
   */
  readonly store: JournalEvents
  /**
   * Starts to publish, on this hub's event bus, the events that other hubs store in the journal from now on. Dispose the result to stop.
   */
  readonly follow: (parts: FollowParts) => Promise<Following>
}

export type Following = AsyncDisposable & {
  /**
   * Reads and publishes new events of other hubs now, instead of after up to 4 s, or joins the read in progress. Resolves when that read
   * has ended, also after a failure, which is logged.
   */
  readonly read: Loop['run']
}

type FollowParts = {
  readonly database: Database
  readonly bus: EventBus
  readonly secrets: SecretBox
  readonly log: Log
  /**
   * Called when events of other hubs may be lost because this hub could not read the database for over 30 min. The hub must then restart.
   */
  readonly onMissed: () => void
  readonly missedAfterMs?: number
}

type JournalParts = {
  /**
   * Id of this hub, stored with each of its record events in the table `changes`. The hub skips them when it reads events of other hubs.
   */
  readonly hub: string
  /**
   * Returns true for record events that other hubs need, such as changes of users and alerts; only these are stored. It must return false
   * for events of samples, which are too frequent.
   */
  readonly isRelevant: (event: RecordEvent) => boolean
}

export function changeJournal({ hub, isRelevant }: JournalParts): ChangeJournal {
  // `follow` sets the box. No event is stored before that.
  let box: SecretBox | undefined
  return {
    async store(transaction, events) {
      const relevant = events.filter(isRelevant)
      if (relevant.length > 0 && box !== undefined) await insertEvents(transaction, { hub, box, events: relevant })
    },
    async follow(parts) {
      box = parts.secrets
      return followChanges({ ...parts, isRelevant })
    },
  }
}

async function insertEvents(
  transaction: Transaction<Tables>,
  { hub, box, events }: { readonly hub: string; readonly box: SecretBox; readonly events: readonly RecordEvent[] },
): Promise<void> {
  const rows = events.map((event) => ({ at: databaseNow, hub, event: sealEvent(box, PLACE, event) }))
  await transaction.insertInto('changes').values(rows).execute()
}

async function followChanges(parts: FollowParts & Pick<JournalParts, 'isRelevant'>): Promise<Following> {
  const { database, bus, secrets, log, isRelevant, onMissed, missedAfterMs = MISSED_AFTER_MS } = parts
  const { kysely } = database
  const known = recentEvents(bus, isRelevant)
  const isFirst = firstTime()
  // Lowest transaction id that the next read includes. Lower ids were committed and published, or rolled back.
  let { horizon: from, at: readAtMs } = await readRows(kysely, undefined)
  let seen = new Set<number>()
  let purgedAtMs = readAtMs

  async function read(): Promise<number> {
    const { rows, horizon, at } = await readRows(kysely, from)
    if (at - readAtMs > missedAfterMs) onMissed()
    for (const { no, hub: sender, event } of rows) if (!seen.has(no)) publish(sender, event)
    seen = new Set(rows.filter(({ transaction }) => transaction >= horizon).map(({ no }) => no))
    from = horizon
    readAtMs = at
    known.forget()
    if (at - purgedAtMs > PURGE_EVERY_MS) {
      await sql`delete from changes where at < ${at - KEPT_MS}`.execute(kysely)
      purgedAtMs = at
    }
    return READ_EVERY_MS
  }

  function publish(sender: string, sealed: string): void {
    const event = openEvent(secrets, PLACE, sealed)
    if (event === undefined) {
      if (isFirst(sender)) log.warn('changes of another hub ignored: this version cannot read them', { hub: sender })
      return
    }
    if (!known.isKnown(event)) bus.publish({ ...event, hub: sender })
  }

  const loop = startLoop({
    work: read,
    firstMs: READ_EVERY_MS,
    retryMs: RETRY_MS,
    onError: (error) => log.warn('changes of other hubs were not read', { error }),
  })
  return {
    read: loop.run,
    async [Symbol.asyncDispose]() {
      known.close()
      await loop[Symbol.asyncDispose]()
    },
  }
}

/**
 * Encrypts a record event, as JSON, to a text for a database column or a message. `place` names its purpose, such as `changes.event`;
 * {@link openEvent} decrypts it only with the same `place`.
 */
export const sealEvent = (secrets: SecretBox, place: string, { action, collection, record, previous }: RecordEvent): string =>
  secrets.seal(place, JSON.stringify({ action, collection, record, previous }))

/**
 * Decrypts a text of {@link sealEvent} with the same `place` and returns the record event. `undefined` if this version of the hub cannot
 * read it.
 */
export function openEvent(secrets: SecretBox, place: string, sealed: string): RecordEvent | undefined {
  let parsed: Json
  try {
    parsed = parseJson(secrets.open(place, sealed))
  } catch {
    return undefined
  }
  const { success, data } = eventSchema.safeParse(parsed)
  if (!success) return undefined
  const { previous, ...event } = data
  return previous === undefined ? event : { ...event, previous }
}

type ChangeRow = { readonly no: number; readonly transaction: number; readonly hub: string; readonly event: string }
type ReadRows = { readonly rows: readonly ChangeRow[]; readonly horizon: number; readonly at: number }

/**
 * Resolves to the rows of `changes` whose transaction id is at least `from`, and to the `from` for the next call. Without `from` it
 * resolves to no rows. Below the next `from` all transactions have ended, so late commits are not missed.
 */
async function readRows(kysely: Database['kysely'], from: number | undefined): Promise<ReadRows> {
  const wanted = from === undefined ? sql`false` : sql`c."transaction" >= ${from}`
  const { rows } = await sql<{ readonly horizon: number; readonly at: number } & (ChangeRow | { readonly no: null })>`
    select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon, ${databaseNow} as at, c.no, c."transaction", c.hub, c.event
    from (select 1) one left join changes c on ${wanted} order by c.no`.execute(kysely)
  const [first] = rows
  if (first === undefined) throw new RangeError('Cannot read the changes: the database returned no row')
  return { rows: rows.filter((row) => row.no !== null), horizon: first.horizon, at: first.at }
}
