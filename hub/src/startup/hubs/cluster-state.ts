import { changeJournal, type ChangeJournal } from '../../platform/cluster/change-journal.ts'
import { allDuties, sharedDuties, type Duties } from '../../platform/cluster/duties.ts'
import { storedCounts } from '../../platform/cluster/stored-counts.ts'
import type { HubMessages } from '../../platform/cluster/hub-messages.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import { memoryCounts, type AttemptCounts } from '../../platform/limits/attempt-counts.ts'
import type { LogOf } from '../../platform/log.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import { isRelevantChange } from './relevant-changes.ts'

/**
 * State that several hubs of one database share: rate-limit counters (`counts`) and leases of background tasks (`duties`). A single hub has
 * its own in memory.
 */
export type ClusterState = {
  readonly counts: AttemptCounts
  readonly duties: Duties
  /** Promise that resolves when changes of other hubs were missed and cannot be recovered. The hub must then restart. */
  readonly missed: Promise<void>
}

type ClusterStateParts = {
  readonly database: Database
  readonly secrets: SecretBox
  readonly bus: EventBus
  readonly clock: Clock
  readonly logOf: LogOf
  readonly stack: AsyncDisposableStack
  /** Id of this hub, stored with the changes that it makes and with its leases of background tasks. */
  readonly hub: string
  /** Message connection to the other hubs. `undefined` for a single hub, which has no journal either. */
  readonly messages: HubMessages | undefined
  readonly journal: ChangeJournal | undefined
}

/**
 * Creates the change journal of a hub that shares its database; `hub` is the hub's id. It stores those record events for which {@link
 * isRelevantChange} returns true in the table `changes`, from its first `follow` on.
 */
export const journalOf = (hub: string): ChangeJournal => changeJournal({ hub, isRelevant: isRelevantChange })

/**
 * Starts to publish on `bus` the changes that other hubs make, and resolves to the {@link ClusterState}. Call it before reading shared
 * data, so that no change is missed. For a single hub, it only resolves to a state in memory.
 */
export async function openClusterState(parts: ClusterStateParts): Promise<ClusterState> {
  const { database, secrets, bus, clock, logOf, stack, hub, messages, journal } = parts
  const { promise: missed, resolve: onMissed } = Promise.withResolvers<void>()
  if (messages === undefined || journal === undefined) return { counts: memoryCounts(clock), duties: allDuties, missed }
  const log = logOf('hubs')
  const following = stack.use(await journal.follow({ database, bus, secrets, log, onMissed }))
  // Messages may have been lost until the connection was back.
  stack.defer(messages.onConnection((isConnected) => isConnected && void following.read()))
  const duties = sharedDuties({ database, hub, log })
  return { counts: storedCounts(database, secrets), duties, missed }
}
