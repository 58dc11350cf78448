import { ownValue } from '@vedette/protocol/own-value'
import type { RecordEvent } from '../../platform/events/event-bus.ts'
import type { Collections } from '../model/collection.ts'

/**
 * A change as every collection shows it: the one whose record it is, and those that are views of it. A record that comes to have
 * the values of a view is new there, one that no longer has them is gone.
 */
export function asEverybodyShowsIt({ all }: Collections, event: RecordEvent): readonly RecordEvent[] {
  const views = all.flatMap(({ name, viewOf }) => {
    if (viewOf?.collection !== event.collection) return []
    const isIn = (record: RecordEvent['record'] | undefined): boolean =>
      record !== undefined && Object.entries(viewOf.values).every(([field, value]) => ownValue(record, field) === value)
    const shown = asShownIn(name, event, isIn)
    return shown === undefined ? [] : [shown]
  })
  return [event, ...views]
}

function asShownIn(
  collection: string,
  { action, record, previous }: RecordEvent,
  isIn: (record: RecordEvent['record'] | undefined) => boolean,
): RecordEvent | undefined {
  const now = action !== 'delete' && isIn(record)
  // An update that does not say what was before changed nothing that a view goes by.
  const before = action === 'delete' ? isIn(record) : action === 'update' && isIn(previous ?? record)
  if (now && before) return { action: 'update', collection, record, ...(previous && { previous }) }
  if (now) return { action: 'create', collection, record }
  return before ? { action: 'delete', collection, record: previous ?? record } : undefined
}
