import { bindingRule, mayDo } from './access.ts'
import type { Collection } from './collection.ts'
import type { Engine } from './engine.ts'
import type { RequestFacts } from './filter/request-facts.ts'
import { checkNewPassword } from './new-password.ts'
import { recordDate } from './record-date.ts'
import { badRequest, notFound, type FieldErrors } from './record-error.ts'
import { withDefaults } from './record-table-store.ts'
import { sentValues, type Body } from './sent-values.ts'
import type { StoredRecord } from './stored-record.ts'
import { validate } from './validate.ts'

/** Stores a new record for the one who asks. What the rule does not let through is told nothing of the fields. */
export async function createRecord(engine: Engine, collection: Collection, facts: RequestFacts): Promise<StoredRecord> {
  bindingRule(facts.actor, collection, 'create')
  refuseMadeRecords(collection)
  const body = facts.body ?? {}
  const sent = sentValues(collection, body, {}, facts.actor)
  const wrongPassword = collection.type === 'auth' ? checkNewPassword(body, true) : {}
  const hash = await newHash(engine, collection, body, wrongPassword)
  return engine.database.write(async (unit) => {
    const given = { ...sent, ...hash, id: typeof body['id'] === 'string' ? body['id'] : '' }
    const values = (await collection.hooks?.prepareCreate?.(given, { unit, store: engine.store })) ?? given
    const record = withDefaults(collection, values, recordDate(engine.clock.now()))
    if (!(await mayDo(engine, { collection, rule: 'create', facts }, record, unit))) throw badRequest('Failed to create record.')
    failOn('Failed to create record.', wrongPassword)
    failOn('Failed to create record.', await validate(engine, collection, { record, previous: undefined }, unit))
    if (!(await mayDo(engine, { collection, rule: 'stored', facts }, record, unit))) throw badRequest('Failed to create record.')
    return engine.store.insert(unit, collection.name, record)
  })
}

/** Changes a record for the one who asks; even without a change its `updated` moves. */
export async function updateRecord(engine: Engine, collection: Collection, facts: RequestFacts, id: string): Promise<StoredRecord> {
  bindingRule(facts.actor, collection, 'update')
  refuseMadeRecords(collection)
  const body = facts.body ?? {}
  const wrongPassword = collection.type === 'auth' ? checkNewPassword(body, false) : {}
  const hash = await newHash(engine, collection, body, wrongPassword)
  return engine.database.write(async (unit) => {
    const previous = await engine.store.load(collection.name, id, unit)
    const judged = { collection, facts: { ...facts, previous } }
    if (previous === undefined || !(await mayDo(engine, { ...judged, rule: 'update' }, previous, unit))) throw notFound()
    const sent = { ...sentValues(collection, body, previous, facts.actor), ...hash }
    const whole = { ...previous, ...sent }
    const record: StoredRecord = { ...whole, ...collection.hooks?.prepareUpdate?.(whole, previous), id }
    failOn('Failed to update record.', idChange(body, id))
    failOn('Failed to update record.', wrongPassword)
    failOn('Failed to update record.', await validate(engine, collection, { record, previous }, unit))
    if (!(await mayDo(engine, { ...judged, rule: 'stored' }, record, unit))) throw badRequest('Failed to update record.')
    await collection.hooks?.refuse?.(previous, record, { unit, store: engine.store })
    return must(await engine.store.update(unit, collection.name, id, record))
  })
}

/** Deletes a record for the one who asks, with what hangs on it. */
export async function deleteRecord(engine: Engine, collection: Collection, facts: RequestFacts, id: string): Promise<void> {
  bindingRule(facts.actor, collection, 'delete')
  refuseMadeRecords(collection)
  await engine.database.write(async (unit) => {
    const previous = await engine.store.load(collection.name, id, unit)
    if (previous === undefined || !(await mayDo(engine, { collection, rule: 'delete', facts }, previous, unit))) throw notFound()
    await collection.hooks?.refuse?.(previous, undefined, { unit, store: engine.store })
    await engine.store.remove(unit, collection.name, id)
  })
}

/** Measurements come from agents; nobody writes them by hand. */
function refuseMadeRecords(collection: Collection): void {
  if (collection.storage === 'source') throw badRequest('The records of this collection are made from the history.')
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
