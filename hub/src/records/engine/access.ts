import { ownValue } from '@vedette/protocol/own-value'
import { sql } from 'kysely'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { Engine, RecordTableStore } from './engine.ts'
import { type RelatedRecords, loadRelated, matcher } from '../filter/matches.ts'
import type { RequestFacts } from '../filter/filter-names.ts'
import { resolver } from '../filter/resolve.ts'
import { isAdmin, type StoredRecord } from '../model/stored-record.ts'
import { keyMay } from '../model/key-scope.ts'
import type { Collection, RuleName } from '../model/collection.ts'
import { RecordError, notFound } from '../model/record-error.ts'
import { whereReadable } from './record-table-store.ts'
import type { RecordSource } from '../model/record-source.ts'

export type RuleCaller = Pick<RequestFacts, 'actor' | 'keyScope' | 'keyTags'>

/** Returns true if no access rule restricts a request: the caller is an admin, and no API key that is limited to tags is used. */
export const seesEverything = ({ actor, keyTags }: RuleCaller): boolean => isAdmin(actor) && keyTags === undefined

/**
 * Returns a collection's access rule `name`, such as `view`, as filter expression for a caller: `''` for admins (no restriction), null for
 * no access. For an API key limited to tags, the rule also requires a system with one of these tags from a trusted source. It is null for
 * collections without systems then.
 */
function ruleFor({ actor, keyTags }: RuleCaller, collection: Collection, name: RuleName): string | null {
  const rule = isAdmin(actor) ? '' : (collection.rules[name] ?? (name === 'stored' ? '' : null))
  if (keyTags === undefined || rule === null) return rule
  const limit = limitOf(collection)
  return limit === null || rule === '' ? limit : `(${rule}) && ${limit}`
}

function limitOf({ name, fields }: Collection): string | null {
  if (name === 'systems') return 'accessTags ?= @request.keyTags'
  const belongs = fields.some((field) => field.kind === 'relation' && field.name === 'system')
  return belongs ? 'system.accessTags ?= @request.keyTags' : null
}

/**
 * Returns a collection's access rule (filter expression) for a caller, `''` for no restriction. Throws 403 if the caller has no access, or
 * the scope of the API key does not allow the action.
 */
export function bindingRule(caller: RuleCaller, collection: Collection, rule: RuleName): string {
  const { keyScope } = caller
  if (keyScope !== undefined && !keyMay(keyScope, collection, rule))
    throw new RecordError(403, 'The scope of the API key does not allow this action.')
  const text = ruleFor(caller, collection, rule)
  if (text === null) throw new RecordError(403, 'Only superusers can perform this action.')
  return text
}

type RuleCheck = { readonly collection: Collection; readonly rule: RuleName; readonly facts: RequestFacts }

/**
 * Function that checks one access rule for several records. Resolves to a list of true (allowed) or false, in their order. `related` loads
 * the records to which the rule refers, such as a system.
 */
export type Judgement = (records: readonly StoredRecord[], related: RelatedRecords) => Promise<readonly boolean[]>

/**
 * Creates a function that checks one access rule of a collection for several records: it resolves to a list of true or false, in their
 * order. A null rule allows admins only. An API key without the needed scope gives false for all; one limited to tags, also an admin's,
 * false for records outside its tags.
 */
export function judgementOf(engine: Pick<Engine, 'collections' | 'clock'>, { collection, rule, facts }: RuleCheck): Judgement {
  if (facts.keyScope !== undefined && !keyMay(facts.keyScope, collection, rule)) return async (records) => records.map(() => false)
  if (seesEverything(facts)) return async (records) => records.map(() => true)
  const text = ruleFor(facts, collection, rule)
  if (text === null) return async (records) => records.map(() => false)
  const resolving = resolver(collection, { collections: engine.collections, facts, nowMs: engine.clock.now() })
  const plan = resolving.plan(resolving.condition(text, 'everything'))
  const matches = matcher(plan)
  return async (records, related) => {
    const reach = await loadRelated(matches.joins, records, related)
    return records.map((record) => matches(record, reach))
  }
}

/**
 * Checks one access rule, named by `judged` (collection, rule name such as `view`, request facts), for each of several records. `related`
 * loads the records to which the rule refers. Resolves to true (allowed) or false for each, in order.
 */
export async function ruleResults(
  engine: Engine,
  judged: RuleCheck,
  records: readonly StoredRecord[],
  related: RelatedRecords,
): Promise<readonly boolean[]> {
  return judgementOf(engine, judged)(records, related)
}

/**
 * Resolves to true if a request may do an action on one record. `judged` names the collection, the access rule (such as `update`) and the
 * request facts. A null rule allows admins only. With a transaction (`unit`), the check sees its changes.
 */
export async function mayDo(engine: Engine, judged: RuleCheck, record: StoredRecord, unit?: UnitOfWork): Promise<boolean> {
  const [may] = await ruleResults(engine, judged, [record], relatedFor(engine, judged.facts, unit))
  return may === true
}

/**
 * Returns the functions that load records related to others (by id, by relation field, or all) for filters and access rules of one request.
 * Where a client's filter leads to other records, `listable` leaves out those that the user may not list.
 */
export function relatedFor(engine: Engine, facts: RequestFacts, unit?: UnitOfWork): RelatedRecords {
  const related = relatedRecords(
    engine,
    async (collection, records) => {
      const may = await ruleResults(engine, { collection, rule: 'list', facts }, records, related)
      return records.filter((_, at) => may[at] === true)
    },
    unit,
  )
  return related
}

export type Access = {
  /**
   * Loads a record that the requesting user may view, by its id. If no record has that id, it is the first with this `name` that the user
   * may view. Throws 404 if it is missing or may not be viewed.
   */
  readonly viewable: (caller: RuleCaller, collection: string, idOrName: string) => Promise<StoredRecord>
  /**
   * Loads a record that the requesting user may update, by its id. If no record has that id, it is the first with this `name` that the user
   * may update. Throws 404 if it is missing or may not be updated.
   */
  readonly updatable: (caller: RuleCaller, collection: string, idOrName: string) => Promise<StoredRecord>
}

/**
 * Creates the functions that load one record for routes and realtime topics. They throw 404 if the requesting user may not view or update
 * it.
 */
export function accessOf(engine: Engine): Access {
  async function find(
    { actor, keyScope, keyTags }: RuleCaller,
    name: string,
    idOrName: string,
    rule: 'view' | 'update',
  ): Promise<StoredRecord> {
    const collection = engine.collections.find(name)
    if (collection === undefined) throw notFound()
    const facts: RequestFacts = { actor, keyScope, keyTags, context: 'default', method: 'GET', query: {}, headers: {} }
    for (const record of await candidates(engine, collection, idOrName)) {
      if (await mayDo(engine, { collection, rule, facts }, record)) return record
    }
    throw notFound()
  }
  return {
    viewable: (caller, collection, idOrName) => find(caller, collection, idOrName, 'view'),
    updatable: (caller, collection, idOrName) => find(caller, collection, idOrName, 'update'),
  }
}

async function candidates(engine: Engine, collection: Collection, idOrName: string): Promise<readonly StoredRecord[]> {
  const byId = await loadById(engine, collection, idOrName)
  if (byId !== undefined) return [byId]
  const named = collection.storage === 'table' && collection.fields.some(({ name }) => name === 'name')
  return named ? engine.store.loadWhere(collection.name, { name: idOrName }) : []
}

export async function loadById(engine: Engine, collection: Collection, id: string, unit?: UnitOfWork): Promise<StoredRecord | undefined> {
  return collection.storage === 'table' ? engine.store.load(collection.name, id, unit) : sourceOf(engine, collection).loadOne(id)
}

/**
 * Maximum number of records of a table that a filter or access rule loads for a name that starts with `@collection.`: the 10,000 oldest.
 * Further records are ignored, as if they did not exist.
 */
const MOST = 10_000

/**
 * Creates the functions that load the records related to others, by relation fields in either direction. With a transaction (`unit`) they
 * see its changes. `listable` is the function that removes records which the requesting user may not list.
 */
export function relatedRecords(engine: Engine, listable: RelatedRecords['listable'], unit?: UnitOfWork): RelatedRecords {
  return {
    listable,
    loadMany: async (collection, ids) =>
      collection.storage === 'table' ? engine.store.loadMany(collection, ids, unit) : loadEach(engine, collection, ids),
    loadReferring: async (collection, field, ids) => {
      if (collection.storage === 'table') return engine.store.loadReferring(collection, field, ids, unit)
      return field.name === 'system' ? sourceOf(engine, collection).load({ systems: [...new Set(ids)] }) : []
    },
    loadAll: async (collection) =>
      collection.storage === 'table'
        ? engine.store.loadSelected(collection, sql`order by r.seq limit ${MOST}`, unit)
        : sourceOf(engine, collection).load({}),
  }
}

async function loadEach(engine: Engine, collection: Collection, ids: readonly string[]): Promise<readonly StoredRecord[]> {
  const records = await Promise.all([...new Set(ids)].map((id) => sourceOf(engine, collection).loadOne(id)))
  return records.filter((record) => record !== undefined)
}

/**
 * Returns the functions that build the records of a collection without a table, such as `system_stats`. Throws {@link RangeError} if this
 * hub has none for the collection.
 */
export function sourceOf(engine: Engine, collection: Collection): RecordSource {
  if (collection.storage === 'none') return nothing
  if (collection.viewOf !== undefined) return viewSource(engine.store, collection.viewOf)
  const source = engine.sources.get(collection.name)
  if (source === undefined) throw new RangeError(`Cannot read "${collection.name}": nothing makes its records`)
  return source
}

const nothing: RecordSource = { load: async () => [], loadOne: async () => undefined }

function viewSource(store: RecordTableStore, { collection, values }: NonNullable<Collection['viewOf']>): RecordSource {
  return {
    load: () => store.loadWhere(collection, values),
    async loadOne(id, unit) {
      const record = await store.load(collection, id, unit)
      return record !== undefined && Object.entries(values).every(([name, value]) => ownValue(record, name) === value) ? record : undefined
    },
  }
}

const viewing = { context: 'default', method: 'GET', query: {}, headers: {} } as const

/**
 * Parameters of {@link viewableIds}: the account's record (`actor`), the name of a collection, and the ids of those of its records to
 * check.
 */
export type RecordsOfViewer = { readonly actor: StoredRecord; readonly collection: string; readonly ids: readonly string[] }

/**
 * Resolves to the set of ids of those given records that an account may view now. For admins, all given ids are returned, also those of
 * deleted records.
 */
export async function viewableIds(
  engine: Engine,
  { actor, collection: name, ids }: RecordsOfViewer,
  unit?: UnitOfWork,
): Promise<ReadonlySet<string>> {
  const facts: RequestFacts = { ...viewing, actor }
  if (seesEverything(facts)) return new Set(ids)
  const collection = collectionOf(engine, name)
  const records = await engine.store.loadMany(collection, [...new Set(ids)], unit)
  const may = await ruleResults(engine, { collection, rule: 'view', facts }, records, relatedFor(engine, facts, unit))
  return new Set(records.filter((_, at) => may[at] === true).map(({ id }) => id))
}

/**
 * Resolves to the ids of the users whom the access rule `view` of a collection allows to view a record. Admins and read-only accounts are
 * checked like other users, so admins count only if that rule allows them too. Accounts that cannot be read from the database are left out.
 */
export async function viewersOf(engine: Engine, name: string, record: StoredRecord, unit: UnitOfWork): Promise<readonly string[]> {
  const collection = collectionOf(engine, name)
  const accounts = await readableAccounts(engine, unit)
  const related = withAccounts(
    relatedRecords(engine, async (_, records) => records, unit),
    accounts,
  )
  const viewers: string[] = []
  for (const account of accounts) {
    const facts: RequestFacts = { ...viewing, actor: { ...account, role: 'user' } }
    const [may] = await judgementOf(engine, { collection, rule: 'view', facts })([record], related)
    if (may === true) viewers.push(account.id)
  }
  return viewers
}

async function readableAccounts({ store }: Engine, unit: UnitOfWork): Promise<readonly StoredRecord[]> {
  const all = await whereReadable(() => store.loadWhere('users', {}, unit))
  if (all !== undefined) return all
  const { rows } = await sql<{ id: string }>`select id from users order by id`.execute(unit.sql)
  const accounts: StoredRecord[] = []
  for (const { id } of rows) accounts.push(...((await whereReadable(() => store.loadWhere('users', { id }, unit))) ?? []))
  return accounts
}

/**
 * Returns a copy of the functions `related` that takes records of `users` from the list `accounts`, without a query. Used when one record
 * is checked for many accounts.
 */
function withAccounts(related: RelatedRecords, accounts: readonly StoredRecord[]): RelatedRecords {
  const byId = new Map(accounts.map((account) => [account.id, account]))
  return {
    ...related,
    loadMany: async (collection, ids) =>
      collection.name === 'users' ? [...new Set(ids)].flatMap((id) => byId.get(id) ?? []) : related.loadMany(collection, ids),
  }
}

function collectionOf({ collections }: Engine, name: string): Collection {
  const collection = collections.find(name)
  if (collection === undefined) throw new RangeError(`There is no collection "${name}"`)
  return collection
}
