import type { Kysely } from 'kysely'
import type { Tables } from './schema.ts'

/** Loads a named value of the hub from the table `hub_state`. `undefined` when there is none. */
export async function loadState(sql: Kysely<Tables>, name: string): Promise<string | undefined> {
  return (await sql.selectFrom('hub_state').select('value').where('name', '=', name).executeTakeFirst())?.value
}

/** Stores a named value; it replaces an earlier one. */
export async function saveState(sql: Kysely<Tables>, name: string, value: string): Promise<void> {
  await sql
    .insertInto('hub_state')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
