import { ownValue } from '@vedette/protocol/own-value'
import type { Json } from '@vedette/protocol/wire/stats-json'
import type { Kysely } from 'kysely'
import { isJsonObject, parseJson } from '../json.ts'
import type { Tables } from './schema.ts'

/** Loads the value of a key from the key-value table `hub_state`. Resolves with `undefined` when there is none. */
export async function loadState(sql: Kysely<Tables>, name: string): Promise<string | undefined> {
  return (await sql.selectFrom('hub_state').select('value').where('name', '=', name).executeTakeFirst())?.value
}

/** Inserts or replaces the text value of a key in the key-value table `hub_state`. */
export async function saveState(sql: Kysely<Tables>, name: string, value: string): Promise<void> {
  await sql
    .insertInto('hub_state')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/**
 * Stores a JSON object as the value of a key in `hub_state`. Unknown fields of the stored object, from a newer hub of the same database,
 * are preserved, also in nested objects. Lists are replaced.
 */
export async function saveFields(sql: Kysely<Tables>, name: string, fields: object): Promise<void> {
  const text = await loadState(sql, name)
  const known = parseJson(JSON.stringify(fields))
  await saveState(sql, name, JSON.stringify(text === undefined ? known : withUnknown(parseJson(text), known)))
}

function withUnknown(stored: Json | undefined, fields: Json): Json {
  if (!isJsonObject(stored) || !isJsonObject(fields)) return fields
  const known = Object.entries(fields).map(([name, value]) => [name, withUnknown(ownValue(stored, name), value)])
  return { ...stored, ...Object.fromEntries(known) }
}
