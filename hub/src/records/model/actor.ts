import type { StoredRecord } from './stored-record.ts'

/** Who asks: a record of `users`, or nobody known. */
export type Actor = StoredRecord | undefined

/** Whether no rule binds them. */
export function isAdmin(actor: Actor): boolean {
  return actor?.['role'] === 'admin' && actor['verified'] === true
}
