import type { UnitOfWork } from '../../platform/db/database.ts'
import { sourceOf, bindingRule, mayDo } from '../engine/access.ts'
import { noteRecordChange } from './audit-log.ts'
import type { Collection, HookContext, SentWrite } from '../model/collection.ts'
import type { Engine } from '../engine/engine.ts'
import type { RequestFacts } from '../filter/filter-names.ts'
import { checkNewPassword } from './new-password.ts'
import type { RecordValues } from '../model/record-store.ts'
import { recordDate, type StoredRecord } from '../model/stored-record.ts'
import { badRequest, notFound, type FieldErrors } from '../model/record-error.ts'
import { withDefaults } from '../engine/record-table-store.ts'
import { sentValues, type Body } from './sent-values.ts'
import { validate } from './validate.ts'

/**
 * Function that does a checked and prepared write of a record in a transaction, and resolves to its result. Slow work, such as hashing a
 * password, is done before it exists.
 */
export type PreparedWrite<T> = (unit: UnitOfWork) => Promise<T>

/**
 * Creates a record from the body of a request (in `facts`), if the requesting user may, and resolves to it. Rejects with 403 if the
 * collection is closed to the user or API key, otherwise with 400; if the access rule forbids it, without field errors.
 */
export async function createRecord(engine: Engine, collection: Collection, facts: RequestFacts): Promise<StoredRecord> {
  return engine.database.write(await prepareCreate(engine, collection, facts))
}

/**
 * Changes a record (by id) by the body of a request (in `facts`), if the requesting user may, and resolves to it. Its `updated` date
 * changes even if no value does. Rejects with 404 if it is missing or may not be changed, 400 for invalid values, 403 if the collection is
 * closed to the user.
 */
export async function updateRecord(engine: Engine, collection: Collection, facts: RequestFacts, id: string): Promise<StoredRecord> {
  return engine.database.write(await prepareUpdate(engine, collection, facts, id))
}

/**
 * Deletes a record if the requesting user may, with all records that its deletion cascades to. Rejects with 404 if it is missing or may not
 * be deleted, 400 if required relations refer to it, 403 for a closed collection.
 */
export async function deleteRecord(engine: Engine, collection: Collection, facts: RequestFacts, id: string): Promise<void> {
  return engine.database.write(prepareDelete(engine, collection, facts, id))
}

/**
 * Does the part of a record's creation that needs no transaction, such as hashing the password. Resolves to the function to run in the
 * transaction. Rejects with 403 if only admins may create such records or the API key may not, 400 for a collection that only the hub
 * writes.
 */
export async function prepareCreate(engine: Engine, requested: Collection, facts: RequestFacts): Promise<PreparedWrite<StoredRecord>> {
  bindingRule(facts, requested, 'create')
  const { collection, body } = writtenTo(engine, requested, facts.body ?? {})
  const sent = { ...sentValues(collection, body, {}, facts.actor), ...requested.viewOf?.values }
  const wrongPassword = collection.type === 'auth' ? checkNewPassword(body, true) : {}
  const hash = await newHash(engine, collection, body, wrongPassword)
  const failed = 'Failed to create record.'
  return async (unit) => {
    await lock(unit, collection)
    const context = contextOf(engine, unit)
    const derived = await derive(collection, { body, previous: undefined, actor: facts.actor }, context)
    const given = { ...sent, ...derived.values, ...hash, id: typeof body['id'] === 'string' ? body['id'] : '' }
    const values = (await collection.hooks?.prepareCreate?.(given, context)) ?? given
    const record = withDefaults(collection, values, recordDate(engine.clock.now()))
    if (!(await mayDo(engine, { collection, rule: 'create', facts }, record, unit))) throw badRequest(failed)
    // Clients of the oldest generation expect all errors at once.
    if (facts.early !== true) failOn(failed, wrongPassword)
    const wrongValues = await validate(engine, collection, { record, previous: undefined }, unit)
    failOn(failed, { ...derived.errors, ...wrongValues, ...wrongPassword })
    if (!(await mayDo(engine, { collection, rule: 'stored', facts }, record, unit))) throw badRequest(failed)
    const created = await engine.store.insert(unit, collection.name, record)
    await collection.hooks?.followed?.(undefined, created, context)
    await noteRecordChange(unit, authorOf(engine, facts), collection, { previous: undefined, next: created })
    return created
  }
}

/**
 * Does the part of a record's update that needs no transaction, such as hashing a new password. Resolves to the function to run in the
 * transaction. Rejects with 403 if only admins may update such records or the API key may not, 400 for a collection that only the hub
 * writes.
 */
export async function prepareUpdate(
  engine: Engine,
  requested: Collection,
  facts: RequestFacts,
  id: string,
): Promise<PreparedWrite<StoredRecord>> {
  bindingRule(facts, requested, 'update')
  const { collection, body } = writtenTo(engine, requested, facts.body ?? {})
  const wrongPassword = collection.type === 'auth' ? checkNewPassword(body, false) : {}
  const hash = await newHash(engine, collection, body, wrongPassword)
  const failed = 'Failed to update record.'
  return async (unit) => {
    await lock(unit, collection)
    const previous = await loadWritten(engine, requested, id, unit)
    const judged = { collection, facts: { ...facts, previous } }
    if (previous === undefined || !(await mayDo(engine, { ...judged, rule: 'update' }, previous, unit))) throw notFound()
    const context = contextOf(engine, unit)
    const derived = await derive(collection, { body, previous, actor: facts.actor }, context)
    const sent = { ...sentValues(collection, body, previous, facts.actor), ...derived.values, ...hash, ...requested.viewOf?.values }
    const whole = { ...previous, ...sent }
    const record: StoredRecord = { ...whole, ...collection.hooks?.prepareUpdate?.(whole, previous), id }
    failOn(failed, idChange(body, id))
    failOn(failed, wrongPassword)
    failOn(failed, { ...derived.errors, ...(await validate(engine, collection, { record, previous }, unit)) })
    if (!(await mayDo(engine, { ...judged, rule: 'stored' }, record, unit))) throw badRequest(failed)
    await collection.hooks?.refuse?.(previous, record, context)
    const updated = must(await engine.store.update(unit, collection.name, id, record))
    await collection.hooks?.followed?.(previous, updated, context)
    await noteRecordChange(unit, authorOf(engine, facts), collection, { previous, next: updated })
    return updated
  }
}

/**
 * Returns the function that deletes a record; it must be called in a transaction. Throws 403 if only admins may delete them or the API key
 * does not allow it, 400 for a collection that only the hub writes.
 */
export function prepareDelete(engine: Engine, requested: Collection, facts: RequestFacts, id: string): PreparedWrite<void> {
  bindingRule(facts, requested, 'delete')
  const { collection } = writtenTo(engine, requested, {})
  return async (unit) => {
    await lock(unit, collection)
    const previous = await loadWritten(engine, requested, id, unit)
    if (previous === undefined || !(await mayDo(engine, { collection, rule: 'delete', facts }, previous, unit))) throw notFound()
    const context = contextOf(engine, unit)
    await collection.hooks?.refuse?.(previous, undefined, context)
    await engine.store.remove(unit, collection.name, id)
    await collection.hooks?.followed?.(previous, undefined, context)
    await noteRecordChange(unit, authorOf(engine, facts), collection, { previous, next: undefined })
  }
}

/**
 * Takes the database lock that a collection's definition names (`alone`), until the transaction ends; none if it names none. Call it before
 * rows are locked, so that two transactions cannot deadlock.
 */
export async function lock(unit: UnitOfWork, { alone }: Pick<Collection, 'alone'>): Promise<void> {
  if (alone !== undefined) await unit.alone(alone)
}

async function derive(
  { hooks }: Collection,
  write: SentWrite,
  context: HookContext,
): Promise<{ values: RecordValues; errors: FieldErrors }> {
  return (await hooks?.derive?.(write, context)) ?? { values: {}, errors: {} }
}

const authorOf = ({ clock }: Engine, { actor }: RequestFacts) => ({ by: actor, nowMs: clock.now() })

/**
 * Returns the collection with a table into which a write request writes, and the body to write. For a view (such as `_superusers`) that is
 * its base collection, without body fields that the view lacks. Throws 400 for a collection that only the hub fills.
 */
function writtenTo(engine: Engine, requested: Collection, body: Body): { readonly collection: Collection; readonly body: Body } {
  if (requested.storage === 'table') return { collection: requested, body }
  const collection = requested.viewOf === undefined ? undefined : engine.collections.find(requested.viewOf.collection)
  if (collection === undefined) throw badRequest('The records of this collection are made by the hub alone.')
  const open = new Set(['id', 'passwordConfirm', ...requested.fields.map(({ name }) => name)])
  return { collection, body: Object.fromEntries(Object.entries(body).filter(([key]) => open.has(key))) }
}

async function loadWritten(engine: Engine, requested: Collection, id: string, unit: UnitOfWork): Promise<StoredRecord | undefined> {
  if (requested.storage === 'table') return engine.store.loadToChange(requested.name, id, unit)
  if (requested.viewOf !== undefined) await engine.store.loadToChange(requested.viewOf.collection, id, unit)
  return sourceOf(engine, requested).loadOne(id, unit)
}

export function contextOf({ store, clock }: Engine, unit: UnitOfWork): HookContext {
  return { unit, store, nowMs: clock.now() }
}

async function newHash(engine: Engine, collection: Collection, body: Body, wrong: FieldErrors): Promise<Body> {
  const password = body['password']
  if (collection.type !== 'auth' || !isEmpty(wrong) || typeof password !== 'string' || password === '') return {}
  return { password: await engine.hashPassword(password) }
}

function idChange(body: Body, id: string): FieldErrors {
  const sent = body['id']
  if (sent === undefined || sent === id) return {}
  return { id: { code: 'validation_pk_change', message: 'The record primary key cannot be changed.' } }
}

function failOn(message: string, errors: FieldErrors): void {
  if (!isEmpty(errors)) throw badRequest(message, errors)
}

function isEmpty(errors: FieldErrors): boolean {
  return Object.keys(errors).length === 0
}

function must(record: StoredRecord | undefined): StoredRecord {
  if (record === undefined) throw notFound()
  return record
}
