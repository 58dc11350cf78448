import type { RecordEvent } from '../events/event-bus.ts'
import { judgementOf, relatedFor, type Judgement } from './access.ts'
import { isAdmin, type Actor } from './actor.ts'
import type { Collection } from './collection.ts'
import type { Engine } from './engine.ts'
import { parseExpand, presentExpanded } from './expand.ts'
import { matches } from './filter/matches.ts'
import { loadRelated, type RelatedRecords } from './filter/related.ts'
import type { RequestFacts } from './filter/request-facts.ts'
import { resolver } from './filter/resolve.ts'
import { fieldPicker } from './pick-fields.ts'
import type { Topic } from './realtime-topic.ts'
import { relatedRecords } from './related-records.ts'
import type { StoredRecord } from './stored-record.ts'

/** How subscribers look at a collection: who they are, and what they asked for. All who look alike share one. */
export type View = {
  readonly collection: Collection
  readonly topic: Topic
  readonly facts: RequestFacts
  /** Whether rule and filter let the record through; never throws: what cannot be read lets nothing through. */
  readonly sees: Judgement
  /** What the text of a record is the same for: everybody, or this account alone. */
  readonly shownTo: string
}

/** A record as it was before it was deleted, for a while: what went with it is judged by it. */
export type DeletedRecord = (collection: string, id: string) => StoredRecord | undefined

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
    async sees(records, related) {
      try {
        const [may, asked] = timeless ? (known ??= fresh()) : fresh()
        const [allowed, wanted] = [await may(records, related), await asked(records, related)]
        return records.map((_, at) => allowed[at] === true && wanted[at] === true)
      } catch {
        // A filter that is none is its writer's business: they hear nothing, as they would of a list.
        return records.map(() => false)
      }
    },
  }
}

type Asked = { readonly collection: Collection; readonly topic: Topic; readonly actor: Actor; readonly facts: RequestFacts }

function filterOf(engine: Engine, { collection, topic, actor, facts }: Asked): Judgement {
  const filter = topic.query['filter'] ?? ''
  if (filter === '') return async (records) => records.map(() => true)
  const resolving = resolver(collection, { collections: engine.collections, facts, nowMs: engine.clock.now() })
  const plan = resolving.plan(resolving.condition(filter, isAdmin(actor) ? 'everything' : 'own'))
  return async (records, related) => {
    const reach = await loadRelated(plan.joins, records, related)
    return records.map((record) => matches(plan, record, reach))
  }
}

/**
 * One event as each view sees it: the record's JSON text, or undefined for who does not see it. What lies beside the record
 * is loaded once for all of them, and whoever is shown the same shares one text.
 */
export function seenBy(engine: Engine, event: RecordEvent, deleted: DeletedRecord): (view: View) => Promise<string | undefined> {
  const beside = loadedOnce(engine, event.action === 'delete' ? deleted : () => undefined)
  const texts = new Map<string, Promise<string>>()
  const textFor = async ({ collection, topic, facts }: View): Promise<string> => {
    const [shown = {}] = await presentExpanded(engine, { collection, facts }, [event.record], parseExpand(topic.query['expand'] ?? ''))
    return JSON.stringify(fieldPicker(topic.query['fields'] ?? '')(shown))
  }
  return async (view) => {
    const related = { ...beside, listable: relatedFor(engine, view.facts).listable }
    const [sees] = await view.sees([event.record], related)
    if (sees !== true) return undefined
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
