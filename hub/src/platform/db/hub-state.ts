import type { Kysely } from 'kysely'
import type { Tables } from './schema.ts'

/** What is kept under a name for the whole hub, in the table `hub_state`; undefined when nothing is. */
export async function loadState(sql: Kysely<Tables>, name: string): Promise<string | undefined> {
  return (await sql.selectFrom('hub_state').select('value').where('name', '=', name).executeTakeFirst())?.value
}

/** Keeps it in place of what was there. */
export async function saveState(sql: Kysely<Tables>, name: string, value: string): Promise<void> {
  await sql
    .insertInto('hub_state')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
