import { hashPassword } from '../src/accounts/passwords/password.ts'
import { systemClock, type Clock } from '../src/platform/clock.ts'
import { collections } from '../src/records/collections/collections.ts'
import type { Database } from '../src/platform/db/database.ts'
import type { Engine } from '../src/records/engine/engine.ts'
import { recordTableStore } from '../src/records/engine/record-table-store.ts'
import { secretBox } from '../src/platform/secrets/secret-box.ts'

/** The same key in all processes, so that they can share a database. */
const KEY = Buffer.alloc(32, 7)

/** The records engine over a real database. */
export function engineOn(database: Database, clock: Clock = systemClock): Engine {
  const secrets = secretBox(KEY)
  const store = recordTableStore({ database, collections, secrets, clock })
  return { database, collections, store, sources: new Map(), secrets, clock, hashPassword }
}
