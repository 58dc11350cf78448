import type { EventBus, RecordEvent } from '../events/event-bus.ts'

/**
 * Set of record events that were recently published on this hub's event bus: its own and those from messages of other hubs. The journal
 * skips them.
 */
export type RecentEvents = {
  /**
   * Returns true when the event has recently been published. After a false result, the record's later events also count as unpublished, so
   * that they are published again in order and the last one wins.
   */
  readonly isKnown: (event: RecordEvent) => boolean
  /** Drops the events that were published before the previous call of this function. Called after each read of the journal. */
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
