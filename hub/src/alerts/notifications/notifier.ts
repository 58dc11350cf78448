import type { HubSide } from '../../delivery/channels/channel.ts'
import { atMost } from '../../platform/deadline.ts'
import { startLoop, untilDue } from '../../platform/loop.ts'
import type { EventBus, RecordEvent } from '../../platform/events/event-bus.ts'
import type { Log } from '../../platform/log.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { textOf } from '../../records/model/stored-record.ts'
import type { Settings } from '../../settings/settings.ts'
import { FEWEST_ATTEMPTS, waitAfterMs } from './back-off.ts'
import { NOTICES } from '../incidents/notice.ts'
import { deliver } from './deliver.ts'
import { deliveryStore, type Ending, type TakenDelivery } from './delivery-store.ts'
import { handOnNotices } from './hand-on.ts'
import { channelsOf } from './persons-channels.ts'

/** Sends notifications at least once. A repeat has the same key, and happens only after a crash between sending and storing the outcome. */
export type Notifier = {
  /** Checks for due notifications now. */
  readonly wake: () => void
  /** Resolves when nothing due is left. */
  readonly settled: () => Promise<void>
  readonly close: () => Promise<void>
}

type Parts = {
  readonly engine: Engine
  readonly settings: Settings
  readonly bus: Pick<EventBus, 'subscribe'>
  readonly hub: HubSide
  readonly appUrl: string | undefined
  readonly internalDestinations: boolean
  readonly log: Log
}

/** Maximum number of concurrent deliveries. A server that does not respond blocks one until its timeout. */
const AT_ONCE = 16
/** Longer than any exchange with a channel. After a crash, another process retries when the lease ends. */
const LEASE_MS = 120_000
/** Polling interval. Deliveries that another process queued do not wake this one. */
const LOOK_EVERY_MS = 5000
const DAY_MS = 86_400_000

type GivenUp = { readonly said: string; readonly ending: Ending }

export function startNotifier({ engine, settings, bus, hub, appUrl, internalDestinations, log }: Parts): Notifier {
  const { database, store: records, secrets, clock } = engine
  const sendsMail = async (): Promise<boolean> => (await settings.load()).smtp.enabled
  const deliveries = deliveryStore({ database, secrets, clock })
  const handOn = handOnNotices({ database, records, deliveries, clock, sendsMail })
  const active = new Set<Promise<void>>()
  const underWay = new Set<string>()

  async function work(): Promise<number> {
    const isMore = isDue(await handOn.nextDueMs()) && (await handOn.run())
    const room = AT_ONCE - active.size
    if (room > 0 && isDue(await deliveries.nextDueMs([...underWay])))
      for (const taken of await deliveries.take(room, LEASE_MS, [...underWay])) send(taken)
    return isMore ? 0 : Math.min(LOOK_EVERY_MS, untilDue(clock.now(), await nextDueMs()) ?? LOOK_EVERY_MS)
  }

  const isDue = (dueMs: number | undefined): boolean => dueMs !== undefined && dueMs <= clock.now()

  function send(taken: TakenDelivery): void {
    underWay.add(taken.id)
    const attempt = tryOnce(taken).finally(() => underWay.delete(taken.id))
    // Any process may retry when the lease ends.
    track(attempt, (error) => log.error('notification not sent', { id: taken.id, kind: taken.kind, error }))
  }

  /** Runs beside the loop and wakes it when the task is done. */
  function track(task: Promise<void>, onError: (error: unknown) => void): void {
    const tracked = task.catch(onError).finally(() => {
      active.delete(tracked)
      loop.wake()
    })
    active.add(tracked)
  }

  async function tryOnce(taken: TakenDelivery): Promise<void> {
    const { id, kind, attempts, owner } = taken
    const verdict = await deliver({ database, records, settings, clock, hub, appUrl, internalDestinations }, taken)
    if (verdict.outcome === 'delivered') return deliveries.end({ id, said: '', ending: 'delivered' })
    if (verdict.outcome === 'gone') return deliveries.end({ id, said: verdict.said, ending: 'expired' })
    const dueMs = clock.now() + waitAfterMs(attempts, verdict.outcome === 'later' ? verdict.afterMs : 0)
    const { said, reached } = verdict
    log.warn('notification not taken', { id, kind, owner, attempts, said, outcome: verdict.outcome })
    const isOver = dueMs >= taken.expiresMs && attempts >= FEWEST_ATTEMPTS
    if (verdict.outcome === 'later' && !isOver && taken.job !== undefined)
      return deliveries.postpone({ id, said, dueMs, job: { ...taken.job, reached } })
    await giveUp(taken, { said, ending: verdict.outcome === 'later' ? 'expired' : 'refused' })
  }

  /** Ends the delivery and notifies the owner by their other channels, at most once a day. */
  async function giveUp({ id, kind, channel, owner, job }: TakenDelivery, { said, ending }: GivenUp): Promise<void> {
    await deliveries.end({ id, said, ending })
    if (job === undefined || job.own !== undefined) return
    const mail = await sendsMail()
    await database.write(async (unit) => {
      const all = await channelsOf({ records, unit, owner, sendsMail: mail })
      const own = { title: `Notifications by ${kind} do not arrive`, body: `The last one was given up: ${said}` }
      const message = `trouble-${channel.slice(0, 8)}-${Math.floor(clock.now() / DAY_MS)}`
      const target = JSON.stringify(job.target)
      const others = all.filter((other) => JSON.stringify(other.target) !== target)
      await deliveries.put(
        unit,
        others.map((other) => ({ ...other, message, owner, notices: [], own })),
      )
    })
  }

  async function nextDueMs(): Promise<number | undefined> {
    // When all slots are in use, the first finished delivery wakes the loop.
    const all = [await handOn.nextDueMs(), active.size < AT_ONCE ? await deliveries.nextDueMs([...underWay]) : undefined]
    const known = all.filter((dueMs) => dueMs !== undefined)
    return known.length === 0 ? undefined : Math.min(...known)
  }

  const loop = startLoop({ work, retryMs: LOOK_EVERY_MS, onError: (error) => log.error('notifications not handed on', { error }) })
  const listen = ({ collection, action, record }: RecordEvent): void => {
    const failed = (error: unknown): void => log.error('deliveries not rescheduled', { collection, id: record.id, error })
    if (collection === NOTICES) loop.wake()
    // The settings contain the time zone of quiet hours.
    if (collection === 'quiet_hours' || collection === 'user_settings') track(handOn.recheck(textOf(record, 'user')), failed)
    if (collection === 'users' && action === 'delete') track(deliveries.forgetOwner(record.id), failed)
  }
  const unsubscribe = bus.subscribe([NOTICES, 'quiet_hours', 'user_settings', 'users'], listen)
  return {
    wake: loop.wake,
    async settled() {
      await loop.settled()
      while (active.size > 0) {
        await Promise.all(active)
        await loop.settled()
      }
    },
    async close() {
      unsubscribe()
      await Promise.all([loop[Symbol.asyncDispose](), atMost(LEAVE_MS, Promise.all(active))])
    },
  }
}

/** A provider that does not respond must not delay a shutdown. Unconfirmed messages are sent again after the next start. */
const LEAVE_MS = 3000
