import { hashSync } from 'bcryptjs'
import { randomBytes } from 'node:crypto'
import { isBcrypt } from '../../../accounts/passwords/verify-bcrypt.ts'
import type { StoredRecord } from '../../../records/model/stored-record.ts'
import { textOf } from '../../../records/model/stored-record.ts'

const COST = 10

/**
 * Creates a function that returns the bcrypt hash for an exported account: its own, else that of `newPassword` for an admin. Others, and
 * admins without `newPassword`, get a hash that no password matches, until they choose a new one.
 */
export function portablePasswords(newPassword: string | undefined): (account: StoredRecord) => string {
  const nobody = hashSync(randomBytes(32).toString('base64url'), COST)
  const chosen = newPassword === undefined ? nobody : hashSync(newPassword, COST)
  return (account) => (isPortablePassword(account) ? textOf(account, 'password') : account['role'] === 'admin' ? chosen : nobody)
}

/** Returns true if the account's stored password hash is bcrypt, which the hub that receives the export can check. */
export const isPortablePassword = (account: StoredRecord): boolean => isBcrypt(textOf(account, 'password'))
