import { ownValue } from '@vedette/protocol/own-value'
import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import type { Kysely } from 'kysely'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/schema.ts'
import type { Collection } from '../model/collection.ts'
import { isJsonObject, parseJson } from '../../platform/json.ts'
import { textOf, type StoredRecord } from '../model/stored-record.ts'

/**
 * Author of a change in the audit log: an account's record, or `command line`, `first run` or `mailed link` for a change without a
 * signed-in account.
 */
export type Author = StoredRecord | 'command line' | 'first run' | 'mailed link'

/**
 * Audit log entry to write: author, `action` (such as `update`), changed record (`id`, `name`) and the changes. `target` is the name of a
 * collection or of another changed object.
 */
export type AuditNote = {
  readonly by: Author
  readonly action: string
  readonly target: string
  readonly id?: string
  readonly name?: string
  readonly changes?: Changes
}

/** Changes for an audit log entry: map from field name to a pair of old and new value. Values of secrets are `***`. */
export type Changes = { readonly [field: string]: readonly [before: Json, after: Json] }

/** Writes an audit log entry in the transaction of its change, so that neither is stored without the other. */
export async function noteInAudit(
  { sql }: UnitOfWork,
  nowMs: number,
  { by, action, target, id = '', name = '', changes = {} }: AuditNote,
): Promise<void> {
  const [actor, actorName] = typeof by === 'string' ? ['', by] : [by.id, textOf(by, 'email')]
  await sql
    .insertInto('audit_log')
    .values({ at: nowMs, actor, actorName, action, target, targetId: id, targetName: name, changes: JSON.stringify(changes) })
    .execute()
}

/**
 * Returns the differences of two objects by field name; those of nested fields by path, such as `smtp.host`. Values of secret fields are
 * masked as `***`, unless empty; long values are shortened. A missing value counts as null.
 */
export function changesBetween(before: JsonObject, after: JsonObject, isSecret: (path: string) => boolean, path = ''): Changes {
  const changes = new Map<string, readonly [Json, Json]>()
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [ownValue(before, name) ?? null, ownValue(after, name) ?? null]
    if (JSON.stringify(was) === JSON.stringify(is)) continue
    const inner = isJsonObject(was) && isJsonObject(is) ? changesBetween(was, is, isSecret, `${path}${name}.`) : undefined
    if (inner !== undefined) for (const [below, change] of Object.entries(inner)) changes.set(below, change)
    else changes.set(path + name, isSecret(path + name) ? [masked(was), masked(is)] : [shortened(was), shortened(is)])
  }
  return Object.fromEntries(changes)
}

const masked = (value: Json): Json => (value === null || value === '' ? value : '***')
const LONGEST = 500

function shortened(value: Json): Json {
  const text = JSON.stringify(value)
  return text.length <= LONGEST ? value : `${text.slice(0, LONGEST)}…`
}

/**
 * List of the collections whose changes by users are written to the audit log, such as `users` and `systems`; others, such as alerts, are
 * not audited.
 */
const audited: readonly string[] = ['users', 'systems', 'fingerprints', 'universal_tokens', 'groups', 'tag_access']

const nameFields: Readonly<Record<string, string>> = { users: 'email', tag_access: 'tag' }

/**
 * Writes an audit log entry for a user's change of a record in an audited collection (see `audited`); does nothing for others and for
 * guests. An update without differences is written, too. `previous` is `undefined` for a creation, `next` for a deletion.
 */
export async function noteRecordChange(
  unit: UnitOfWork,
  { by, nowMs }: { readonly by: StoredRecord | undefined; readonly nowMs: number },
  collection: Collection,
  { previous, next }: { readonly previous: StoredRecord | undefined; readonly next: StoredRecord | undefined },
): Promise<void> {
  const record = next ?? previous
  if (!audited.includes(collection.name) || by === undefined || record === undefined) return
  const auditedFields = new Set(
    collection.fields.filter(({ name, kind }) => kind !== 'created' && kind !== 'updated' && name !== 'info').map(({ name }) => name),
  )
  const secret = new Set(collection.fields.filter(({ kind }) => kind === 'secret' || kind === 'password').map(({ name }) => name))
  const shown = (one: StoredRecord | undefined): JsonObject =>
    Object.fromEntries(Object.entries(one ?? {}).filter(([name]) => auditedFields.has(name)))
  await noteInAudit(unit, nowMs, {
    by,
    action: previous === undefined ? 'create' : next === undefined ? 'delete' : 'update',
    target: collection.name,
    id: record.id,
    name: textOf(record, ownValue(nameFields, collection.name) ?? 'name'),
    changes: changesBetween(shown(previous), shown(next), (field) => secret.has(field)),
  })
}

export type AuditEntry = {
  readonly no: number
  readonly atMs: number
  readonly actor: string
  readonly actorName: string
  readonly action: string
  readonly target: string
  readonly targetId: string
  readonly targetName: string
  readonly changes: Json
}

/**
 * Parameters for a page of the audit log: page number from 1, page size, and exact values of `actor`, `target` and `targetId`; `''` matches
 * all.
 */
export type AuditQuery = {
  readonly page: number
  readonly perPage: number
  readonly actor: string
  readonly target: string
  readonly targetId: string
}

/**
 * Loads one page of audit log entries, newest first, and the total number of entries that match the query's `actor`, `target` and
 * `targetId`.
 */
export async function listAudit(kysely: Kysely<Tables>, { page, perPage, actor, target, targetId }: AuditQuery) {
  const given = Object.entries({ actor, target, targetId }).filter(([, value]) => value !== '')
  let entries = kysely.selectFrom('audit_log')
  for (const [field, value] of given)
    entries = entries.where(field === 'actor' ? 'actor' : field === 'target' ? 'target' : 'targetId', '=', value)
  const { total } = await entries.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await entries
    .selectAll()
    .orderBy('no', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  const items = rows.map(({ at, changes, ...row }): AuditEntry => ({ ...row, atMs: at, changes: parseJson(changes) }))
  return { items, total }
}
