import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { startLoop, untilDue } from '../../platform/loop.ts'
import type { Log } from '../../platform/log.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Message } from './message.ts'
import type { MailJob, Outbox, WaitingJob } from './outbox.ts'
import { waitAfterMs } from './retry.ts'
import { MailFailure, sendMessage } from './send-message.ts'

/** Renders the email of a job; undefined if its recipient or its reason is gone. */
export type Compose = (body: JsonObject, isFirstTry: boolean) => Promise<Message | undefined>

export type Delivery = {
  /** Queues an email in the database, so it survives a crash. Returns false if too many are queued. */
  readonly post: (job: MailJob) => Promise<boolean>
  /** Makes all queued emails due now, such as after a change of the settings. */
  readonly hurry: () => Promise<void>
  /** Resolves when nothing due is left. */
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

/** Sends the emails in the outbox one by one, at least once. A repeat has the same message id. */
export function startDelivery({ outbox, database, settings, compose, clock, log }: DeliveryParts): Delivery {
  async function deliver({ id, body, attempts, expiresMs }: WaitingJob): Promise<void> {
    if (body === undefined) {
      log.error('mail dropped: it cannot be read', { id })
      return outbox.remove(id)
    }
    if (expiresMs <= clock.now()) {
      log.warn('mail dropped: it could not be sent in time', { id, attempts })
      return outbox.remove(id)
    }
    const { smtp, meta } = await settings.load()
    if (!smtp.enabled) return
    const message = await compose(body, attempts === 0)
    if (message === undefined) return outbox.remove(id)
    const sender = { name: meta.senderName, address: meta.senderAddress }
    try {
      await sendMessage({ smtp, sender, message, messageId: `<${id}@${sender.address.split('@').at(-1)}>` })
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error
      log.warn('mail not sent', { id, attempts: attempts + 1, reason: error.reason, final: error.isFinal })
      if (!error.isFinal) return
    }
    await outbox.remove(id)
  }

  async function work(): Promise<number | undefined> {
    const next = await outbox.nextDueMs()
    if (next === undefined || next > clock.now()) return untilDue(clock.now(), next)
    const due = await outbox.take(AT_ONCE, (attempts) => clock.now() + waitAfterMs(attempts))
    for (const job of due)
      // An email that cannot be rendered must not block the others. It is retried later.
      await deliver(job).catch((error: unknown) => log.error('mail not made', { id: job.id, error }))
    return due.length === AT_ONCE ? 0 : untilDue(clock.now(), await outbox.nextDueMs())
  }

  // A mail server that does not respond holds up no shutdown: the email is sent again after the next start.
  const loop = startLoop({ work, onError: (error) => log.error('mail not delivered', { error }) })
  return {
    async post(job) {
      const stored = await database.write((unit) => outbox.put(unit, job))
      if (!stored) log.warn('mail not accepted: too many are waiting')
      loop.wake()
      return stored
    },
    async hurry() {
      await outbox.hurry()
      loop.wake()
    },
    settled: loop.settled,
    close: async () => loop[Symbol.asyncDispose](),
  }
}
