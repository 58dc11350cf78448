import { sql, type Transaction } from 'kysely'
import type { Tables } from '../schema.ts'
import { createCollection } from './0001-first-tables.ts'

/**
 * Migration 24: adds tags of systems with their sources, groups of users, and the tags to which API keys are limited. Also adds grants, by
 * which users may view or change systems with a tag.
 */
export async function addTagsAndGroups(transaction: Transaction<Tables>, database: 'sqlite' | 'postgres'): Promise<void> {
  const text = sql.raw(database === 'sqlite' ? 'text' : 'text collate "C"')
  const added = { api_keys: ['tags'], systems: ['tags', 'tagSources', 'accessTags'], users: ['viewTags', 'changeTags'] }
  for (const [table, columns] of Object.entries(added))
    for (const column of columns)
      await sql`alter table ${sql.table(table)} add column ${sql.ref(column)} ${text} not null default ''`.execute(transaction)
  const dates = { created: 'text', updated: 'text' } as const
  await createCollection(transaction, database, 'groups', { name: 'text', members: 'text', ...dates })
  await createCollection(transaction, database, 'tag_access', { tag: 'text', user: 'text', group: 'text', may: 'text', ...dates })
  for (const index of [
    `create unique index groups_name on "groups" (name)`,
    `create unique index tag_access_once on tag_access (tag, "user", "group")`,
    `create index tag_access_user on tag_access ("user")`,
    `create index tag_access_group on tag_access ("group")`,
  ])
    await sql.raw(index).execute(transaction)
}
