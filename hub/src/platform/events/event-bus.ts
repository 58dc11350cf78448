import type { SeriesPoints } from '@vedette/protocol/metrics/series'
import type { Json } from '@vedette/protocol/wire/stats-json'

export type RecordAction = 'create' | 'update' | 'delete'

/** A record as a change carries it: field name → value, hidden fields too. */
export type ChangedRecord = { readonly id: string; readonly [field: string]: Json }

/** A committed change. `previous` is the record before an update, where it is known; for a delete `record` is the last state. */
export type RecordEvent = {
  readonly action: RecordAction
  readonly collection: string
  /** May be computed when it is first read: check `collection` before. */
  readonly record: ChangedRecord
  readonly previous?: ChangedRecord
  /** A new sample, as columns. */
  readonly sample?: { readonly system: string; readonly atMs: number; readonly points: SeriesPoints }
}

/** Must not throw or wait. */
export type EventListener = (event: RecordEvent) => void

/** Whether a listener shows changes of a collection to somebody now. */
export type Watches = (collection: string) => boolean

/** The names of collections, or every one. */
export type Collections = readonly string[] | 'all'

/**
 * Carries committed changes to their listeners, in the order of the commits. A port: in process today; events of other processes
 * enter through `publish`.
 */
export type EventBus = {
  readonly publish: (event: RecordEvent) => void
  /** Returns the function that unsubscribes. */
  readonly subscribe: (collections: Collections, listener: EventListener, watches?: Watches) => () => void
  /** Whether a listener shows the collection to somebody now. Only the pace of batches may depend on it. */
  readonly isWatched: Watches
}

type Subscription = { readonly collections: Collections; readonly listener: EventListener; readonly watches: Watches }

/** The bus of one process. It calls listeners before `publish` returns. */
export function inProcessEventBus(): EventBus {
  const subscriptions = new Set<Subscription>()
  const takes = ({ collections }: Subscription, name: string): boolean => collections === 'all' || collections.includes(name)
  return {
    publish(event) {
      for (const one of subscriptions) if (takes(one, event.collection)) one.listener(event)
    },
    subscribe(collections, listener, watches = () => false) {
      const subscription = { collections, listener, watches }
      subscriptions.add(subscription)
      return () => subscriptions.delete(subscription)
    },
    isWatched: (collection) => subscriptions.values().some(({ watches }) => watches(collection)),
  }
}
