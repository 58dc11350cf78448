import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import type { Clock } from '../../platform/clock.ts'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import { earliestDue, isDueAt } from '../../platform/db/due-time.ts'
import { isJsonObject, parseJson } from '../../records/model/json-value.ts'
import { randomId } from '../../records/model/record-id.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'

/** What is to be written to somebody: why and to whom. The letter itself is made when it is sent. */
export type MailJob = { readonly body: JsonObject; readonly lifetimeMs: number }

export type WaitingJob = {
  readonly id: string
  readonly body: JsonObject | undefined
  /** How often it was tried before, from 0. */
  readonly attempts: number
  /** After this it helps nobody any more; epoch milliseconds. */
  readonly expiresMs: number
}

export type Outbox = {
  /** False when there are too many already: then nothing was stored. */
  readonly put: (unit: UnitOfWork, job: MailJob) => Promise<boolean>
  /** What is due now and not tried elsewhere: each is put off, so that whoever dies with it has not lost it. */
  readonly take: (most: number, untilMs: (attempts: number) => number) => Promise<readonly WaitingJob[]>
  readonly remove: (id: string) => Promise<void>
  /** When the next one is due; undefined when there is none. */
  readonly nextDueMs: () => Promise<number | undefined>
  /** Makes everything due now: what kept it waiting was put right. */
  readonly hurry: () => Promise<void>
}

const PLACE = 'mail_outbox.job'
/** Beyond it somebody asks for letters faster than they go out. */
const MOST_WAITING = 1000

type Parts = { readonly database: Database; readonly secrets: SecretBox; readonly clock: Clock }

/** Letters on their way, in the database: none is lost with the process. Who they are for is sealed. */
export function outboxOf({ database, secrets, clock }: Parts): Outbox {
  const opened = (job: string): JsonObject | undefined => {
    try {
      const body = parseJson(secrets.open(PLACE, job))
      return isJsonObject(body) ? body : undefined
    } catch {
      // Damaged: whoever takes it says so and drops it.
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
