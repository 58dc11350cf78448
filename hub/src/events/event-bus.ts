import type { StoredRecord } from '../records/stored-record.ts'

export type RecordAction = 'create' | 'update' | 'delete'

/** A change that is committed. `previous` is the record before an update; for a delete `record` is the last state. */
export type RecordEvent = {
  readonly action: RecordAction
  readonly collection: string
  readonly record: StoredRecord
  readonly previous?: StoredRecord
}

export type EventListener = (event: RecordEvent) => void

/** Carries committed changes to whoever wants them, in the order of the commits. A border: several hubs will share one. */
export type EventBus = {
  readonly publish: (event: RecordEvent) => void
  /** Returns the undo. */
  readonly subscribe: (listener: EventListener) => () => void
}

/** The bus of a hub on its own: synchronous, in process. A listener must not throw; it only takes notes. */
export function inProcessEventBus(): EventBus {
  const listeners = new Set<EventListener>()
  return {
    publish(event) {
      for (const listener of listeners) listener(event)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
