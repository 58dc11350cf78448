import type { Clock } from '../../platform/clock.ts'
import type { DatabaseOptions } from '../../platform/db/database.ts'
import { openDatabase } from '../../platform/db/open-database.ts'
import { inProcessEventBus } from '../../platform/events/event-bus.ts'
import type { Log } from '../../platform/log.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import { collections } from '../../records/collections/collections.ts'
import { recordTableStore } from '../../records/engine/record-table-store.ts'
import type { TransferTarget } from './foreign-hub.ts'

/**
 * Second connection to this hub's own database, for an import. Events of changes on it reach no subscriber, so imported systems are not
 * polled before the hub restarts.
 */
export type OwnTarget = TransferTarget & AsyncDisposable

type TargetParts = { readonly at: DatabaseOptions['at']; readonly secrets: SecretBox; readonly clock: Clock; readonly log: Log }

/**
 * Opens an additional connection to the database of this hub, for an import while the hub runs. Disposing the result closes the connection.
 */
export async function openOwnTarget({ at, secrets, clock, log }: TargetParts): Promise<OwnTarget> {
  const database = await openDatabase({ at, bus: inProcessEventBus(), log })
  const records = recordTableStore({ database, collections, secrets, clock })
  return { database, records, secrets, clock, [Symbol.asyncDispose]: () => database.close() }
}
