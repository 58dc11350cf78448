import type { Grant, TagRule } from '../../../api/access-lists.ts'
import type { System } from '../../../api/system-record.ts'
import { readSources, type TagSource } from '../../../api/system-tags.ts'
import type { NamedTags } from '../../../api/tag-uses.ts'
import { compareNames } from '../../../format/compare.ts'
import { readSearch } from '../../../navigation/search.ts'
import { fleetFilter, tagFilter } from '../../../navigation/tagged-systems.ts'

/**
 * Row of the list of all tags: the tag, the number of its systems, and all sources that set it, such as `agent`. Further numbers say how
 * many grants, tag rules, API keys and saved views use it.
 */
export type TagOverview = {
  readonly tag: string
  readonly systems: number
  readonly sources: readonly TagSource[]
  readonly grants: number
  readonly rules: number
  readonly keys: number
  readonly views: number
}

export type TagParts = {
  readonly systems: readonly System[]
  readonly grants: readonly Grant[]
  readonly rules: readonly TagRule[]
  readonly named: NamedTags
}

/**
 * Returns the list of all tags that systems, grants, tag rules or API keys use, sorted by text. A saved view counts for a tag only when its
 * filter contains exactly that tag.
 */
export function tagOverviews({ systems, grants, rules, named: { keyTags, viewSearches } }: TagParts): readonly TagOverview[] {
  const sources = new Map<string, Set<TagSource>>()
  for (const { tags } of systems) {
    for (const { text, sources: its } of tags) sources.set(text, new Set([...(sources.get(text) ?? []), ...its]))
  }
  const counts = {
    systems: countsOf(systems.map(({ tags }) => tags.map(({ text }) => text))),
    grants: countsOf(grants.map(({ tag }) => [tag])),
    rules: countsOf(rules.map(({ tag }) => [tag])),
    keys: countsOf(keyTags),
  }
  const filters = countsOf(viewSearches.map(tagPartsOf))
  const tags = new Set(Object.values(counts).flatMap((one) => [...one.keys()]))
  return [...tags].toSorted(compareNames).map((tag) => ({
    tag,
    systems: counts.systems.get(tag) ?? 0,
    sources: readSources([...(sources.get(tag) ?? [])]),
    grants: counts.grants.get(tag) ?? 0,
    rules: counts.rules.get(tag) ?? 0,
    keys: counts.keys.get(tag) ?? 0,
    views: filters.get(tagFilter(tag)) ?? 0,
  }))
}

/**
 * Returns a map from each text in the lists to the number of lists that contain it. An example is from tag to number of API keys with the
 * tag.
 */
function countsOf(lists: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const list of lists) for (const one of new Set(list)) counts.set(one, (counts.get(one) ?? 0) + 1)
  return counts
}

/**
 * Returns the list of those terms in the filter of a saved view that name a tag, such as `tag:env=prod`. `search` is the search part of the
 * view's URL.
 */
function tagPartsOf(search: string): readonly string[] {
  const { filter } = readSearch({ filter: fleetFilter }, search)
  return filter.match(/tag:(?:"[^"]*"|\S+)/g) ?? []
}
