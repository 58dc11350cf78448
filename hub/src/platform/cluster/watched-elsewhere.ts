import { z } from 'zod'
import type { EventBus } from '../events/event-bus.ts'
import { startLoop } from '../loop.ts'
import type { HubMessages } from './hub-messages.ts'

const SUBJECT = 'hubs.watching'
const SAY_EVERY_MS = 5000
/** A hub that has not said anything for this long watches nothing. */
const SILENT_AFTER_MS = 15_000
const MOST_HUBS = 100

const watchingSchema = z.object({ hub: z.string().max(100), collections: z.array(z.string().max(100)).max(100) })

/** Tells the other hubs which collections the users of this hub watch live, and learns the same of them. */
export type WatchedElsewhere = AsyncDisposable & {
  readonly isWatched: (collection: string) => boolean
}

type WatchedParts = {
  readonly messages: HubMessages
  readonly bus: Pick<EventBus, 'isWatched' | 'onWatches'>
  /** Id of this hub. */
  readonly hub: string
  /** The collections that hubs tell each other about. */
  readonly collections: readonly string[]
  /** Called with the collections of this hub's users when they have changed. */
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
