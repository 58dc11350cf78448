import type { UnitOfWork } from '../platform/db/database.ts'
import type { RecordStore } from '../records/model/record-store.ts'

/** Gives systems without a user to the first admin. They registered themselves before any account existed. */
export async function adoptOrphans(unit: UnitOfWork, records: RecordStore, admin: string): Promise<void> {
  for (const system of await records.loadWhere('systems', { users: [] }, unit)) {
    await records.update(unit, 'systems', system.id, { users: [admin] })
  }
}
