import type { StoredRecord } from './stored-record.ts'

/** The caller: a record of `users`, or `undefined` for a guest. */
export type Actor = StoredRecord | undefined

/** Whether the caller is a verified admin, to whom no access rule applies. */
export function isAdmin(actor: Actor): boolean {
  return actor?.['role'] === 'admin' && actor['verified'] === true
}
