import { z } from 'zod'
import type { EventBus } from '../events/event-bus.ts'
import { startLoop } from '../loop.ts'
import type { HubMessages } from './hub-messages.ts'

const SUBJECT = 'hubs.watching'
const SAY_EVERY_MS = 5000
/**
 * Time in ms (15 s) after a hub's last message about its subscribers. If no further message arrives by then, that hub counts as having no
 * subscribers.
 */
const SILENT_AFTER_MS = 15_000
const MOST_HUBS = 100

const watchingSchema = z.object({ hub: z.string().max(100), collections: z.array(z.string().max(100)).max(100) })

/**
 * Service that returns whether users of other hubs subscribe to a collection. It covers only the collections that change with every sample;
 * the hubs inform each other by messages.
 */
export type WatchedElsewhere = AsyncDisposable & {
  readonly isWatched: (collection: string) => boolean
}

type WatchedParts = {
  readonly messages: HubMessages
  readonly bus: Pick<EventBus, 'isWatched' | 'onWatches'>
  /** Id of this hub, sent to other hubs with its list of collections that have subscribers. */
  readonly hub: string
  /**
   * Names of the collections that change with every sample, such as `system_stats`. Hubs report to each other which of them have
   * subscribers.
   */
  readonly collections: readonly string[]
  /** Called with the names of all collections that have subscribers on this hub, each time that set changes. */
  readonly onWatched: (collections: readonly string[]) => void
  readonly onError: (error: unknown) => void
}

export function watchedElsewhere({ messages, bus, hub, collections, onWatched, onError }: WatchedParts): WatchedElsewhere {
  const others = new Map<string, { readonly collections: ReadonlySet<string>; readonly atMs: number }>()
  let watched: readonly string[] = []

  const say = (): void => messages.publish(SUBJECT, { hub, collections: watched })

  function look(): void {
    const next = collections.filter((name) => bus.isWatched(name))
    if (next.join() === watched.join()) return
    watched = next
    onWatched(next)
    say()
  }

  const stopListening = messages.subscribe(SUBJECT, (message) => {
    const { success, data } = watchingSchema.safeParse(message)
    if (!success || data.hub === hub) return
    const isNew = !others.has(data.hub)
    if (isNew && others.size >= MOST_HUBS) return
    others.set(data.hub, { collections: new Set(data.collections), atMs: performance.now() })
    if (isNew) say()
  })
  const stopLooking = bus.onWatches(look)
  const stopFollowing = messages.onConnection((isConnected) => isConnected && say())
  const loop = startLoop({
    async work() {
      const nowMs = performance.now()
      for (const [other, { atMs }] of others) if (nowMs - atMs > SILENT_AFTER_MS) others.delete(other)
      say()
      return SAY_EVERY_MS
    },
    onError,
  })
  look()
  return {
    isWatched: (collection) => others.values().some((other) => other.collections.has(collection)),
    async [Symbol.asyncDispose]() {
      for (const stop of [stopListening, stopLooking, stopFollowing]) stop()
      await loop[Symbol.asyncDispose]()
    },
  }
}
