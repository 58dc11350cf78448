import type { Kysely } from 'kysely'
import { z } from 'zod'
import { ACCESS, deriveGrantedTags } from '../../accounts/groups/granted-tags.ts'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { DeletedTagTable, Tables } from '../../platform/db/schema.ts'
import { parseJson } from '../../platform/json.ts'
import { randomId } from '../../platform/secrets/random-id.ts'
import { systems as systemsCollection } from '../../records/collections/systems.ts'
import { holdersOf } from '../../records/collections/tag-access.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'
import { deletedSources, MOST_TAGS, parseSources, restoredSources, tagFields, tagSources } from '../../records/model/tag.ts'
import { noteInAudit } from '../../records/writing/audit-log.ts'

/** Time in ms for which the deletion of a tag can be undone: a day. */
export const UNDO_MS = 86_400_000
/**
 * Maximum number of systems whose tags one SQL statement changes when a tag is deleted or restored: 500. More systems need several
 * statements in the same transaction.
 */
const SYSTEMS_AT_ONCE = 500

/**
 * Numbers of records that the deletion of a tag (or its undo) changed. `systems` lost or got the tag, `grants` gave access by it, `rules`
 * set it.
 */
export type TagParts = { readonly systems: number; readonly grants: number; readonly rules: number }

/**
 * Schema of the stored data by which the deletion of a tag can be undone. It has the systems with the sources of the tag, the grants of
 * access by it, and the filters of its tag rules.
 */
const removedSchema = z.object({
  systems: z.array(z.tuple([z.string(), z.array(z.enum(tagSources))])),
  grants: z.array(z.object({ user: z.string(), group: z.string(), may: z.string() })),
  rules: z.array(z.object({ filter: z.string() })),
})
type Removed = z.infer<typeof removedSchema>

type Change = { readonly by: StoredRecord; readonly nowMs: number }

/**
 * Tag that was deleted within the last day, so that the deletion can be undone by its `id`. `by` is the id of the admin, `atMs` the time of
 * the deletion in epoch ms.
 */
export type DeletedTag = TagParts & { readonly id: string; readonly tag: string; readonly by: string; readonly atMs: number }

/**
 * Deletes a tag from all systems, with its grants of access and its tag rules, in one transaction. Systems whose agents report the tag keep
 * it; `kept` is their number. Resolves to `undefined` without a change if there is nothing to delete: no grant, no rule, and no tag except
 * those that agents report.
 */
export async function deleteTag(
  engine: Engine,
  unit: UnitOfWork,
  tag: string,
  { by, nowMs }: Change,
): Promise<(DeletedTag & { readonly kept: number }) | undefined> {
  const { store } = engine
  await unit.alone(ACCESS)
  const ofTag = (system: StoredRecord) => parseSources(system['tagSources']).filter((one) => one.tag === tag)
  const carriers = (await store.loadWhere('systems', {}, unit)).filter((system) => ofTag(system).length > 0)
  const grants = await store.loadWhere('tag_access', { tag }, unit)
  const rules = await store.loadWhere('tag_rules', { tag }, unit)
  const isOfAgents = carriers.every((system) => ofTag(system).every(({ sources }) => sources.every((source) => source === 'agent')))
  if (isOfAgents && grants.length + rules.length === 0) return undefined
  const removed: Removed = { systems: [], grants: [], rules: [] }
  let kept = 0
  for (const some of chunks(carriers)) {
    const found = await store.loadManyToChange(
      systemsCollection,
      some.map(({ id }) => id),
      unit,
    )
    const changes = found.map((before) => {
      const { left, taken } = deletedSources(parseSources(before['tagSources']), tag)
      removed.systems.push([before.id, [...taken]])
      if (left.some((one) => one.tag === tag)) kept += 1
      return { before, values: tagFields(left) }
    })
    await store.updateMany(unit, systemsCollection, changes)
  }
  const holders = (await Promise.all(grants.map((grant) => holdersOf(grant, { unit, store, nowMs })))).flat()
  for (const grant of grants) {
    removed.grants.push({ user: textOf(grant, 'user'), group: textOf(grant, 'group'), may: textOf(grant, 'may') })
    await store.remove(unit, 'tag_access', grant.id)
  }
  for (const rule of rules) {
    removed.rules.push({ filter: textOf(rule, 'filter') })
    await store.remove(unit, 'tag_rules', rule.id)
  }
  await deriveGrantedTags({ unit, store }, holders)
  const row = { id: randomId(15), tag, by: by.id, at: nowMs, removed: JSON.stringify(removed) }
  await unit.sql.insertInto('deleted_tags').values(row).execute()
  await unit.sql
    .deleteFrom('deleted_tags')
    .where('at', '<=', nowMs - UNDO_MS)
    .execute()
  await noteInAudit(unit, nowMs, { by, action: 'delete', target: 'tags', id: row.id, name: tag })
  return { ...deletedTagOf(row), kept }
}

/**
 * Undoes the deletion of a tag (by the deletion's id) within 1 day. Systems that still exist get the tag again. Its rules are restored, and
 * its grants to users and groups that still exist. A system that has the maximum number of tags is left out. Resolves to the counts;
 * `undefined` if there is no such deletion.
 */
export async function restoreTag(engine: Engine, unit: UnitOfWork, id: string, { by, nowMs }: Change): Promise<TagParts | undefined> {
  const { store } = engine
  await unit.alone(ACCESS)
  const row = await recent(unit.sql, nowMs).where('id', '=', id).executeTakeFirst()
  if (row === undefined) return undefined
  const { tag } = row
  const removed = removedIn(row)
  const sources = new Map(removed.systems)
  let systems = 0
  for (const some of chunks(removed.systems)) {
    const found = await store.loadManyToChange(
      systemsCollection,
      some.map(([system]) => system),
      unit,
    )
    const changes = found.map((before) => {
      const tags = restoredSources(parseSources(before['tagSources']), tag, sources.get(before.id) ?? [])
      return { before, tags, isRoom: tags.length <= MOST_TAGS }
    })
    const possible = changes.filter(({ isRoom }) => isRoom)
    systems += possible.length
    await store.updateMany(
      unit,
      systemsCollection,
      possible.map(({ before, tags }) => ({ before, values: tagFields(tags) })),
    )
  }
  const grants = await restoreGrants(engine, unit, tag, removed.grants)
  let rules = 0
  for (const { filter } of removed.rules) {
    if ((await store.loadWhere('tag_rules', { tag, filter }, unit, 1)).length > 0) continue
    await store.insert(unit, 'tag_rules', { tag, filter })
    rules += 1
  }
  await unit.sql.deleteFrom('deleted_tags').where('id', '=', id).execute()
  await noteInAudit(unit, nowMs, { by, action: 'restore', target: 'tags', id, name: tag })
  return { systems, grants, rules }
}

async function restoreGrants({ store, clock }: Engine, unit: UnitOfWork, tag: string, grants: Removed['grants']): Promise<number> {
  const holders: string[] = []
  let count = 0
  for (const { user, group, may } of grants) {
    const holder = user === '' ? await store.load('groups', group, unit) : await store.load('users', user, unit)
    // Somebody may have been deleted, or have got a grant of this tag meanwhile.
    if (holder === undefined || (await store.loadWhere('tag_access', { tag, user, group }, unit, 1)).length > 0) continue
    const grant = await store.insert(unit, 'tag_access', { tag, user, group, may })
    holders.push(...(await holdersOf(grant, { unit, store, nowMs: clock.now() })))
    count += 1
  }
  await deriveGrantedTags({ unit, store }, holders)
  return count
}

/** Resolves to the deleted tags whose deletion can still be undone, the newest first, at most 100. */
export const deletedTags = async (kysely: Kysely<Tables>, nowMs: number): Promise<readonly DeletedTag[]> =>
  (await recent(kysely, nowMs).orderBy('at', 'desc').limit(100).execute()).map(deletedTagOf)

const recent = (kysely: Kysely<Tables>, nowMs: number) =>
  kysely
    .selectFrom('deleted_tags')
    .selectAll()
    .where('at', '>', nowMs - UNDO_MS)

function removedIn({ removed }: DeletedTagTable): Removed {
  return removedSchema.parse(parseJson(removed))
}

function deletedTagOf(row: DeletedTagTable): DeletedTag {
  const { systems, grants, rules } = removedIn(row)
  const { id, tag, by, at } = row
  return { id, tag, by, atMs: at, systems: systems.length, grants: grants.length, rules: rules.length }
}

function* chunks<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += SYSTEMS_AT_ONCE) yield all.slice(from, from + SYSTEMS_AT_ONCE)
}
