import type { Json } from '@vedette/protocol/wire/stats-json'

export type RecordAction = 'create' | 'update' | 'delete'

/** A record as a change carries it: field name → value, hidden fields too. */
export type ChangedRecord = { readonly id: string; readonly [field: string]: Json }

/** A change that is committed. `previous` is the record before an update; for a delete `record` is the last state. */
export type RecordEvent = {
  readonly action: RecordAction
  readonly collection: string
  readonly record: ChangedRecord
  readonly previous?: ChangedRecord
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
