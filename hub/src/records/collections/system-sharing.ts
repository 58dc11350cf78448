import { idsIn } from '../filter/matches.ts'
import type { SentWrite } from '../model/collection.ts'
import type { FieldErrors } from '../model/record-error.ts'
import type { RecordValues } from '../model/record-store.ts'
import { isAdmin } from '../model/stored-record.ts'

/**
 * Returns errors by field for a request that changes `users` of a system; `{}` if it may. Only admins and these users may share a system:
 * access by a tag does not suffice.
 */
export function sharingErrors({ previous, actor }: SentWrite, next: RecordValues): FieldErrors {
  const before = idsIn(previous?.['users'])
  if (previous === undefined || isAdmin(actor) || before.includes(actor?.id ?? '')) return {}
  if (next['users'] === undefined || JSON.stringify(next['users']) === JSON.stringify(before)) return {}
  const message = 'Only users of the system and admins can change who its users are.'
  return { users: { code: 'validation_not_allowed', message } }
}
