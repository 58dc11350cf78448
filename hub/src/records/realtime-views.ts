import type { Json } from '@vedette/protocol/wire/stats-json'
import type { RecordEvent } from '../events/event-bus.ts'
import { allowed, relatedFor } from './access.ts'
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
import type { StoredRecord } from './stored-record.ts'

/** How a subscriber looks at a collection: who they are, and what they asked for. Equal views see the same. */
export type View = { readonly collection: Collection; readonly topic: Topic; readonly actor: Actor }

/** A record as it was before it was deleted, for a while: what went with it is judged by it. */
export type DeletedRecord = (collection: string, id: string) => StoredRecord | undefined

export function viewKey({ topic, actor }: View): string {
  return `${actor?.id ?? ''} ${topic.text}`
}

/** The data of an event for a view, as JSON text; undefined when the view does not see the record. One decision for all who share it. */
export async function eventData(engine: Engine, event: RecordEvent, view: View, deleted: DeletedRecord): Promise<string | undefined> {
  const { collection, topic, actor } = view
  const facts: RequestFacts = { actor, context: 'realtime', method: 'GET', query: topic.query, headers: topic.headers }
  const living = relatedFor(engine, facts)
  const related = event.action === 'delete' ? withDeleted(living, deleted) : living
  const rule = topic.rest === '*' ? 'list' : 'view'
  const [may] = await allowed(engine, { collection, rule, facts }, [event.record], related)
  if (may !== true || !(await passesFilter(engine, event, { view, facts }, related))) return undefined
  const [shown = {}] = await presentExpanded(engine, { collection, facts }, [event.record], parseExpand(topic.query['expand'] ?? ''))
  const record: Json = fieldPicker(topic.query['fields'] ?? '')(shown)
  return JSON.stringify({ action: event.action, record })
}

async function passesFilter(
  engine: Engine,
  event: RecordEvent,
  { view, facts }: { readonly view: View; readonly facts: RequestFacts },
  related: RelatedRecords,
): Promise<boolean> {
  const filter = view.topic.query['filter'] ?? ''
  if (filter === '') return true
  const resolving = resolver(view.collection, { collections: engine.collections, facts, nowMs: engine.clock.now() })
  const plan = resolving.plan(resolving.condition(filter, isAdmin(view.actor) ? 'everything' : 'own'))
  return matches(plan, event.record, await loadRelated(plan.joins, [event.record], related))
}

function withDeleted(living: RelatedRecords, deleted: DeletedRecord): RelatedRecords {
  return {
    ...living,
    async loadMany(collection, ids) {
      const found = await living.loadMany(collection, ids)
      const gone = ids.filter((id) => found.every((record) => record.id !== id)).map((id) => deleted(collection.name, id))
      return [...found, ...gone.filter((record) => record !== undefined)]
    },
  }
}
