import type { Actor } from '../model/actor.ts'
import type { Collection } from '../model/collection.ts'
import type { Engine } from '../engine/engine.ts'
import type { Topic } from './realtime-topic.ts'
import { viewOf, type View } from './realtime-views.ts'

/** Who looks at which collection, gathered by how: whoever looks alike is one view. */
export type Audience<Subscriber> = {
  readonly join: (subscriber: Subscriber, actor: Actor, topics: Iterable<Topic>) => void
  readonly leave: (subscriber: Subscriber, actor: Actor, topics: Iterable<Topic>) => void
  readonly has: (collection: Collection) => boolean
  /** The views of a collection with those who have them; the sets are the living ones. */
  readonly of: (collection: Collection) => Iterable<{ readonly view: View; readonly subscribers: ReadonlySet<Subscriber> }>
}

/** `actor` is told apart by identity: a changed account is another object. */
export function audienceOf<Subscriber>(engine: Engine): Audience<Subscriber> {
  type Seats = { readonly view: View; readonly subscribers: Set<Subscriber> }
  const byCollection = new Map<Collection, Map<string, Seats>>()
  const numbers = new WeakMap<object, number>()
  let last = 0
  function numberOf(actor: Actor): number {
    if (actor === undefined) return 0
    const number = numbers.get(actor) ?? (last += 1)
    numbers.set(actor, number)
    return number
  }

  return {
    join(subscriber, actor, topics) {
      for (const topic of topics) {
        const collection = engine.collections.find(topic.name)
        if (collection === undefined) continue
        const views = byCollection.get(collection) ?? new Map<string, Seats>()
        byCollection.set(collection, views)
        const key = `${numberOf(actor)} ${topic.text}`
        const seats = views.get(key) ?? { view: viewOf(engine, { collection, topic, actor }), subscribers: new Set() }
        views.set(key, seats)
        seats.subscribers.add(subscriber)
      }
    },
    leave(subscriber, actor, topics) {
      for (const topic of topics) {
        const collection = engine.collections.find(topic.name)
        const views = collection === undefined ? undefined : byCollection.get(collection)
        const key = `${numberOf(actor)} ${topic.text}`
        const subscribers = views?.get(key)?.subscribers
        subscribers?.delete(subscriber)
        if (subscribers?.size === 0) views?.delete(key)
      }
    },
    has: (collection) => (byCollection.get(collection)?.size ?? 0) > 0,
    of: (collection) => byCollection.get(collection)?.values() ?? [],
  }
}
