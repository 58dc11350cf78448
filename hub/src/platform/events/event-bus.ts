import type { SeriesPoints } from '@vedette/protocol/metrics/series'
import type { Json } from '@vedette/protocol/wire/stats-json'

export type RecordAction = 'create' | 'update' | 'delete'

/** A record in an event: field name → value, hidden fields too. */
export type ChangedRecord = { readonly id: string; readonly [field: string]: Json }

/** A committed change. `previous` is the record before an update, when known; for a delete `record` is the last state. */
export type RecordEvent = {
  readonly action: RecordAction
  readonly collection: string
  /** May be computed at the first read, so check `collection` before. */
  readonly record: ChangedRecord
  readonly previous?: ChangedRecord
  /** Id of the hub that committed the change; `undefined` for this one. */
  readonly hub?: string
  /** A new sample, as columns. */
  readonly sample?: { readonly system: string; readonly atMs: number; readonly points: SeriesPoints }
}

/** Must be synchronous and must not throw. */
export type EventListener = (event: RecordEvent) => void

/** True when a listener currently shows changes of this collection to a user. */
export type Watches = (collection: string) => boolean

/** Names of collections, or every collection. */
export type Collections = readonly string[] | 'all'

/** Publishes committed changes to listeners in commit order. A port: in process today; events of other processes enter through `publish`. */
export type EventBus = {
  readonly publish: (event: RecordEvent) => void
  /** Returns the function that unsubscribes. */
  readonly subscribe: (collections: Collections, listener: EventListener, watches?: Watches) => () => void
  /** True when a listener currently shows the collection to a user. Only the pace of batches may depend on it. */
  readonly isWatched: Watches
  /** A listener calls it when its `watches` has changed. */
  readonly noteWatches: () => void
  /** Calls the listener when collections may have become watched or unwatched. Returns the function that removes it. */
  readonly onWatches: (listener: () => void) => () => void
}

type Subscription = { readonly collections: Collections; readonly listener: EventListener; readonly watches: Watches }

/** The bus of one process. It calls listeners before `publish` returns. */
export function inProcessEventBus(): EventBus {
  const subscriptions = new Set<Subscription>()
  const watchListeners = new Set<() => void>()
  const noteWatches = (): void => watchListeners.forEach((listener) => listener())
  const takes = ({ collections }: Subscription, name: string): boolean => collections === 'all' || collections.includes(name)
  return {
    publish(event) {
      for (const one of subscriptions) if (takes(one, event.collection)) one.listener(event)
    },
    subscribe(collections, listener, watches = () => false) {
      const subscription = { collections, listener, watches }
      subscriptions.add(subscription)
      noteWatches()
      return () => {
        subscriptions.delete(subscription)
        noteWatches()
      }
    },
    noteWatches,
    onWatches(listener) {
      watchListeners.add(listener)
      return () => void watchListeners.delete(listener)
    },
    isWatched: (collection) => subscriptions.values().some(({ watches }) => watches(collection)),
  }
}
