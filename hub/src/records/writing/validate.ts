import { sql } from 'kysely'
import { nullRecord, type NullRecord } from '@vedette/protocol/null-record'
import { ownValue } from '@vedette/protocol/own-value'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { Engine } from '../engine/engine.ts'
import { checkField, checkId, missingRelation, notUnique } from '../model/field-check.ts'
import { idsIn } from '../filter/matches.ts'
import type { FieldError } from '../model/record-error.ts'
import { type Collection, toRow } from '../model/collection.ts'
import type { StoredRecord } from '../model/stored-record.ts'

type Errors = NullRecord<FieldError>

/**
 * Resolves to all errors of a record that is about to be stored, by field name; `{}` if it is valid. Uniqueness in the collection is
 * checked only if there are no other errors.
 */
export async function validate(
  engine: Engine,
  collection: Collection,
  { record, previous }: { readonly record: StoredRecord; readonly previous: StoredRecord | undefined },
  unit: UnitOfWork,
): Promise<Errors> {
  const errors: Errors = nullRecord()
  if (previous === undefined) await checkNewId(engine, collection, { id: record.id, errors }, unit)
  await checkFields(engine, collection, { record, previous, errors }, unit)
  Object.assign(errors, collection.hooks?.check?.(record, previous, engine.collections))
  const context = { unit, store: engine.store, nowMs: engine.clock.now() }
  if (Object.keys(errors).length === 0) Object.assign(errors, await collection.hooks?.checkOthers?.(record, previous, context))
  if (Object.keys(errors).length === 0) await checkUnique(engine, collection, { record, errors }, unit)
  return errors
}

type Checked = { readonly record: StoredRecord; readonly previous: StoredRecord | undefined; readonly errors: Errors }

async function checkFields(engine: Engine, collection: Collection, { record, previous, errors }: Checked, unit: UnitOfWork): Promise<void> {
  for (const field of collection.fields) {
    const value = record[field.name] ?? null
    const error = field.kind === 'password' ? undefined : checkField(field, value)
    if (error !== undefined) errors[field.name] = error
    else if (field.kind === 'relation' && JSON.stringify(value) !== JSON.stringify(previous?.[field.name])) {
      const target = engine.collections.find(field.to)
      const ids = idsIn(value)
      const found = target === undefined ? [] : await engine.store.loadMany(target, ids, unit)
      if (found.length < ids.length) errors[field.name] = missingRelation
    }
  }
}

async function checkNewId(engine: Engine, collection: Collection, { id, errors }: { id: string; errors: Errors }, unit: UnitOfWork) {
  const error = checkId(collection.idForm, id)
  if (error !== undefined) errors['id'] = error
  else if ((await engine.store.load(collection.name, id, unit)) !== undefined) errors['id'] = notUnique
}

async function checkUnique(
  engine: Engine,
  collection: Collection,
  { record, errors }: { record: StoredRecord; errors: Errors },
  unit: UnitOfWork,
): Promise<void> {
  const row = toRow(collection, record, engine.secrets)
  for (const { fields, ignoreCase } of collection.unique) {
    if (fields.every((field) => ownValue(row, field) === '')) continue
    const same = fields.map((field) =>
      ignoreCase === true
        ? sql`lower(r.${sql.ref(field)}) = lower(${String(ownValue(row, field))})`
        : sql`r.${sql.ref(field)} = ${ownValue(row, field)}`,
    )
    const others = await engine.store.loadSelected(
      collection,
      sql`where ${sql.join(same, sql` and `)} and r.id <> ${record.id} limit 1`,
      unit,
    )
    const isShown = (name: string): boolean =>
      ownValue(row, name) !== '' || !collection.fields.some((field) => field.name === name && field.sparse)
    if (others.length > 0) for (const field of fields.filter(isShown)) errors[field] = notUnique
  }
}
