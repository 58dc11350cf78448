/**
 * A list after a record event: a created or updated record replaces the one with its id or comes last (what shows the list
 * sorts it), a deleted one is gone. Records that the event does not concern stay the same objects.
 */
export function applyEvent<T extends { readonly id: string }>(list: readonly T[], action: string, record: T): readonly T[] {
  if (action === 'delete') return list.filter(({ id }) => id !== record.id)
  if (!list.some(({ id }) => id === record.id)) return [...list, record]
  return list.map((one) => (one.id === record.id ? record : one))
}
