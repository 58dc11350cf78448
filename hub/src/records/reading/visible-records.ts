import { type RawBuilder, sql } from 'kysely'
import { bindingRule } from '../engine/access.ts'
import type { Engine } from '../engine/engine.ts'
import type { RequestFacts } from '../filter/filter-names.ts'
import { resolver } from '../filter/resolve.ts'
import { toSql } from '../filter/to-sql.ts'
import { notFound } from '../model/record-error.ts'
import type { StoredRecord } from '../model/stored-record.ts'

/**
 * Loads all records of a collection (with a table) that the requesting user may list, without a maximum number. Throws 403 if only admins
 * may list them or the API key does not allow it, 404 for an unknown collection.
 */
export async function visibleRecords(engine: Engine, name: string, facts: RequestFacts): Promise<readonly StoredRecord[]> {
  const { collection, where } = listableIn(engine, name, facts)
  return engine.store.loadSelected(collection, sql`where ${where}`)
}

/** Returns the SQL condition that a system with the id in the SQL expression `id` exists and that the requesting user may list it. */
export function isVisibleSystem(engine: ListingEngine, facts: RequestFacts, id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`exists (select 1 from systems as r where r.id = ${id} and ${listableIn(engine, 'systems', facts).where})`
}

type ListingEngine = Pick<Engine, 'database' | 'collections' | 'secrets' | 'clock'>

/**
 * Prepares a query for the records of a collection that the requesting user may list. Returns the collection and, as `where`, the SQL
 * condition for rows with the alias `r`. Throws 404 for an unknown collection, 403 if the user may not list it.
 */
function listableIn({ collections, clock, database, secrets }: ListingEngine, name: string, facts: RequestFacts) {
  const collection = collections.find(name)
  if (collection === undefined) throw notFound()
  const resolving = resolver(collection, { collections, facts, nowMs: clock.now() })
  const plan = resolving.plan(resolving.condition(bindingRule(facts, collection, 'list'), 'everything'))
  return { collection, where: toSql(plan, database.dialect, secrets).where }
}
