import type { Engine } from '../../records/engine/engine.ts'
import { parseJson } from '../../platform/json.ts'
import { labelsIn } from '../../records/filter/label-test.ts'
import { textOf } from '../../records/model/stored-record.ts'
import { parseSources, tagFields } from '../../records/model/tag.ts'

/**
 * Tag of the hub's systems, and the numbers of what depends on it. `systems` counts the systems that carry it, `trusted` those on which it
 * gives access, `reported` those whose agents report it. `views` counts saved views of all people that filter by it, `keys` API keys.
 */
export type ListedTag = { readonly tag: string } & Readonly<
  Record<'systems' | 'trusted' | 'reported' | 'grants' | 'rules' | 'views' | 'keys', number>
>

type Counts = { -readonly [name in keyof ListedTag]: ListedTag[name] }

/** Returns all tags of systems, grants, tag rules and API keys, sorted, with what depends on each. */
export async function listTags({ database, store }: Engine): Promise<readonly ListedTag[]> {
  const tags = new Map<string, Counts>()
  const of = (tag: string): Counts => {
    const known = tags.get(tag) ?? { tag, systems: 0, trusted: 0, reported: 0, grants: 0, rules: 0, views: 0, keys: 0 }
    tags.set(tag, known)
    return known
  }
  for (const { tagSources } of await store.loadWhere('systems', {})) {
    const its = parseSources(tagSources)
    for (const { tag, sources } of its) {
      of(tag).systems += 1
      if (sources.includes('agent')) of(tag).reported += 1
    }
    for (const tag of tagFields(its).accessTags) of(tag).trusted += 1
  }
  for (const grant of await store.loadWhere('tag_access', {})) of(textOf(grant, 'tag')).grants += 1
  for (const rule of await store.loadWhere('tag_rules', {})) of(textOf(rule, 'tag')).rules += 1
  const limits = await database.kysely.selectFrom('api_keys').select('tags').where('tags', '<>', '').execute()
  for (const { tags: text } of limits) for (const tag of labelsIn(parseJson(text))) of(tag).keys += 1
  for (const view of await store.loadWhere('saved_views', {}))
    for (const tag of tagsOfSearch(textOf(view, 'search'))) {
      const known = tags.get(tag)
      if (known !== undefined) known.views += 1
    }
  return [...tags.values()].toSorted((a, b) => (a.tag < b.tag ? -1 : 1))
}

/** Returns the tags that the search part of the address of All Systems filters by: those of `tag:prod` and `tag:"data center"`. */
export function tagsOfSearch(search: string): ReadonlySet<string> {
  const filter = new URLSearchParams(search).get('filter') ?? ''
  const parts = [...filter.matchAll(/(?:"[^"]*"?|[^\s"])+/g)].map(([part]) => part.replaceAll('"', ''))
  return new Set(parts.flatMap((part) => (/^tag:./i.test(part) ? [part.slice('tag:'.length).normalize('NFC').trim()] : [])))
}
