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

/** A hub must act on a change within 5 s without messages between hubs. */
const READ_EVERY_MS = 4_000
const RETRY_MS = 1_000
const PURGE_EVERY_MS = 600_000
const KEPT_MS = 3_600_000
/** A hub that has not read for this long starts again. Rows that it has not read may be gone after {@link KEPT_MS}. */
const MISSED_AFTER_MS = KEPT_MS / 2
const PLACE = 'changes.event'

const record = z.looseObject({ id: z.string() }) as unknown as z.ZodType<RecordEvent['record']> // it was JSON of a record
const eventSchema = z.object({
  action: z.enum(['create', 'update', 'delete']),
  collection: z.string(),
  record,
  previous: record.optional(),
})

/** The changes that several hubs of one PostgreSQL database tell each other: each hub stores its own and publishes those of others. */
export type ChangeJournal = {
  /** Stores events that are relevant for other hubs in their transaction. */
  readonly store: JournalEvents
  /** Publishes the changes that other hubs commit from now on. */
  readonly follow: (parts: FollowParts) => Promise<Following>
}

export type Following = AsyncDisposable & {
  /** Reads now: an event stream of other hubs was interrupted. Resolves when it has been read. */
  readonly read: Loop['run']
}

type FollowParts = {
  readonly database: Database
  readonly bus: EventBus
  readonly secrets: SecretBox
  readonly log: Log
  /** Called when changes were missed for good, after a very long time without the database. The hub must start again. */
  readonly onMissed: () => void
  readonly missedAfterMs?: number
}

type JournalParts = {
  /** Id of this hub. */
  readonly hub: string
  /** True for events that other hubs need. Events of samples must not be among them. */
  readonly isRelevant: (event: RecordEvent) => boolean
}

export function changeJournal({ hub, isRelevant }: JournalParts): ChangeJournal {
  // The first events are stored after the secrets have been opened.
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
  const rows = events.map(({ action, collection, record, previous }) => ({
    at: databaseNow,
    hub,
    event: box.seal(PLACE, JSON.stringify({ action, collection, record, previous })),
  }))
  await transaction.insertInto('changes').values(rows).execute()
}

async function followChanges(parts: FollowParts & Pick<JournalParts, 'isRelevant'>): Promise<Following> {
  const { database, bus, secrets, log, isRelevant, onMissed, missedAfterMs = MISSED_AFTER_MS } = parts
  const { kysely } = database
  const known = recentEvents(bus, isRelevant)
  const isFirst = firstTime()
  /** Transactions from this one on may not be visible yet. */
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
    const event = openEvent(secrets, sealed)
    if (event === undefined) {
      if (isFirst(sender)) log.warn('changes of another hub are ignored, because this version cannot read them', { hub: sender })
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

function openEvent(secrets: SecretBox, sealed: string): RecordEvent | undefined {
  let parsed: Json
  try {
    parsed = parseJson(secrets.open(PLACE, sealed))
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
 * Rows of transactions from `from` on, in commit order for each record. All of one snapshot: a transaction below the horizon is visible
 * or was rolled back. Serial numbers alone would lose a row whose transaction commits late.
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
