import type { Json } from '@vedette/protocol/wire/stats-json'
import type { FieldError } from './record-error.ts'
import { isJsonObject } from '../../platform/json.ts'

/**
 * List of the sources of a system's tag, in stored order. `admin`: an admin set it; `token`: an admin's enrolment token; `person`: another
 * user; `agent`: the agent's configuration; `rule`: a tag rule of the hub.
 */
export const tagSources = ['admin', 'token', 'person', 'agent', 'rule'] as const
export type TagSource = (typeof tagSources)[number]

/**
 * Set of the sources `admin` and `token` of tags. Only tags with one of these (trusted tags) give users access to the system; others only
 * group, filter and sort.
 */
const trusted: ReadonlySet<TagSource> = new Set<TagSource>(['admin', 'token'])

/**
 * Map from the kind of user who removes a system's tag to the sources that this user may remove. Admins remove `admin`, `token` and
 * `person`, other users only `person`. A user who sets a tag adds the source `admin` or `person`.
 */
const ownSources: Readonly<Record<TagAuthor, ReadonlySet<TagSource>>> = {
  admin: new Set<TagSource>(['admin', 'token', 'person']),
  person: new Set<TagSource>(['person']),
}

/** Kind of user who changes a system's tags through the records API: `admin`, or `person` for any other user. */
export type TagAuthor = 'admin' | 'person'

/** Tag of a system with its sources, at least one, in the order of {@link tagSources}. */
export type SourcedTag = { readonly tag: string; readonly sources: readonly TagSource[] }

/**
 * Maximum number of tags of a system, from all their sources (such as admins, agent and rules) together: 50. An API key can have as many.
 */
export const MOST_TAGS = 50

/** Maximum length of a tag of a system, in Unicode code points: 64. A longer tag is rejected. */
export const LONGEST_TAG = 64

/** Returns a tag in the form in which it is stored: Unicode normal form C, without white space at both ends. */
export const normalTag = (text: string): string => text.normalize('NFC').trim()

/**
 * Regular expression for a character that a tag must not contain: control characters, line ends, lone surrogates, marks that change the
 * text direction, `,` and `"`.
 */
const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069,"]/u

/** Regular expression for a visible character: neither white space nor a mark without width. A tag needs at least one. */
const VISIBLE = /[^\p{Z}\p{Cf}]/u

/** Checks whether a text can be a tag. Returns a field error (code and message), or `undefined` if it can. */
export function tagProblem(text: string): FieldError | undefined {
  const length = Array.from(text).length
  if (length > LONGEST_TAG) {
    const message = `A tag must be no more than ${LONGEST_TAG} character(s).`
    return { code: 'validation_max_text_constraint', message, params: { max: LONGEST_TAG } }
  }
  if (!VISIBLE.test(text)) return { code: 'validation_invalid_tag', message: 'A tag must not be blank.' }
  if (FORBIDDEN.test(text)) {
    return { code: 'validation_invalid_tag', message: 'A tag must not contain a comma, a double quote or a control character.' }
  }
  return normalTag(text) === text
    ? undefined
    : { code: 'validation_invalid_tag', message: 'A tag must be in Unicode normal form C, without spaces at its ends.' }
}

/** Parses the field `tagSources` of a system. Entries without a known source are left out; an empty list for any other value. */
export function parseSources(value: Json | undefined): readonly SourcedTag[] {
  if (!Array.isArray(value)) return []
  return sorted(
    value.flatMap((one: Json): SourcedTag[] => {
      const { tag, sources } = isJsonObject(one) ? one : {}
      const known = tagSources.filter((source) => Array.isArray(sources) && sources.includes(source))
      return typeof tag === 'string' && known.length > 0 ? [{ tag, sources: known }] : []
    }),
  )
}

/**
 * Returns a system's fields `tags`, `tagSources` and `accessTags` for its tags with their sources. `accessTags` has only those that an
 * admin or an admin's token set; these give users access.
 */
export function tagFields(tags: readonly SourcedTag[]): {
  readonly tags: readonly string[]
  readonly tagSources: Json
  readonly accessTags: readonly string[]
} {
  const inOrder = sorted(tags)
  return {
    tags: inOrder.map(({ tag }) => tag),
    tagSources: inOrder.length === 0 ? null : inOrder.map(({ tag, sources }) => ({ tag, sources: [...sources] })),
    accessTags: inOrder.filter(({ sources }) => sources.some((source) => trusted.has(source))).map(({ tag }) => tag),
  }
}

/** Change of a system's tags: `set` (if present) replaces all tags, then `added` are added and `removed` are removed. */
export type TagChange = {
  readonly set?: readonly string[] | undefined
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/**
 * Result of a change of a system's tags: all `tags` after it. `given`: tags that got the author's source. `kept`: tags that stay, because
 * the author may not remove them.
 */
export type ChangedTags = {
  readonly tags: readonly SourcedTag[]
  readonly given: readonly string[]
  readonly kept: readonly SourcedTag[]
}

/**
 * Applies a user's change to a system's tags. New tags, and existing ones in `added`, get the author's source (`admin`, `person`). Tags in
 * `removed` lose the sources that the author may remove. Tags that `set` lacks go if the author may remove all of their sources.
 */
export function changeTags(before: readonly SourcedTag[], { set, added, removed }: TagChange, author: TagAuthor): ChangedTags {
  const own = ownSources[author]
  const sources = new Map(before.map(({ tag, sources: known }) => [tag, known]))
  const given = new Set<string>()
  const kept = new Set<string>()
  const give = (tag: string): void => {
    const known = sources.get(tag) ?? []
    if (known.includes(author)) return
    given.add(tag)
    sources.set(tag, [...known, author])
  }
  const wanted = new Set(set ?? before.map(({ tag }) => tag))
  for (const tag of wanted) if (!sources.has(tag)) give(tag)
  for (const [tag, known] of sources) {
    if (wanted.has(tag)) continue
    if (known.every((source) => own.has(source))) sources.delete(tag)
    else kept.add(tag)
  }
  for (const tag of added) give(tag)
  for (const tag of removed) {
    const known = sources.get(tag)
    if (known === undefined) continue
    const left = known.filter((source) => !own.has(source))
    if (left.length === known.length) kept.add(tag)
    if (left.length === 0) sources.delete(tag)
    else sources.set(tag, left)
    given.delete(tag)
  }
  const tags = [...sources].map(([tag, known]) => ({ tag, sources: tagSources.filter((source) => known.includes(source)) }))
  return { tags: sorted(tags), given: [...given], kept: sorted(tags.filter(({ tag }) => kept.has(tag))) }
}

/**
 * Removes one tag from a system, because an admin deletes it from all systems. Returns the remaining tags (`left`) and the tag's removed
 * sources (`taken`, for an undo). A tag that the agent reports stays with that source.
 */
export function deletedSources(
  before: readonly SourcedTag[],
  tag: string,
): { readonly left: readonly SourcedTag[]; readonly taken: readonly TagSource[] } {
  const sources = before.find((one) => one.tag === tag)?.sources ?? []
  const kept = sources.filter((source) => source === 'agent')
  const others = before.filter((one) => one.tag !== tag)
  return {
    left: kept.length === 0 ? others : sorted([...others, { tag, sources: kept }]),
    taken: sources.filter((source) => source !== 'agent'),
  }
}

/**
 * Undoes the deletion of `tag` from a system: returns the system's tags with it, and with the sources in `taken`, as {@link deletedSources}
 * returned them.
 */
export function restoredSources(before: readonly SourcedTag[], tag: string, taken: readonly TagSource[]): readonly SourcedTag[] {
  if (taken.length === 0) return before
  const known = before.find((one) => one.tag === tag)?.sources ?? []
  const sources = tagSources.filter((source) => known.includes(source) || taken.includes(source))
  return sorted([...before.filter((one) => one.tag !== tag), { tag, sources }])
}

const sorted = (tags: readonly SourcedTag[]): readonly SourcedTag[] => tags.toSorted((a, b) => (a.tag < b.tag ? -1 : 1))
