import type { EventBus, RecordEvent } from '../events/event-bus.ts'

/**
 * Set of record events that were published on this hub's event bus shortly before, from this hub or by messages. The reader of the table
 * `changes` skips them, so that no event is published twice.
 */
export type RecentEvents = {
  /**
   * Returns true if the event is in the set, because it was published recently. If not, removes all events of its record from the set, so
   * that later ones are published again and the last one wins.
   */
  readonly isKnown: (event: RecordEvent) => boolean
  /**
   * Removes those record events from the set that were published before the previous call of `forget`. It is called after each read of the
   * table `changes`, so that an event stays for at least one read.
   */
  readonly forget: () => void
  readonly close: () => void
}

export function recentEvents(bus: EventBus, isRelevant: (event: RecordEvent) => boolean): RecentEvents {
  let current = new Map<string, Set<string>>()
  let earlier = new Map<string, Set<string>>()
  const close = bus.subscribe('all', (event) => {
    if (!isRelevant(event)) return
    const key = keyOf(event)
    current.set(key, (current.get(key) ?? new Set()).add(textOf(event)))
  })
  return {
    isKnown(event) {
      const [key, text] = [keyOf(event), textOf(event)]
      if (current.get(key)?.has(text) === true || earlier.get(key)?.has(text) === true) return true
      current.delete(key)
      earlier.delete(key)
      return false
    },
    forget() {
      earlier = current
      current = new Map()
    },
    close,
  }
}

const keyOf = ({ collection, record }: RecordEvent): string => `${collection} ${record.id}`
const textOf = ({ action, record }: RecordEvent): string => `${action} ${JSON.stringify(record)}`
