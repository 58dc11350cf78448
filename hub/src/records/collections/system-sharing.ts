import { idsIn } from '../filter/matches.ts'
import type { SentWrite } from '../model/collection.ts'
import type { FieldErrors } from '../model/record-error.ts'
import type { RecordValues } from '../model/record-store.ts'
import { isAdmin } from '../model/stored-record.ts'

/**
 * Returns the errors by field when a request may not change a system's `users`; `{}` if it may. Only an admin or one of these users may:
 * others have access by a tag only, which must not make anybody a user of the system.
 */
export function sharingErrors({ previous, actor }: SentWrite, next: RecordValues): FieldErrors {
  const before = idsIn(previous?.['users'])
  if (previous === undefined || isAdmin(actor) || before.includes(actor?.id ?? '')) return {}
  if (next['users'] === undefined || JSON.stringify(next['users']) === JSON.stringify(before)) return {}
  const message = 'Only users of the system and admins can change who its users are.'
  return { users: { code: 'validation_not_allowed', message } }
}
