import type { SeriesPoints } from '@vedette/protocol/metrics/series'
import type { Json } from '@vedette/protocol/wire/stats-json'

export type RecordAction = 'create' | 'update' | 'delete'

/** Record in an event, as stored: its id and a map from field name to JSON value. Includes fields that clients never see. */
export type ChangedRecord = { readonly id: string; readonly [field: string]: Json }

/**
 * Event of a committed change (create, update or delete) to a record, as passed on the event bus. `previous` is the record before an
 * update, if available; in a delete event `record` is the last state.
 */
export type RecordEvent = {
  readonly action: RecordAction
  readonly collection: string
  /**
   * Stored record after the change; in a delete event its last state. A getter may build it at the first access, so a listener should check
   * the event's `collection` first.
   */
  readonly record: ChangedRecord
  readonly previous?: ChangedRecord
  /** Id of the hub that committed the change; `undefined` for this hub. */
  readonly hub?: string
  /**
   * Sample that caused this record event: system id, time in epoch ms, and `points`, the keys and values of its series. `undefined` for
   * events of all other changes.
   */
  readonly sample?: { readonly system: string; readonly atMs: number; readonly points: SeriesPoints }
}

/**
 * Function that is called with each record event of the collections for which it was subscribed. It must be synchronous and must not throw.
 */
export type EventListener = (event: RecordEvent) => void

/**
 * Function that a subscriber of the event bus provides. It returns true while at least one of that subscriber's realtime clients subscribes
 * to the named collection.
 */
export type Watches = (collection: string) => boolean

/** Collections whose record events a listener gets: a list of names, or `'all'` for those of every collection. */
export type WatchedCollections = readonly string[] | 'all'

/** Event bus that passes committed record events to subscribers in commit order. `publish` also takes events that other hubs committed. */
export type EventBus = {
  readonly publish: (event: RecordEvent) => void
  /**
   * Calls the listener for each record event of the collections. `watches` returns true if realtime clients of this subscriber need a
   * collection. Returns the function that unsubscribes.
   */
  readonly subscribe: (collections: WatchedCollections, listener: EventListener, watches?: Watches) => () => void
  /**
   * Returns true when realtime clients need events of this collection. Stores use it to choose how often they store batches. It must decide
   * nothing else, because the result may be outdated.
   */
  readonly isWatched: Watches
  /** Calls the `onWatches` listeners. A subscriber calls it when its realtime clients subscribe to other collections than before. */
  readonly noteWatches: () => void
  /**
   * Subscribes to changes of the results of `isWatched`. The listener gets no arguments, so it must call `isWatched` again. Returns the
   * function that unsubscribes.
   */
  readonly onWatches: (listener: () => void) => () => void
}

type Subscription = { readonly collections: WatchedCollections; readonly listener: EventListener; readonly watches: Watches }

/** Creates the event bus of one process. `publish` calls all listeners for the event's collection synchronously before it returns. */
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
