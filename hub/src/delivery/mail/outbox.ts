import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import type { Clock } from '../../platform/clock.ts'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import { earliestDue, isDueAt } from '../../platform/db/due-time.ts'
import { isJsonObject, parseJson } from '../../platform/json.ts'
import { randomId } from '../../records/model/stored-record.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'

/** A queued email: its reason and recipient. It is rendered when it is sent. */
export type MailJob = { readonly body: JsonObject; readonly lifetimeMs: number }

export type WaitingJob = {
  readonly id: string
  readonly body: JsonObject | undefined
  /** Number of earlier attempts, from 0. */
  readonly attempts: number
  /** The email is dropped after this time; epoch milliseconds. */
  readonly expiresMs: number
}

export type Outbox = {
  /** Stores a job. Returns false, and stores nothing, if too many are queued. */
  readonly put: (unit: UnitOfWork, job: MailJob) => Promise<boolean>
  /** Takes due jobs, and moves their due time to `untilMs(attempts)`. If this process crashes, they are retried then. */
  readonly take: (most: number, untilMs: (attempts: number) => number) => Promise<readonly WaitingJob[]>
  readonly remove: (id: string) => Promise<void>
  /** Due time of the next job; undefined if there is none. */
  readonly nextDueMs: () => Promise<number | undefined>
  /** Makes all jobs due now, such as after the mail server's settings were corrected. */
  readonly hurry: () => Promise<void>
}

const PLACE = 'mail_outbox.job'
/** Limit of queued emails. Above it, emails are requested faster than they are sent. */
const MOST_WAITING = 1000

type Parts = { readonly database: Database; readonly secrets: SecretBox; readonly clock: Clock }

/** The queue of emails in the database, so a crash loses none. Recipients are encrypted. */
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

    async hurry() {
      await database.write(
        async ({ sql }) => void (await sql.updateTable('mail_outbox').set({ due: clock.now(), scheduled: clock.now() }).execute()),
      )
    },
  }
}
