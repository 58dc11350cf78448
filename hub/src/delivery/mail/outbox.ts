import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import type { Clock } from '../../platform/clock.ts'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import { earliestDue, isDueAt } from '../../platform/db/due-time.ts'
import { isJsonObject, parseJson } from '../../platform/json.ts'
import { randomId } from '../../platform/secrets/random-id.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import { startLoop, untilDue } from '../../platform/loop.ts'
import type { Log } from '../../platform/log.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Message } from './email.ts'
import { MailFailure, sendMessage } from './send-message.ts'

/**
 * Email to be queued. `body` is a JSON object with the kind of email and its recipient; the texts are rendered from it only at sending. The
 * email is dropped if not sent within `lifetimeMs` (ms).
 */
export type MailJob = { readonly body: JsonObject; readonly lifetimeMs: number }

export type WaitingJob = {
  readonly id: string
  readonly body: JsonObject | undefined
  /** Number of attempts to send this queued email before now: 0 before the first attempt. */
  readonly attempts: number
  /** Time, in epoch ms, after which this queued email is dropped if it could not be sent. */
  readonly expiresMs: number
}

export type Outbox = {
  /**
   * Adds an email to the queue, within the transaction `unit`. Resolves to true; or to false, storing nothing, if 1000 emails are queued
   * already.
   */
  readonly put: (unit: UnitOfWork, job: MailJob) => Promise<boolean>
  /**
   * Resolves to at most `most` due emails of the queue, for sending. Each becomes due again at `untilMs(attempts)` (epoch ms) unless
   * `remove` is called before. `attempts` is its number of attempts including this one.
   */
  readonly take: (most: number, untilMs: (attempts: number) => number) => Promise<readonly WaitingJob[]>
  readonly remove: (id: string) => Promise<void>
  /** Resolves to the time when the next queued email is due, in epoch ms. `undefined` if there is none. */
  readonly nextDueMs: () => Promise<number | undefined>
  /** Makes all queued emails due now, such as after the mail server's settings were corrected. */
  readonly retryNow: () => Promise<void>
}

const PLACE = 'mail_outbox.job'
/** Maximum number of emails in the queue: 1000. While it is full, a further email is not queued and never sent. */
const MOST_WAITING = 1000

type Parts = { readonly database: Database; readonly secrets: SecretBox; readonly clock: Clock }

/**
 * Creates the queue of emails in the database, which survives a crash: functions that add emails, take due ones and remove them. Entries
 * are encrypted, because they contain recipients.
 */
export function outboxOf({ database, secrets, clock }: Parts): Outbox {
  const opened = (job: string): JsonObject | undefined => {
    try {
      const body = parseJson(secrets.open(PLACE, job))
      return isJsonObject(body) ? body : undefined
    } catch {
      // A damaged job is logged and dropped when it is taken.
      return undefined
    }
  }
  return {
    async put({ sql }, { body, lifetimeMs }) {
      const nowMs = clock.now()
      const { waiting } = await sql
        .selectFrom('mail_outbox')
        .select(({ fn }) => fn.countAll<number>().as('waiting'))
        .executeTakeFirstOrThrow()
      if (waiting >= MOST_WAITING) return false
      const job = secrets.seal(PLACE, JSON.stringify(body))
      await sql
        .insertInto('mail_outbox')
        .values({ id: randomId(20), due: nowMs, scheduled: nowMs, expires: nowMs + lifetimeMs, attempts: 0, job })
        .execute()
      return true
    },

    take: (most, untilMs) =>
      database.write(async ({ sql, alone }) => {
        await alone('mail outbox')
        const nowMs = clock.now()
        const rows = await sql
          .selectFrom('mail_outbox')
          .selectAll()
          .where(isDueAt('scheduled', nowMs))
          .orderBy('due')
          .orderBy('id')
          .limit(most)
          .execute()
        for (const { id, attempts } of rows)
          await sql
            .updateTable('mail_outbox')
            .set({ attempts: attempts + 1, due: untilMs(attempts + 1), scheduled: nowMs })
            .where('id', '=', id)
            .execute()
        return rows.map(({ id, attempts, expires, job }) => ({
          id,
          attempts,
          expiresMs: expires,
          body: opened(job),
        }))
      }),

    async remove(id) {
      await database.write(async ({ sql }) => void (await sql.deleteFrom('mail_outbox').where('id', '=', id).execute()))
    },

    async nextDueMs() {
      const select = database.kysely.selectFrom('mail_outbox').select(earliestDue('scheduled', clock.now()).as('due'))
      return (await select.executeTakeFirstOrThrow()).due ?? undefined
    },

    async retryNow() {
      await database.write(
        async ({ sql }) => void (await sql.updateTable('mail_outbox').set({ due: clock.now(), scheduled: clock.now() }).execute()),
      )
    },
  }
}

/**
 * Function that renders a queued email at sending time from its JSON, the `body` of a {@link MailJob}. `isFirstTry` is false for retries.
 * Resolves to `undefined` if the email must be dropped, for example because the recipient no longer exists.
 */
export type Compose = (body: JsonObject, isFirstTry: boolean) => Promise<Message | undefined>

export type Delivery = {
  /** Queues an email in the database, so that it survives a crash. Resolves to false, and stores nothing, if 1000 emails are queued. */
  readonly post: (job: MailJob) => Promise<boolean>
  /** Makes all queued emails due now, such as after a change of the mail server's settings. */
  readonly retryNow: () => Promise<void>
  /** Returns a promise that resolves when the background loop is idle: it neither looks for due emails nor sends one. */
  readonly settled: () => Promise<void>
  readonly close: () => Promise<void>
}

export type DeliveryParts = {
  readonly outbox: Outbox
  readonly database: Database
  readonly settings: Settings
  readonly compose: Compose
  readonly clock: Clock
  readonly log: Log
}

const AT_ONCE = 10

/**
 * Starts the background loop that sends the queued emails one by one. It retries each until the mail server accepts it, rejects it for
 * good, or it expires. Returns functions to queue an email, retry all now, and stop.
 */
export function startDelivery({ outbox, database, settings, compose, clock, log }: DeliveryParts): Delivery {
  async function deliver({ id, body, attempts, expiresMs }: WaitingJob, signal: AbortSignal): Promise<void> {
    if (body === undefined) {
      log.error('email dropped: its queue entry cannot be read', { id })
      return outbox.remove(id)
    }
    if (expiresMs <= clock.now()) {
      log.warn('email dropped: it could not be sent in time', { id, attempts })
      return outbox.remove(id)
    }
    const { smtp, meta } = await settings.load()
    if (!smtp.enabled) return
    const message = await compose(body, attempts === 0)
    if (message === undefined) return outbox.remove(id)
    const sender = { name: meta.senderName, address: meta.senderAddress }
    try {
      await sendMessage({ smtp, sender, message, messageId: `<${id}@${sender.address.split('@').at(-1)}>`, signal })
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error
      if (signal.aborted) return
      log.warn('email not sent', { id, attempts: attempts + 1, reason: error.reason, final: error.isFinal })
      if (!error.isFinal) return
    }
    await outbox.remove(id)
  }

  async function work(signal: AbortSignal): Promise<number | undefined> {
    const next = await outbox.nextDueMs()
    if (next === undefined || next > clock.now()) return untilDue(clock.now(), next)
    const due = await outbox.take(AT_ONCE, (attempts) => clock.now() + emailDelayMs(attempts))
    for (const job of due) {
      // After the next start the rest is sent at its retry time.
      if (signal.aborted) return undefined
      // An email that cannot be rendered must not block the others. It is retried later.
      await deliver(job, signal).catch((error: unknown) => log.error('email not rendered', { id: job.id, error }))
    }
    return due.length === AT_ONCE ? 0 : untilDue(clock.now(), await outbox.nextDueMs())
  }

  const loop = startLoop({ work, onError: (error) => log.error('email queue not processed', { error }) })
  return {
    async post(job) {
      const stored = await database.write((unit) => outbox.put(unit, job))
      if (!stored) log.warn('email rejected: the queue is full')
      loop.wake()
      return stored
    },
    async retryNow() {
      await outbox.retryNow()
      loop.wake()
    },
    settled: loop.settled,
    close: async () => loop[Symbol.asyncDispose](),
  }
}

const FIRST_MS = 10_000
const LONGEST_MS = 3_600_000

/**
 * Returns the delay before the next attempt to send an email, in ms. `attempts` is the number of failed ones, from 1: 10 s, 30 s, 90 s, …,
 * at most 1 h.
 */
export function emailDelayMs(attempts: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 3 ** Math.max(0, attempts - 1))
}
