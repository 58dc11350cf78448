import { ownValue } from '@vedette/protocol/own-value'
import type { RecordEvent } from '../../platform/events/event-bus.ts'
import { judgementOf, relatedFor, relatedRecords } from '../engine/access.ts'
import type { Engine } from '../engine/engine.ts'
import { type Budget, type RelatedRecords, loadRelated, matcher } from '../filter/matches.ts'
import type { RequestFacts } from '../filter/request-facts.ts'
import { resolver } from '../filter/resolve.ts'
import { type Actor, isAdmin } from '../model/actor.ts'
import type { Collection, Collections } from '../model/collection.ts'
import type { StoredRecord } from '../model/stored-record.ts'
import { fieldPicker } from '../presentation/pick-fields.ts'
import { parseExpand, presentExpanded } from '../reading/expand.ts'
import type { Topic } from './realtime-topic.ts'

/** How subscribers look at a collection: who they are, and what they asked for. All who look alike share one. */
export type View = {
  readonly collection: Collection
  readonly topic: Topic
  readonly facts: RequestFacts
  /** Whether rule and filter let the record through; never throws: what cannot be read lets nothing through. */
  readonly sees: (record: StoredRecord, related: RelatedRecords, budget: Budget) => Promise<boolean>
  /** What the text of a record is the same for: everybody, or this account alone. */
  readonly shownTo: string
}

/** A record as it was before it was deleted, for a while: what went with it is judged by it. */
export type DeletedRecord = (collection: string, id: string) => StoredRecord | undefined

/** What all filters of one account together may cost an event. */
const MOST_STEPS_OF_AN_EVENT = 20_000
/** Records that one event may show, with all that is expanded. */
const MOST_SHOWN = 1000

/** Names that mean another thing every moment. */
const ABOUT_TIME = /@(?!request\b|collection\b)\w/

/** Rule and filter are read once, for as long as somebody looks this way. */
export function viewOf(engine: Engine, { collection, topic, actor }: { collection: Collection; topic: Topic; actor: Actor }): View {
  const facts: RequestFacts = { actor, context: 'realtime', method: 'GET', query: topic.query, headers: topic.headers }
  const rule = topic.rest === '*' ? 'list' : 'view'
  const timeless = !ABOUT_TIME.test(`${collection.rules[rule] ?? ''} ${topic.query['filter'] ?? ''}`)
  const fresh = () => [judgementOf(engine, { collection, rule, facts }), filterOf(engine, { collection, topic, actor, facts })] as const
  let known: ReturnType<typeof fresh> | undefined
  const personal = (topic.query['expand'] ?? '') !== '' || collection.fields.some(({ kind }) => kind === 'email')
  return {
    collection,
    topic,
    facts,
    shownTo: personal ? (actor?.id ?? '') : 'everybody',
    async sees(record, related, budget) {
      try {
        const [may, asks] = timeless ? (known ??= fresh()) : fresh()
        const [allowed] = await may([record], related)
        return allowed === true && (await asks(record, related, budget))
      } catch {
        // A filter that is none, or too much work, is its writer's business: they hear nothing, as they would of a list.
        return false
      }
    },
  }
}

type Subscription = { readonly collection: Collection; readonly topic: Topic; readonly actor: Actor; readonly facts: RequestFacts }

function filterOf(engine: Engine, { collection, topic, actor, facts }: Subscription): View['sees'] {
  const filter = topic.query['filter'] ?? ''
  if (filter === '') return async () => true
  const resolving = resolver(collection, { collections: engine.collections, facts, nowMs: engine.clock.now() })
  const plan = resolving.plan(resolving.condition(filter, isAdmin(actor) ? 'everything' : 'own'))
  const matches = matcher(plan)
  return async (record, related, budget) => matches(record, await loadRelated(plan.joins, [record], related), budget)
}

/**
 * One event as each view sees it: the record's JSON text, or undefined for who does not see it. What lies beside the record
 * is loaded once for all of them, and whoever is shown the same shares one text.
 */
export function seenBy(engine: Engine, event: RecordEvent, deleted: DeletedRecord): (view: View) => Promise<string | undefined> {
  const beside = loadedOnce(engine, event.action === 'delete' ? deleted : () => undefined)
  const texts = new Map<string, Promise<string>>()
  const budgets = new Map<string, Budget>()
  const budgetOf = (account: string): Budget => {
    const budget = budgets.get(account) ?? { steps: MOST_STEPS_OF_AN_EVENT }
    budgets.set(account, budget)
    return budget
  }
  const textFor = async ({ collection, topic, facts }: View): Promise<string> => {
    const [shown = {}] = await presentExpanded(
      engine,
      { collection, facts, mostShown: MOST_SHOWN },
      [event.record],
      parseExpand(topic.query['expand'] ?? ''),
    )
    return JSON.stringify(fieldPicker(topic.query['fields'] ?? '')(shown))
  }
  return async (view) => {
    const related = { ...beside, listable: relatedFor(engine, view.facts).listable }
    if (!(await view.sees(event.record, related, budgetOf(view.facts.actor?.id ?? '')))) return undefined
    const key = `${view.shownTo} ${view.topic.query['fields'] ?? ''} ${view.topic.query['expand'] ?? ''}`
    const text = texts.get(key) ?? textFor(view)
    texts.set(key, text)
    return text
  }
}

/** Records beside the event's, each asked of the database once, whoever looks. */
function loadedOnce(engine: Engine, deleted: DeletedRecord): Omit<RelatedRecords, 'listable'> {
  const living = relatedRecords(engine, async (_, records) => records)
  const loaded = new Map<string, Promise<readonly StoredRecord[]>>()
  const once = (key: string, load: () => Promise<readonly StoredRecord[]>): Promise<readonly StoredRecord[]> => {
    const known = loaded.get(key) ?? load()
    loaded.set(key, known)
    return known
  }
  return {
    loadMany: (collection, ids) =>
      once(`many ${collection.name} ${ids.join(' ')}`, async () => {
        const found = await living.loadMany(collection, ids)
        const gone = ids.filter((id) => found.every((record) => record.id !== id)).map((id) => deleted(collection.name, id))
        return [...found, ...gone.filter((record) => record !== undefined)]
      }),
    loadReferring: (collection, field, ids) =>
      once(`referring ${collection.name} ${field.name} ${ids.join(' ')}`, () => living.loadReferring(collection, field, ids)),
    loadAll: (collection) => once(`all ${collection.name}`, () => living.loadAll(collection)),
  }
}

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

/**
 * A change as every collection shows it: the one whose record it is, and those that are views of it. A record that comes to have
 * the values of a view is new there, one that no longer has them is gone.
 */
export function asEverybodyShowsIt({ all }: Collections, event: RecordEvent): readonly RecordEvent[] {
  const views = all.flatMap(({ name, viewOf }) => {
    if (viewOf?.collection !== event.collection) return []
    const isIn = (record: RecordEvent['record'] | undefined): boolean =>
      record !== undefined && Object.entries(viewOf.values).every(([field, value]) => ownValue(record, field) === value)
    const shown = asShownIn(name, event, isIn)
    return shown === undefined ? [] : [shown]
  })
  return [event, ...views]
}

function asShownIn(
  collection: string,
  { action, record, previous }: RecordEvent,
  isIn: (record: RecordEvent['record'] | undefined) => boolean,
): RecordEvent | undefined {
  const now = action !== 'delete' && isIn(record)
  // An update that does not say what was before changed nothing that a view goes by.
  const before = action === 'delete' ? isIn(record) : action === 'update' && isIn(previous ?? record)
  if (now && before) return { action: 'update', collection, record, ...(previous && { previous }) }
  if (now) return { action: 'create', collection, record }
  return before ? { action: 'delete', collection, record: previous ?? record } : undefined
}
