import type { System } from '../../api/system-record.ts'
import { filterParts } from './fleet-filter.ts'

/** Maximum number of tags that the page proposes when no system matches. */
const MOST_SIMILAR = 8

/**
 * Returns the tags of the systems that contain the text of one of the filter's tags, ignoring case, at most 8. The page proposes them when
 * no system matches a half-typed tag.
 */
export function similarTags(systems: readonly System[], filter: string): readonly string[] {
  const wanted = filterParts(filter).flatMap((part) => (part.kind === 'tag' ? part.tag.toLocaleLowerCase() : []))
  if (wanted.length === 0) return []
  const texts = new Set(systems.flatMap(({ tags }) => tags.map(({ text }) => text)))
  return [...texts].filter((text) => wanted.some((one) => text.toLocaleLowerCase().includes(one))).slice(0, MOST_SIMILAR)
}
