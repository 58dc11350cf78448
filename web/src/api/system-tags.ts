import { listOf, recordOf, textOf } from './json.ts'

/**
 * List of the possible sources of a tag, in display order: admin, enrolment token, user (`person`), agent, tag rule. Only tags from `admin`
 * and `token` are trusted: they can give users access to systems.
 */
const tagSources = ['admin', 'token', 'person', 'agent', 'rule'] as const
export type TagSource = (typeof tagSources)[number]

/**
 * Tag of a system: its text, and the sources that set it (admin, enrolment token, agent and so on), each once. The list is empty when the
 * hub sends none.
 */
export type SystemTag = { readonly text: string; readonly sources: readonly TagSource[] }

const noTags: readonly SystemTag[] = []

/**
 * Parses a system's tags from the fields `tags` (texts) and `tagSources` (objects) of its record, and returns them. Unknown sources are
 * left out.
 */
export function readTags(tags: unknown, sources: unknown): readonly SystemTag[] {
  const texts = listOf(tags).flatMap((one) => textOf(one) ?? [])
  if (texts.length === 0) return noTags
  const known = new Map(
    listOf(sources).map((entry) => {
      const { tag, sources: its } = recordOf(entry)
      return [textOf(tag), listOf(its)] as const
    }),
  )
  return texts.map((text) => {
    return { text, sources: readSources(known.get(text) ?? []) }
  })
}

/** Returns the known tag sources in a list from the hub; unknown ones, as from a newer hub, are left out. */
export const readSources = (sources: readonly unknown[]): readonly TagSource[] => tagSources.filter((source) => sources.includes(source))

/** Returns true when an admin, or an enrolment token made by an admin, has set the tag. Only such tags can give access to systems. */
export const mayGiveAccess = ({ sources }: SystemTag): boolean => sources.includes('admin') || sources.includes('token')

/** Returns the key of a tag `key=value`, which is the text before the first `=`. `undefined` for a tag without `=`. */
export function keyOfTag(text: string): string | undefined {
  const end = text.indexOf('=')
  return end === -1 ? undefined : text.slice(0, end)
}

/** Returns the value of a tag `key=value`, which is the text after the first `=`. `undefined` for a tag without `=`. */
export function valueOfTag(text: string): string | undefined {
  const end = text.indexOf('=')
  return end === -1 ? undefined : text.slice(end + 1)
}

/** Returns a map from each tag (text) of the systems to the number of systems that have it, most frequent first. */
export function countTags(systems: readonly { readonly tags: readonly SystemTag[] }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { tags } of systems) for (const { text } of tags) counts.set(text, (counts.get(text) ?? 0) + 1)
  return new Map([...counts].toSorted(([a, aCount], [b, bCount]) => bCount - aCount || (a < b ? -1 : 1)))
}
