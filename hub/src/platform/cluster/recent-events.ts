import type { EventBus, RecordEvent } from '../events/event-bus.ts'

/** Recent events that have already been published here: this hub's own, and those of other hubs that came as a message. */
export type RecentEvents = {
  /**
   * True for an event that has been published. After the first one that has not, no later event of that record is known either: events of
   * a record must be published in order, so that the last one wins.
   */
  readonly isKnown: (event: RecordEvent) => boolean
  /** Forgets the events that were published before the previous call. */
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
