import { sql as raw } from 'kysely'
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import { earliestDue, isDueAt } from '../../platform/db/due-time.ts'
import { parseJson } from '../../platform/json.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import { ESCALATED } from '../incidents/incident-access.ts'
import { openStates, WORSE } from './notice.ts'

/**
 * Name of the final state of a delivery: `delivered`, `refused` (the channel rejected the message, or its address is unusable), or
 * `expired`. The last means that it could not be delivered within a day, or has nothing to report any more, as after its user was deleted.
 */
export type Ending = 'delivered' | 'refused' | 'expired'

export type NewDelivery = {
  /**
   * Key of the message, such as a notification id, which all its deliveries share. A second delivery with the same key and channel is not
   * stored.
   */
  readonly message: string
  readonly owner: string
  readonly target: Target
  /** Display name of the kind of channel that the delivery goes to, such as `Discord` or `e-mail`. */
  readonly kind: string
  readonly notices: readonly string[]
  readonly own?: DeliveryJob['own']
}

/** Queued delivery (one message to one channel) that this process has reserved for sending, so that no other process sends it meanwhile. */
export type TakenDelivery = {
  /** Id of the delivery. It is also the key of each attempt to send it, by which the provider recognises repeats. */
  readonly id: string
  readonly owner: string
  readonly kind: string
  readonly channel: string
  readonly notices: readonly string[]
  /**
   * Decrypted destination of the delivery, and the names of its receivers (such as devices) that earlier attempts reached. `undefined` if
   * this version cannot read the stored data.
   */
  readonly job: DeliveryJob | undefined
  /** Number of this attempt to send the delivery: 1 for the first, plus 1 for each earlier attempt. */
  readonly attempts: number
  readonly expiresMs: number
}

/** Result of an attempt to send a delivery: its `id`, and the `reason` of the failure (`''` after a success or a cancelled attempt). */
type AttemptResult = { readonly id: string; readonly reason: string }

export type DeliveryStore = {
  /** Queues deliveries in the transaction `unit`. Each is sent after the deliveries of the same channel that are queued already. */
  readonly put: (unit: UnitOfWork, deliveries: readonly NewDelivery[]) => Promise<void>
  /**
   * Leases up to `most` due deliveries to this process for `leaseMs` (milliseconds), and resolves to them. Only the oldest queued delivery
   * of each channel can be leased. `skipped`: ids of deliveries to leave out, which this process is sending or has left to newer hubs.
   */
  readonly take: (most: number, leaseMs: number, skipped: readonly string[]) => Promise<readonly TakenDelivery[]>
  /**
   * Stores that an attempt to send a delivery failed or was cancelled, and when the next one follows (`dueMs`, epoch ms). The lease ends.
   */
  readonly postpone: (tried: AttemptResult & { readonly dueMs: number; readonly job: DeliveryJob }) => Promise<void>
  /**
   * Ends the lease of a delivery that this process took but did not try to send. Any hub may lease it at once, and no attempt is counted.
   */
  readonly release: (id: string) => Promise<void>
  readonly end: (tried: AttemptResult & { readonly ending: Ending }) => Promise<void>
  /**
   * Resolves to the time (epoch ms) from which {@link take} finds a queued delivery, `undefined` for none. Deliveries with an id in
   * `skipped` (being sent, or left to newer hubs) and later ones of their channels do not count.
   */
  readonly nextDueMs: (skipped: readonly string[]) => Promise<number | undefined>
  /** Deletes all deliveries of a user (by id), also queued ones. */
  readonly deleteOwner: (owner: string) => Promise<void>
}

const PURPOSE = 'deliveries'

type Parts = { readonly database: Database; readonly secrets: SecretBox; readonly clock: Clock }

export function deliveryStore({ database, secrets, clock }: Parts): DeliveryStore {
  return {
    async put({ sql, alone }, deliveries) {
      if (deliveries.length === 0) return
      await alone(PURPOSE)
      const { last } = await sql
        .selectFrom('deliveries')
        .select(({ fn }) => fn.max<number | null>('place').as('last'))
        .executeTakeFirstOrThrow()
      const atMs = clock.now()
      const rows = deliveries.map(({ message, owner, target, kind, notices, own }, index) => {
        const channel = channelOf(secrets, owner, target)
        return {
          id: `${message}-${channel.slice(0, 8)}`,
          place: (last ?? 0) + 1 + index,
          owner,
          channel,
          kind,
          notices: JSON.stringify(notices),
          job: sealJob(secrets, { target, reached: [], ...(own === undefined ? {} : { own }) }),
          state: 'waiting',
          at: atMs,
          due: atMs,
          scheduled: atMs,
          expires: atMs + LIFETIME_MS,
          attempts: 0,
          done: null,
          said: '',
        }
      })
      await sql
        .insertInto('deliveries')
        .values(rows)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
    },

    take: (most, leaseMs, skipped) =>
      database.write(async ({ sql, alone }) => {
        await alone(PURPOSE)
        const nowMs = clock.now()
        const rows = await sql
          .selectFrom('deliveries')
          .selectAll()
          .where('state', '=', 'waiting')
          .where('id', 'not in', listed(skipped))
          .where(isDueAt('scheduled', nowMs))
          .where(isFirstOfChannel)
          .orderBy('place')
          .limit(most)
          .execute()
        for (const { id, attempts } of rows)
          await sql
            .updateTable('deliveries')
            .set({ attempts: attempts + 1, due: nowMs + leaseMs, scheduled: nowMs })
            .where('id', '=', id)
            .execute()
        return rows.map(({ id, owner, kind, channel, notices, job, attempts, expires }) => ({
          id,
          owner,
          kind,
          channel,
          notices: noticeIdsIn(notices),
          job: openJob(secrets, job),
          attempts: attempts + 1,
          expiresMs: expires,
        }))
      }),

    postpone: ({ id, reason, dueMs, job }) =>
      database.write(async ({ sql }) => {
        const sealed = sealJob(secrets, job)
        const changes = { due: dueMs, scheduled: clock.now(), said: reason, job: sealed }
        await sql.updateTable('deliveries').set(changes).where('id', '=', id).execute()
      }),

    release: (id) =>
      database.write(async ({ sql }) => {
        const nowMs = clock.now()
        await sql
          .updateTable('deliveries')
          .set(({ eb }) => ({ attempts: eb('attempts', '-', 1), due: nowMs, scheduled: nowMs }))
          .where('id', '=', id)
          .execute()
      }),

    end: ({ id, reason, ending }) =>
      database.write(async ({ sql }) => {
        await sql.updateTable('deliveries').set({ state: ending, said: reason, done: clock.now(), job: '' }).where('id', '=', id).execute()
      }),

    async nextDueMs(skipped) {
      const { due } = await database.kysely
        .selectFrom('deliveries')
        .select(earliestDue('scheduled', clock.now()).as('due'))
        .where('state', '=', 'waiting')
        .where('id', 'not in', listed(skipped))
        .where(isFirstOfChannel)
        .executeTakeFirstOrThrow()
      return due ?? undefined
    },

    deleteOwner: (owner) =>
      database.write(async ({ sql }) => void (await sql.deleteFrom('deliveries').where('owner', '=', owner).execute())),
  }
}

/**
 * Returns a list of ids for the SQL operator `in`, for which an empty list is no valid SQL. An empty list becomes `['']`, which matches no
 * delivery; others stay as they are.
 */
const listed = (ids: readonly string[]): readonly string[] => (ids.length === 0 ? [''] : ids)

/**
 * Returns the SQL condition that no earlier message to the same channel is still queued. Each channel so gets its messages in order, such
 * as "fired" before "resolved".
 */
const isFirstOfChannel = () =>
  raw<boolean>`not exists (select 1 from deliveries as earlier where earlier.channel = deliveries.channel
    and earlier.state = 'waiting' and earlier.place < deliveries.place)`

/**
 * Parses the JSON list of notification ids that a delivery stores. Empty for a message that is not about alerts, and if the stored text is
 * damaged.
 */
export function noticeIdsIn(text: string): readonly string[] {
  try {
    const ids = parseJson(text)
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

/**
 * Schema of a delivery's destination. `way` is `address`, with a channel URL such as `discord://…` in `address`, or `mail`, with an email
 * address in `to`.
 */
const targetSchema = z.discriminatedUnion('way', [
  z.looseObject({ way: z.literal('address'), address: z.string() }),
  z.looseObject({ way: z.literal('mail'), to: z.string() }),
])
export type Target = { readonly way: 'address'; readonly address: string } | { readonly way: 'mail'; readonly to: string }

/** Schema of the destination and progress of a delivery. The data is stored encrypted, because channel addresses contain secrets. */
const jobSchema = z.looseObject({
  target: targetSchema,
  /** Names of those receivers of the channel, such as single devices, to which earlier attempts have sent. The next attempt skips them. */
  reached: z.array(z.string()).readonly(),
  /**
   * Title and body of a message that is not about an alert, such as a report that another channel fails. Absent for a message about alerts,
   * whose text is made from stored notifications.
   */
  own: z.looseObject({ title: z.string(), body: z.string() }).exactOptional(),
})
export type DeliveryJob = {
  readonly target: Target
  readonly reached: readonly string[]
  readonly own?: { readonly title: string; readonly body: string }
}

const PLACE = 'deliveries.job'

export const sealJob = (secrets: SecretBox, job: DeliveryJob): string => secrets.seal(PLACE, JSON.stringify(job))

/**
 * Decrypts and parses the stored destination and progress of a delivery. `undefined` if the text is damaged, or a newer hub stored a kind
 * of destination that this one does not know.
 */
export function openJob(secrets: SecretBox, sealed: string): DeliveryJob | undefined {
  try {
    return jobSchema.safeParse(parseJson(secrets.open(PLACE, sealed))).data
  } catch {
    return undefined
  }
}

/** Returns the key of one channel of a user in the database: a keyed digest of user id and address, which does not reveal these. */
export const channelOf = (secrets: SecretBox, owner: string, target: Target): string =>
  secrets.digest('deliveries.channel', JSON.stringify([owner, target.way, target.way === 'mail' ? target.to : target.address]))

/** Time for which finished deliveries, and notifications that were sent or dropped, are stored, in ms, from their creation: 30 days. */
const KEPT_MS = 30 * 86_400_000

/**
 * Deletes finished deliveries, and notifications that were sent or dropped, if they were created over 30 days ago. Resolves to the number
 * of deleted rows. Queued ones stay, and those of active alerts that later messages need.
 */
export function deleteOldDeliveries(database: Database, nowMs: number): Promise<number> {
  return database.write(async ({ sql }) => {
    const before = nowMs - KEPT_MS
    const ended = await sql.deleteFrom('deliveries').where('at', '<', before).where('state', '<>', 'waiting').executeTakeFirst()
    // Reminders and escalations of an active alert repeat its first notification, and end with it.
    const isRepeated = raw<boolean>`(transition in ('fired', ${WORSE}) or transition like ${`${ESCALATED}%`}) and exists (select 1 from incidents as i where i.id = incident and i.ended is null)`
    const sentNotices = await sql
      .deleteFrom('notices')
      .where('at', '<', before)
      .where('state', 'not in', openStates)
      .where(raw<boolean>`not (${isRepeated})`)
      .executeTakeFirst()
    return Number(ended.numDeletedRows) + Number(sentNotices.numDeletedRows)
  }, 'process')
}

const MINUTE_MS = 60_000
const waitsMinutes = [1, 2, 5, 10, 20] as const
const LONGEST_MINUTES = 30

/** Time in ms after which a message that could not be delivered expires: 24 h after it was queued, but not before 6 attempts. */
export const LIFETIME_MS = 24 * 60 * MINUTE_MS

/**
 * Minimum number of attempts to send a message before it expires, also if it is older than a day: 6. A clock that is set forward then does
 * not expire it at once.
 */
export const FEWEST_ATTEMPTS = 6

/**
 * Returns the delay before the next attempt to send a delivery, in ms: 1, 2, 5, 10, 20, then always 30 min. It is at least `askedMs`, which
 * the provider requested, and at most 24 h. `attempts` is the number of failed attempts, from 1.
 */
export function deliveryDelayMs(attempts: number, askedMs = 0): number {
  const waitMs = (waitsMinutes[attempts - 1] ?? LONGEST_MINUTES) * MINUTE_MS
  return Math.min(Math.max(waitMs, askedMs), LIFETIME_MS)
}
