import { z } from 'zod'
import type { HubMessages } from '../../platform/cluster/hub-messages.ts'
import type { Membership } from '../../platform/cluster/membership.ts'
import { databaseFailure } from '../../platform/db/database-failures.ts'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import { firstTime } from '../../platform/limits/first-time.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop } from '../../platform/loop.ts'
import type { LeaseFence } from '../../samples/sample-store.ts'
import { admits, endsLease, heirOf } from './lease-rules.ts'
import { leaseTable, type OwnLease } from './lease-table.ts'
import type { OwnershipListener, SystemOwnership } from './system-ownership.ts'

/**
 * Grace period, in ms (90 s), for the agent of a system whose owner hub is gone. Until it ends, the system does not become down, and none
 * of its pending alerts fires.
 */
const SETTLING_MS = 90_000
/**
 * Time in ms (6 s) since this hub last renewed its own row in the table of hubs, after which the database counts as unreachable. A renewal
 * is due every 2 s.
 */
const DATABASE_AWAY_AFTER_MS = 6000
/**
 * Grace period after a database outage, in ms (30 s), in which agents reconnect. Until it ends, systems without a connection do not become
 * down.
 */
const DATABASE_BACK_GRACE_MS = 30_000
/**
 * Maximum number of leases (system id and epoch) in one message that announces new owners to the other hubs: 500. More leases are sent in
 * several messages.
 */
const LEASES_IN_MESSAGE = 500
/**
 * Number of renewals of this hub's row (one every 2 s) after which the hub compares the systems that it owns with the database: 5. It
 * applies while messages between hubs arrive; otherwise each renewal compares.
 */
const RENEWALS_PER_COMPARISON = 5

const TAKEN = 'leases.taken'
const LOOK = 'leases.look'
const takenSchema = z.object({ leases: z.array(z.tuple([z.string().max(100), z.int()])).max(LEASES_IN_MESSAGE) })

/**
 * Service by which several hubs on one database share the systems: each system has a lease, whose owner hub polls it and evaluates its
 * alerts.
 */
export type LeasedOwnership = SystemOwnership &
  AsyncDisposable & {
    readonly fence: LeaseFence
    /**
     * Resolves to true when this hub may fire an alert of the system whose delay (`min`) is over. It must own the system, and the agent
     * must have no grace period to reconnect. The ownership is locked until the transaction ends.
     */
    readonly decides: (unit: UnitOfWork, system: string) => Promise<boolean>
    /**
     * Resolves to the id of the hub that owns (polls) the system with this id, even if that hub is gone. `undefined` when no hub has a
     * lease for the system.
     */
    readonly ownerOf: (system: string) => Promise<string | undefined>
    /**
     * Compares the number of systems that this hub owns with the database at once, and corrects differences. Takes its share of systems
     * without a living owner. Hands systems over if the living hubs, or which of them are draining, have changed. Never rejects.
     */
    readonly look: () => Promise<void>
  }

type OwnershipParts = {
  readonly database: Database
  readonly membership: Membership
  readonly messages: Pick<HubMessages, 'publish' | 'subscribe' | 'isConnected'>
  readonly bus: Pick<EventBus, 'subscribe'>
  readonly log: Log
  /** Function that returns the time of a monotonic clock, in ms. Default: `performance.now`. */
  readonly nowMs?: () => number
  readonly awayAfterMs?: number
}

/**
 * Ownership of a system by this hub, in its memory. `settledAtMs`: end of the agent's grace period to reconnect, by the monotonic clock.
 * `change`: number of the update that stored this entry; a database read that began before it does not remove the entry.
 */
type HeldLease = { readonly epoch: number; readonly change: number; readonly settledAtMs: number }

/**
 * Starts to share the systems with the other hubs of the database. A connecting agent moves its system to its hub; {@link heirOf} spreads
 * all other systems. Resolves when this hub owns its share.
 */
export async function leasedOwnership(parts: OwnershipParts): Promise<LeasedOwnership> {
  const { database, membership, messages, bus, log, nowMs = () => performance.now(), awayAfterMs = DATABASE_AWAY_AFTER_MS } = parts
  const table = leaseTable(database, membership.id, membership.livingIds)
  const held = new Map<string, HeldLease>()
  const isFirst = firstTime()
  const listeners = new Set<OwnershipListener>()
  let changes = 0
  /**
   * Comma-separated list of the living hubs, each as `ID isDraining`, at the last distribution of systems to hubs. A different text means
   * that the hubs have changed, so systems are distributed again.
   */
  let hubsAtHandOver = ''
  let renewals = 0
  let hasNudged = false
  let renewedAtMs = nowMs()
  let backSettledAtMs = Number.NEGATIVE_INFINITY

  const isDatabaseAway = (): boolean => nowMs() - renewedAtMs > awayAfterMs

  /**
   * Returns the time, in ms of the monotonic clock, at which the grace period ends in which a system's agent may reconnect. It depends on
   * the system's `lease` and on a database outage. Until then the system does not become down.
   */
  const settledAtMs = (lease: HeldLease | undefined): number =>
    Math.max(lease?.settledAtMs ?? 0, isDatabaseAway() ? nowMs() + DATABASE_BACK_GRACE_MS : backSettledAtMs)

  const moved = (systems: readonly string[]): void => {
    if (systems.length > 0) for (const { onMoved } of listeners) onMoved(systems)
  }

  function hold({ system, epoch }: OwnLease, believedAtMs: number): void {
    held.set(system, { epoch, change: ++changes, settledAtMs: believedAtMs })
  }

  function lose(systems: readonly string[]): void {
    const lost = systems.filter((system) => held.delete(system))
    if (lost.length > 0) log.info('systems lost to another hub', { systems: lost.length })
    moved(lost)
  }

  function gain(leases: readonly OwnLease[], reason: string): void {
    const believedAtMs = nowMs() + SETTLING_MS
    for (const lease of leases) hold(lease, believedAtMs)
    if (leases.length > 0) log.info('systems taken over', { systems: leases.length, reason })
    announce(leases)
    moved(leases.map(({ system }) => system))
  }

  /**
   * Publishes to all other hubs that this hub owns the systems of `leases` now, so that their former owner hubs stop polling them. Leases
   * of epoch 1 are left out, because they have no former owner.
   */
  function announce(leases: readonly OwnLease[]): void {
    const later = leases.filter(({ epoch }) => epoch > 1)
    for (let from = 0; from < later.length; from += LEASES_IN_MESSAGE) {
      const some = later.slice(from, from + LEASES_IN_MESSAGE)
      messages.publish(TAKEN, { leases: some.map(({ system, epoch }) => [system, epoch]) })
    }
  }

  async function look(): Promise<void> {
    const { systems, leases, own, living } = await table.counts()
    if (own !== held.size) await compare()
    if (living < systems) await inherit()
    if (leases > systems) await table.deleteUnused()
    await handOver()
  }

  /**
   * Compares the map of systems that this hub owns with the leases in the database. Removes from the map the systems of which this hub has
   * no lease any more, and adds those that other hubs gave.
   */
  async function compare(): Promise<void> {
    const readAt = changes
    const stored = new Map((await table.own()).map((lease) => [lease.system, lease]))
    const isUnread = (system: string): boolean => (held.get(system)?.change ?? 0) > readAt
    lose([...held.keys()].filter((system) => !stored.has(system) && !isUnread(system)))
    const gained = [...stored.values()].filter(({ system, epoch }) => held.get(system)?.epoch !== epoch && !isUnread(system))
    gain(gained, 'given by another hub')
  }

  async function inherit(): Promise<void> {
    const ownerless = await table.ownerless()
    const mine = ownerless.filter((system) => heirOf(system, membership.living()) === membership.id)
    if (mine.length > 0) gain(await table.inherit(mine), 'without a living owner')
    if (mine.length < ownerless.length) requestChecks()
  }

  /** Asks the other hubs to compare the systems that they own with the database, at most once per renewal of this hub's row (2 s). */
  function requestChecks(): void {
    if (!hasNudged) messages.publish(LOOK, null)
    hasNudged = true
  }

  /**
   * Hands each system of this hub over to the hub that {@link heirOf} chooses. Does nothing while the living hubs, and which of them are
   * draining, are unchanged. Systems whose agents are connected here by WebSocket stay.
   */
  async function handOver(): Promise<void> {
    const living = membership.living()
    const hubs = living.map(({ id, isDraining }) => `${id} ${isDraining}`).join()
    if (hubs === hubsAtHandOver || listeners.size === 0) return
    const isDialled = (system: string): boolean => [...listeners].every((listener) => listener.isDialled(system))
    const given = Map.groupBy([...held.keys()].filter(isDialled), (system) => heirOf(system, living))
    for (const [heir, systems] of given) if (heir !== undefined && heir !== membership.id) lose(await table.handOver(systems, heir))
    hubsAtHandOver = hubs
    if (given.size > 1) requestChecks()
  }

  await look()
  const loop = startLoop({
    async work() {
      await look()
      return undefined
    },
    onError: (error) => log[databaseFailure(error) === undefined ? 'error' : 'warn']('ownership of systems not checked', { error }),
  })
  const subscriptions = [
    membership.onRenewal(() => {
      if (isDatabaseAway()) backSettledAtMs = nowMs() + DATABASE_BACK_GRACE_MS
      renewedAtMs = nowMs()
      renewals += 1
      hasNudged = false
      const hubs = membership
        .living()
        .map(({ id, isDraining }) => `${id} ${isDraining}`)
        .join()
      if (!messages.isConnected() || hubs !== hubsAtHandOver || renewals % RENEWALS_PER_COMPARISON === 0) loop.wake()
    }),
    messages.subscribe(TAKEN, (message) => {
      const read = takenSchema.safeParse(message)
      if (!read.success) {
        if (isFirst(TAKEN)) log.warn('messages of another hub ignored: this version cannot read them', { subject: TAKEN })
        // The database holds the leases of the unreadable message too.
        return loop.wake()
      }
      lose(read.data.leases.filter(([system, epoch]) => endsLease(held.get(system)?.epoch ?? epoch, epoch)).map(([system]) => system))
    }),
    messages.subscribe(LOOK, () => loop.wake()),
    bus.subscribe(['systems'], ({ action, record }) => {
      if (action === 'create' && !held.has(record.id)) loop.wake()
    }),
  ]

  async function claim(system: string): Promise<boolean> {
    const lease = { system, epoch: await table.claim(system) }
    const isNew = held.get(system)?.epoch !== lease.epoch
    hold(lease, Number.NEGATIVE_INFINITY)
    if (isNew) announce([lease])
    return isNew
  }

  async function admitted(unit: UnitOfWork, writers: Parameters<LeaseFence['admit']>[1]): Promise<ReadonlySet<string>> {
    const hub = membership.id
    const ids = writers.map(({ system }) => system)
    const locked = new Map((await table.lock(unit, ids)).map(({ system, epoch }) => [system, { hub, epoch }]))
    const allowed = writers.filter(({ system, epoch }) => epoch !== undefined && admits(locked.get(system), { hub, epoch }))
    if (allowed.length < writers.length) loop.wake()
    return new Set(allowed.map(({ system }) => system))
  }

  return {
    owns: (system) => held.has(system),
    epochOf: (system) => held.get(system)?.epoch,
    claim,
    settlingMs: (system) => Math.max(0, settledAtMs(held.get(system)) - nowMs()),
    admits: async (unit, system, epoch) => (await admitted(unit, [{ system, epoch }])).has(system),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    fence: { ready: membership.assureLiving, admit: admitted },
    async decides(unit, system) {
      const lease = held.get(system)
      if (lease === undefined || settledAtMs(lease) > nowMs()) return false
      return (await admitted(unit, [{ system, epoch: lease.epoch }])).has(system)
    },
    ownerOf: table.ownerOf,
    look: loop.run,
    async [Symbol.asyncDispose]() {
      for (const unsubscribe of subscriptions) unsubscribe()
      await loop[Symbol.asyncDispose]()
    },
  }
}
