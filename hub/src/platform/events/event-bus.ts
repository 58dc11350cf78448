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

/** Whether somebody wants to be told now what measurements change in a collection. */
export type WantsMeasured = (collection: string) => boolean

/** Carries committed changes to whoever wants them, in the order of the commits. A border: several hubs will share one. */
export type EventBus = {
  readonly publish: (event: RecordEvent) => void
  /**
   * Returns the undo. What measurements change, many times a second, need not be published while no listener wants it;
   * without `wantsMeasured` a listener wants all of it.
   */
  readonly subscribe: (listener: EventListener, wantsMeasured?: WantsMeasured) => () => void
  /** Whether any listener does. */
  readonly wantsMeasured: WantsMeasured
}

/** The bus of a hub on its own: synchronous, in process. A listener must not throw; it only takes notes. */
export function inProcessEventBus(): EventBus {
  const listeners = new Map<EventListener, WantsMeasured>()
  return {
    publish(event) {
      for (const listener of listeners.keys()) listener(event)
    },
    subscribe(listener, wantsMeasured = () => true) {
      listeners.set(listener, wantsMeasured)
      return () => listeners.delete(listener)
    },
    wantsMeasured: (collection) => listeners.values().some((wants) => wants(collection)),
  }
}
