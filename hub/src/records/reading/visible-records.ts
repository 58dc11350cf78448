import { sql } from 'kysely'
import { bindingRule } from '../engine/access.ts'
import type { Engine } from '../engine/engine.ts'
import type { RequestFacts } from '../filter/filter-names.ts'
import { resolver } from '../filter/resolve.ts'
import { toSql } from '../filter/to-sql.ts'
import { notFound } from '../model/record-error.ts'
import type { StoredRecord } from '../model/stored-record.ts'

/**
 * Loads all records of a collection with a table that the caller may list, without a maximum. Throws 403 if the list rule allows admins
 * only.
 */
export async function visibleRecords(engine: Engine, name: string, facts: RequestFacts): Promise<readonly StoredRecord[]> {
  const collection = engine.collections.find(name)
  if (collection === undefined) throw notFound()
  const resolving = resolver(collection, { collections: engine.collections, facts, nowMs: engine.clock.now() })
  const plan = resolving.plan(resolving.condition(bindingRule(facts, collection, 'list'), 'everything'))
  const { where } = toSql(plan, engine.database.dialect, engine.secrets)
  return engine.store.loadSelected(collection, sql`where ${where}`)
}
