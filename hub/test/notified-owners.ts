import type { Clock } from '../src/platform/clock.ts'
import { collections } from '../src/records/collections/collections.ts'
import type { Database } from '../src/platform/db/database.ts'
import type { EventBus } from '../src/platform/events/event-bus.ts'
import { hashPassword } from '../src/accounts/passwords/password.ts'
import { startNotifier } from '../src/alerts/notifications/notifier.ts'
import type { RecordStore } from '../src/records/model/record-store.ts'
import { recordTableStore } from '../src/records/engine/record-table-store.ts'
import { secretBox } from '../src/platform/secrets/secret-box.ts'
import { settingsOf } from '../src/settings/settings.ts'
import { silentLog } from './databases.ts'
import { webPushKey } from './told-channel.ts'

/** Starts a notifier on a database; every process that calls this has the same secret. */
export async function notifierOn(database: Database, clock: Clock, bus: EventBus) {
  const secrets = secretBox(Buffer.alloc(32, 3))
  const store = recordTableStore({ database, collections, secrets, clock })
  const engine = { database, collections, store, sources: new Map(), secrets, clock, hashPassword }
  const settings = settingsOf(database, secrets)
  return {
    store,
    notifier: await startNotifier({ engine, settings, bus, webPushKey, appUrl: undefined, internalDestinations: false, log: silentLog }),
  }
}

/** Ids of all users who get notifications, sorted. */
export async function ownersOf(store: Pick<RecordStore, 'loadWhere'>): Promise<readonly string[]> {
  const people = await store.loadWhere('users', {})
  return people.map(({ id }) => id).toSorted()
}
