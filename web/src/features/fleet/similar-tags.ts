import type { System } from '../../api/system-record.ts'
import { filterParts } from './fleet-filter.ts'

/** Maximum number of similar tags, 8, that the page All Systems proposes when no system matches the filter. */
const MOST_SIMILAR = 8

/**
 * Returns at most 8 tags of the systems that contain the text after `tag:` in the filter, ignoring case. The page All Systems proposes them
 * when no system matches a tag that is being typed.
 */
export function similarTags(systems: readonly System[], filter: string): readonly string[] {
  const wanted = filterParts(filter).flatMap((part) => (part.kind === 'tag' ? part.tag.toLocaleLowerCase() : []))
  if (wanted.length === 0) return []
  const texts = new Set(systems.flatMap(({ tags }) => tags.map(({ text }) => text)))
  return [...texts].filter((text) => wanted.some((one) => text.toLocaleLowerCase().includes(one))).slice(0, MOST_SIMILAR)
}
