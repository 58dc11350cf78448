import type { UnitOfWork } from '../../platform/db/database.ts'
import type { RecordStore } from './record-store.ts'
import { isAdmin, type StoredRecord } from './stored-record.ts'

/**
 * Resolves to true if the account is the only verified admin, so that it must stay an admin. Takes a database lock, so that two
 * transactions cannot demote the last two admins.
 */
export async function isOnlyAdmin(
  account: StoredRecord,
  { unit, store }: { readonly unit: UnitOfWork; readonly store: RecordStore },
): Promise<boolean> {
  if (!isAdmin(account)) return false
  await unit.alone('admins')
  const admins = await store.loadWhere('users', { role: 'admin', verified: true }, unit)
  return admins.every(({ id }) => id === account.id)
}
