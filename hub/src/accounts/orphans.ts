import type { UnitOfWork } from '../platform/db/database.ts'
import type { RecordStore } from '../records/model/record-store.ts'

/** Systems that registered themselves before there was anybody to own them belong to the first admin. */
export async function adoptOrphans(unit: UnitOfWork, records: RecordStore, admin: string): Promise<void> {
  for (const system of await records.loadWhere('systems', { users: [] }, unit)) {
    await records.update(unit, 'systems', system.id, { users: [admin] })
  }
}
