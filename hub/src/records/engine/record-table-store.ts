import { ownValue } from '@vedette/protocol/own-value'
import { CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import { insertRows, rewriteRows } from '../../platform/db/many-rows.ts'
import type { Tables } from '../../platform/db/schema.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import { removeWithReferences } from './cascade.ts'
import type { RecordChange, RecordTableStore } from './engine.ts'
import {
  type Collection,
  type Collections,
  digestColumn,
  emptyValue,
  type Field,
  type Row,
  toColumn,
  toRecord,
  toRow,
} from '../model/collection.ts'
import { asText, type StoredRecord, recordDate } from '../model/stored-record.ts'
import type { RecordValues } from '../model/record-store.ts'

/**
 * Maximum number of record ids in one query for relation fields that contain several ids: 500, below the parameter limit of SQLite and
 * PostgreSQL.
 */
const IDS_AT_ONCE = 500

export type RecordTableStoreOptions = {
  readonly database: Database
  readonly collections: Collections
  readonly secrets: SecretBox
  readonly clock: Clock
}

type ColumnValues = { readonly name: string; readonly values: readonly string[]; readonly toChange?: boolean }

/**
 * Creates the functions that read and write records in the tables of the collections, without access checks. Those that take a collection's
 * name throw a RangeError if it has no table.
 */
export function recordTableStore({ database, collections, secrets, clock }: RecordTableStoreOptions): RecordTableStore {
  const tableOf = (name: string): Collection => {
    const collection = collections.find(name)
    if (collection === undefined || collection.storage !== 'table') throw new RangeError(`Cannot find a table of records called "${name}"`)
    return collection
  }

  async function select(from: Kysely<Tables>, collection: Collection, rest: RawBuilder<unknown>): Promise<readonly StoredRecord[]> {
    const { rows } = await sql<Row>`select r.* from ${sql.table(collection.name)} as r ${rest}`.execute(from)
    return recordsOf(collection, rows)
  }

  const recordsOf: RecordTableStore['recordsOf'] = (collection, rows) => rows.map((row) => toRecord(collection, row, secrets))

  const loadSelected: RecordTableStore['loadSelected'] = (collection, rest, unit) => select(unit?.sql ?? database.kysely, collection, rest)

  function equals(collection: Collection, name: string, value: RecordValues[string]): RawBuilder<unknown> {
    const field = collection.fields.find((one) => one.name === name)
    if (name === 'id') return sql`r.id = ${value}`
    if (field === undefined) throw new RangeError(`Cannot search "${collection.name}" by "${name}": there is no such field`)
    if (field.kind === 'secret') {
      return sql`r.${sql.ref(digestColumn(name))} = ${value === '' ? '' : secrets.digest(`${collection.name}.${name}`, asText(value))}`
    }
    return sql`r.${sql.ref(name)} = ${toColumn(collection, field, value, secrets)}`
  }

  const statements = new Map<string, CompiledQuery>()

  /**
   * Loads the records of a collection whose field `name` has one of the `values`. With `toChange` it locks the rows until the transaction
   * ends. All values are one SQL parameter, so the prepared statement is reused.
   */
  async function selectByValues(from: Kysely<Tables>, collection: Collection, { name, values, toChange = false }: ColumnValues) {
    const texts = JSON.stringify([...new Set(values)])
    const key = `${collection.name} ${name} ${toChange}`
    const statement = statements.get(key) ?? written(from, collection, { name, toChange })
    statements.set(key, statement)
    const given = statement.parameters.map(() => texts)
    return recordsOf(collection, (await from.executeQuery<Row>(CompiledQuery.raw(statement.sql, given))).rows)
  }

  function written(
    from: Kysely<Tables>,
    { name: table }: Collection,
    { name, toChange }: Required<Omit<ColumnValues, 'values'>>,
  ): CompiledQuery {
    const isAmong = database.dialect.isAmong(sql`r.${sql.ref(name)}`, sql`${''}`)
    // Locks rows in the order of their ids, so that two transactions with the same records cannot deadlock.
    const rest = toChange ? sql`order by r.id ${database.dialect.toChange}` : sql`order by r.seq`
    return sql`select r.* from ${sql.table(table)} as r where ${isAmong} ${rest}`.compile(from)
  }

  async function inChunks(ids: readonly string[], load: (some: readonly string[]) => Promise<readonly StoredRecord[]>) {
    const found: StoredRecord[] = []
    const once = [...new Set(ids)]
    for (let start = 0; start < once.length; start += IDS_AT_ONCE) found.push(...(await load(once.slice(start, start + IDS_AT_ONCE))))
    return found
  }

  const store: RecordTableStore = {
    loadSelected,
    recordsOf,

    loadByQuery: (collection, rest) => select(database.queries, collection, rest),

    async load(name, id, unit) {
      const [record] = await loadSelected(tableOf(name), sql`where r.id = ${id}`, unit)
      return record
    },

    async loadToChange(name, id, unit) {
      const [record] = await loadSelected(tableOf(name), sql`where r.id = ${id} ${database.dialect.toChange}`, unit)
      return record
    },

    async loadWhere(name, values, unit, most) {
      const collection = tableOf(name)
      const conditions = Object.entries(values).map(([field, value]) => equals(collection, field, value))
      const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
      const hasCreated = collection.fields.some(({ kind }) => kind === 'created')
      const order = most === undefined ? sql`order by ${hasCreated ? sql`r.created, ` : sql``}r.id` : sql`limit ${most}`
      return loadSelected(collection, sql`${where} ${order}`, unit)
    },

    async loadIds(name) {
      const { rows } = await sql<{ readonly id: string }>`select id from ${sql.table(tableOf(name).name)} order by seq`.execute(
        database.kysely,
      )
      return rows.map(({ id }) => id)
    },

    loadMany: async (collection, ids, unit) =>
      ids.length === 0 ? [] : selectByValues(unit?.sql ?? database.kysely, collection, { name: 'id', values: ids }),

    loadManyToChange: async (collection, ids, unit) =>
      ids.length === 0 ? [] : selectByValues(unit.sql, collection, { name: 'id', values: ids, toChange: true }),

    updateMany: (unit, collection, changes) =>
      updateMany({ unit, database: database.name, secrets, nowMs: clock.now() }, collection, changes),

    loadReferring: (collection, field, ids, unit) =>
      field.kind === 'relation' && field.many === true
        ? inChunks(ids, (some) => {
            const members = database.dialect.elements(sql`r.${sql.ref(field.name)}`, 'e')
            return loadSelected(
              collection,
              sql`where exists (select 1 from ${members} where e.value in (${sql.join(some)})) order by r.seq`,
              unit,
            )
          })
        : selectByValues(unit?.sql ?? database.kysely, collection, { name: field.name, values: ids }),

    async insertMany(unit, collection, all) {
      const now = recordDate(clock.now())
      const records = all.map((values) => withDefaults(collection, values, now))
      const rows = records.map((record) => toRow(collection, record, secrets))
      // All rows have the same columns, in the order of the collection's fields.
      const columns = Object.keys(rows[0] ?? {})
      await insertRows(unit.sql, database.name, { table: collection.name, columns, rows: rows.map((row) => Object.values(row)) })
      for (const record of records) unit.emit({ action: 'create', collection: collection.name, record })
    },

    async insert(unit, name, values) {
      const collection = tableOf(name)
      const record = withDefaults(collection, values, recordDate(clock.now()))
      const row = toRow(collection, record, secrets)
      const [columns, inserted] = [Object.keys(row), Object.values(row)]
      await sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))})
        values (${sql.join(inserted)})`.execute(unit.sql)
      unit.emit({ action: 'create', collection: name, record })
      return record
    },

    async update(unit, name, id, changes) {
      const collection = tableOf(name)
      const previous = await store.loadToChange(name, id, unit)
      if (previous === undefined) return undefined
      const record = { ...previous, ...known(collection, changes), ...updatedNow(collection, recordDate(clock.now())) }
      const row = toRow(collection, changed(record, previous), secrets)
      const written = Object.entries(row)
      if (written.length > 0) {
        const assignments = written.map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
        await sql`update ${sql.table(name)} set ${sql.join(assignments)} where id = ${id}`.execute(unit.sql)
      }
      unit.emit({ action: 'update', collection: name, record, previous })
      return record
    },

    async updateEach(unit, name, changes) {
      const collection = tableOf(name)
      const isNew = (before: StoredRecord): boolean => Object.keys(changed({ ...before, ...changes.get(before.id) }, before)).length > 0
      const outdated = (await store.loadManyToChange(collection, [...changes.keys()], unit)).filter(isNew)
      await store.updateMany(
        unit,
        collection,
        outdated.map((before) => ({ before, values: changes.get(before.id) ?? {} })),
      )
    },

    remove: (unit, name, id) => removeWithReferences({ collections, store, unit }, tableOf(name), id),
  }
  return store
}

/**
 * Returns the complete record to insert: fields that `values` lacks get a new id, defaults, and `now` (a record date) as `created` and
 * `updated`. Fields that the collection does not have are dropped.
 */
export function withDefaults(collection: Collection, values: RecordValues, now: string): StoredRecord {
  const given = values['id']
  const record: { id: string; [field: string]: RecordValues[string] } = {
    id: typeof given === 'string' && given !== '' ? given : collection.idForm.generate(),
  }
  for (const field of collection.fields) record[field.name] = initialValue(field, values[field.name], now)
  return record
}

function initialValue(field: Field, given: RecordValues[string] | undefined, now: string): RecordValues[string] {
  if (field.kind === 'created' || field.kind === 'updated') return given ?? now
  const value = given ?? emptyValue(field)
  const generate = field.kind === 'text' || field.kind === 'secret' ? field.generate : undefined
  return generate !== undefined && value === '' ? generate() : value
}

/**
 * Returns those fields of `record` whose values differ from `previous`, as an object of field name and new value. JSON values are compared
 * as JSON text.
 */
function changed(record: StoredRecord, previous: StoredRecord): RecordValues {
  return Object.fromEntries(
    Object.entries(record).filter(([name, value]) => {
      const before = ownValue(previous, name)
      return value !== before && JSON.stringify(value) !== JSON.stringify(before)
    }),
  )
}

function known(collection: Collection, values: RecordValues): RecordValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => collection.fields.some((field) => field.name === name)))
}

function updatedNow(collection: Collection, now: string): RecordValues {
  return Object.fromEntries(collection.fields.filter(({ kind }) => kind === 'updated').map(({ name }) => [name, now]))
}

type Parts = { readonly unit: UnitOfWork; readonly database: Database['name']; readonly secrets: SecretBox; readonly nowMs: number }

/**
 * Updates many records of a collection with few SQL statements and resolves to them. Emits an update event for each of them, even if its
 * values were the same. All get a new `updated` date, if the collection has that field.
 */
export async function updateMany(
  { unit, database, secrets, nowMs }: Parts,
  collection: Collection,
  changes: readonly RecordChange[],
): Promise<readonly StoredRecord[]> {
  if (changes.length === 0) return []
  // Unchanged columns are skipped, because writing them would also write their indexes.
  const changed = collection.fields.filter(
    ({ name, kind }) =>
      kind === 'updated' ||
      changes.some(({ before, values }) => Object.hasOwn(values, name) && ownValue(values, name) !== ownValue(before, name)),
  )
  const now = recordDate(nowMs)
  const dates = Object.fromEntries(changed.filter(({ kind }) => kind === 'updated').map(({ name }) => [name, now]))
  const records = changes.map(({ before, values }): StoredRecord => ({ ...before, ...values, ...dates, id: before.id }))
  const keys = keyFields(database, collection)
  const rows = records.map((record, at) => [
    record.id,
    ...keys.map((field) => toColumn(collection, field, changes[at]?.before[field.name] ?? null, secrets)),
    ...changed.map((field) => toColumn(collection, field, record[field.name] ?? null, secrets)),
  ])
  if (changed.length > 0)
    await rewriteRows(unit.sql, database, {
      table: collection.name,
      columns: ['id', ...[...keys, ...changed].map(({ name }) => name)],
      keys: 1 + keys.length,
      rows,
    })
  for (const [at, { before, isPartial }] of changes.entries()) {
    const record = records[at] ?? before
    unit.emit({ action: 'update', collection: collection.name, record, ...(isPartial !== true && { previous: before }) })
  }
  return records
}

/**
 * Returns the fields that, besides `id`, identify a row of a collection's table in an SQL update: `system` on PostgreSQL, none on SQLite.
 * If tables are sharded by system, the update then reaches one shard.
 */
const keyFields = (database: Database['name'], { fields }: Collection): readonly Field[] =>
  database === 'postgres' ? fields.filter(({ name }) => name === 'system') : []

/**
 * Calls `ask`, an async function that loads records, and resolves to its result. If a stored record cannot be decoded (`SyntaxError`),
 * calls `onDamaged` with the error and resolves to `undefined`. Rejects with other errors.
 */
export async function whereReadable<Answer>(
  ask: () => Promise<Answer>,
  onDamaged: (error: SyntaxError) => void = () => {},
): Promise<Answer | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    onDamaged(error)
    return undefined
  }
}
