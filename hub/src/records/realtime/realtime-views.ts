import { ownValue } from '@vedette/protocol/own-value'
import type { RecordEvent } from '../../platform/events/event-bus.ts'
import { judgementOf, relatedFor, relatedRecords } from '../engine/access.ts'
import type { Engine } from '../engine/engine.ts'
import { type RelatedRecords, loadRelated, matcher } from '../filter/matches.ts'
import type { Budget } from '../filter/comparison.ts'
import type { RequestFacts } from '../filter/filter-names.ts'
import { resolver } from '../filter/resolve.ts'
import { type Actor, isAdmin, type StoredRecord } from '../model/stored-record.ts'
import type { Collection, Collections } from '../model/collection.ts'
import { fieldPicker, presentRecord } from '../presentation/present.ts'
import { parseExpand, presentExpanded } from '../reading/expand.ts'
import type { Topic } from './realtime-topic.ts'

/**
 * Realtime topic of a collection as one account sees it. `facts` has the account and the topic's options, for access rules and filters. All
 * subscribers with the same account and topic share it, so that access is checked once per event.
 */
export type View = {
  readonly collection: Collection
  readonly topic: Topic
  readonly facts: RequestFacts
  /**
   * Resolves to true when the access rule of the collection and the filter in the topic's options allow the account to see a record.
   * `related` loads the records that rule and filter refer to. Never rejects: an invalid filter allows nothing.
   */
  readonly sees: (record: StoredRecord, related: RelatedRecords, budget: Budget) => Promise<boolean>
  /**
   * Key by which views share the JSON text of an event: `everybody` if the text is the same for all accounts. Otherwise it is the account's
   * id, `''` for guests.
   */
  readonly shownTo: string
}

/**
 * Function that returns a recently deleted record by collection and id; `undefined` if this hub does not have it in memory. Access to a
 * deleted container depends on its system, which may be deleted too.
 */
export type DeletedRecord = (collection: string, id: string) => StoredRecord | undefined

/**
 * Maximum number of filter steps (rows and comparisons) that one account's topics may cost for one event: 20,000. Beyond it, the account's
 * remaining topics do not get the event.
 */
const MOST_STEPS_OF_AN_EVENT = 20_000
/** Maximum number of records in the data of one realtime event, including expanded ones: 1,000. */
const MOST_SHOWN = 1000

/** Regular expression for filter macros whose value depends on the current time, such as `@now`. */
const TIME_MACRO = /@(?!request\b|collection\b)\w/

/**
 * Creates the view of a collection's realtime topic for an account. The access rule and the topic's filter are parsed once; if they contain
 * a time such as `@now`, again for each event.
 */
export function viewOf(engine: Engine, { collection, topic, actor }: { collection: Collection; topic: Topic; actor: Actor }): View {
  const facts: RequestFacts = { actor, context: 'realtime', method: 'GET', query: topic.query, headers: topic.headers }
  const rule = topic.rest === '*' ? 'list' : 'view'
  const timeless = !TIME_MACRO.test(`${collection.rules[rule] ?? ''} ${topic.query['filter'] ?? ''}`)
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
        // An invalid or too costly filter only affects its subscriber, who then receives no events.
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
  return async (record, related, budget) => matches(record, await loadRelated(matches.joins, [record], related), budget)
}

/**
 * Creates a function for one record event, which takes a view (topic and account). It resolves to the record's JSON text, with the topic's
 * `expand` and `fields`. `undefined`: the account may not see the record, or the topic's filter excludes it.
 */
export function eventTextsOf(engine: Engine, event: RecordEvent, deleted: DeletedRecord): (view: View) => Promise<string | undefined> {
  const beside = cachedRelatedRecords(engine, event.action === 'delete' ? deleted : () => undefined)
  const texts = new Map<string, Promise<string>>()
  const budgets = new Map<string, Budget>()
  const budgetOf = (account: string): Budget => {
    const budget = budgets.get(account) ?? { steps: MOST_STEPS_OF_AN_EVENT }
    budgets.set(account, budget)
    return budget
  }
  const textFor = async ({ collection, topic, facts }: View): Promise<string> => {
    const { expand = '', fields = '' } = topic.query
    const reader = { collection, facts, mostShown: MOST_SHOWN }
    const [shown = {}] =
      expand === ''
        ? [presentRecord(collection, event.record, facts.actor)]
        : await presentExpanded(engine, reader, [event.record], parseExpand(expand))
    return JSON.stringify(fieldPicker(fields)(shown))
  }
  return async (view) => {
    const related: RelatedRecords = {
      ...beside,
      listable: (collection, records) => relatedFor(engine, view.facts).listable(collection, records),
    }
    if (!(await view.sees(event.record, related, budgetOf(view.facts.actor?.id ?? '')))) return undefined
    const key = `${view.shownTo} ${view.topic.query['fields'] ?? ''} ${view.topic.query['expand'] ?? ''}`
    const text = texts.get(key) ?? textFor(view)
    texts.set(key, text)
    return text
  }
}

/**
 * Creates functions that load the records to which access rules and topics' filters refer, for one event. They cache each query, because
 * many views need its result. `deleted` finds records that are deleted already.
 */
function cachedRelatedRecords(engine: Engine, deleted: DeletedRecord): Omit<RelatedRecords, 'listable'> {
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

/**
 * Index of subscribers to realtime topics of collections, by collection and view (topic and account). `join` and `leave` add and remove
 * topics of a subscriber; `has` and `of` find subscribers.
 */
export type Audience<Subscriber> = {
  readonly join: (subscriber: Subscriber, actor: Actor, topics: Iterable<Topic>) => void
  readonly leave: (subscriber: Subscriber, actor: Actor, topics: Iterable<Topic>) => void
  readonly has: (collection: Collection) => boolean
  /**
   * Returns the views (topic and account) of a collection, each with its set of subscribers. The sets change when clients subscribe or
   * leave.
   */
  readonly of: (collection: Collection) => Iterable<{ readonly view: View; readonly subscribers: ReadonlySet<Subscriber> }>
}

/**
 * Creates an empty index of realtime subscribers. Equal topics of one account object share a view; a changed account is a new object, so it
 * gets a new view.
 */
export function audienceOf<Subscriber>(engine: Engine): Audience<Subscriber> {
  type ViewSubscribers = { readonly view: View; readonly subscribers: Set<Subscriber> }
  const byCollection = new Map<Collection, Map<string, ViewSubscribers>>()
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
        const views = byCollection.get(collection) ?? new Map<string, ViewSubscribers>()
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
 * Returns the events to send for a changed record: the event itself, and one for each view (such as `_superusers`) that had or has it. A
 * record that starts to match a view is a `create` there; one that stops is a `delete`.
 */
export function eventsWithViews({ all }: Collections, event: RecordEvent): readonly RecordEvent[] {
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
  // Without `previous` the update changed no value on which a view depends.
  const before = action === 'delete' ? isIn(record) : action === 'update' && isIn(previous ?? record)
  if (now && before) return { action: 'update', collection, record, ...(previous && { previous }) }
  if (now) return { action: 'create', collection, record }
  return before ? { action: 'delete', collection, record: previous ?? record } : undefined
}
