import type { Grant, TagRule } from '../../../api/access-lists.ts'
import type { System } from '../../../api/system-record.ts'
import { readSources, type TagSource } from '../../../api/system-tags.ts'
import type { NamedTags } from '../../../api/tag-uses.ts'
import { compareNames } from '../../../format/compare.ts'
import { readSearch } from '../../../navigation/search.ts'
import { fleetFilter, tagFilter } from '../../../navigation/tagged-systems.ts'

/** Tag with the number of its systems, all its sources there, and the numbers of grants, rules, API keys and saved views that name it. */
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

/** Returns all tags of systems, grants, rules and API keys, by name. Saved views count for the tags that their filter names exactly. */
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

/** Returns the number of lists that contain each text. */
function countsOf(lists: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const list of lists) for (const one of new Set(list)) counts.set(one, (counts.get(one) ?? 0) + 1)
  return counts
}

/** Returns the parts of a saved view's filter that name a tag, such as `tag:env=prod`. */
function tagPartsOf(search: string): readonly string[] {
  const { filter } = readSearch({ filter: fleetFilter }, search)
  return filter.match(/tag:(?:"[^"]*"|\S+)/g) ?? []
}
