import { healthOf } from '../../api/system-health.ts'
import type { System } from '../../api/system-record.ts'
import { keyOfTag, valueOfTag } from '../../api/system-tags.ts'

const STATUS = 'status:'
const TAG = 'tag:'

/**
 * Function that returns true when a system (id) matches a condition `name:value` of the filter, given in lower case. `note:` searches its
 * notes and links; the name of an admin-defined field searches its value. `undefined` when no field has that name.
 */
export type MatchesNote = (systemId: string, part: string) => boolean | undefined

/**
 * One condition of the filter text of All Systems. It is a word in name or host, the start of a health state, a tag, notes, or the value of
 * an admin-defined field. Texts other than tags are in lower case.
 */
type FilterPart = { readonly kind: 'word' | 'note' | 'status'; readonly text: string } | { readonly kind: 'tag'; readonly tag: string }

/**
 * Returns the systems that match every condition of the filter text. A word is searched in name and host, ignoring case. `status:down`
 * selects by health, `tag:prod` by tag, `note:cellar` by notes, `rack:7` by the admin-defined field Rack. Quotes join words with blanks.
 * `matchesNote` decides conditions about notes and fields; without it, or for an unknown field, they are words.
 */
export function filterSystems(systems: readonly System[], filter: string, now: number, matchesNote?: MatchesNote): readonly System[] {
  const parts = filterParts(filter)
  if (parts.length === 0) return systems
  return systems.filter((system) => {
    const text = `${system.name} ${system.host}`.toLocaleLowerCase()
    return parts.every((part) => {
      if (part.kind === 'tag') return system.tags.some((tag) => matchesTag(tag.text, part.tag))
      if (part.kind === 'status') return healthOf(system, now).startsWith(part.text)
      return (part.kind === 'note' ? matchesNote?.(system.id, part.text) : undefined) ?? text.includes(part.text)
    })
  })
}

/**
 * Returns true when the filter text has a condition `name:value` other than `tag:` and `status:`. Deciding it needs the systems' notes and
 * admin-defined fields, which must then be loaded.
 */
export const hasNotePart = (filter: string): boolean => filterParts(filter).some(({ kind }) => kind === 'note')

/** Parses the filter text of All Systems to its list of conditions. A condition `tag:` without a value, as while typing, is left out. */
export function filterParts(filter: string): readonly FilterPart[] {
  // A part may contain quoted blanks. A quote that is not closed yet continues to the end.
  const parts = [...filter.matchAll(/(?:"[^"]*"?|[^\s"])+/g)].map(([part]) => part.replaceAll('"', ''))
  return parts.flatMap((part): FilterPart[] => {
    const text = part.toLocaleLowerCase()
    if (text === '' || text === TAG) return []
    if (text.startsWith(TAG)) return [{ kind: 'tag', tag: part.slice(TAG.length).normalize('NFC').trim() }]
    if (text.startsWith(STATUS)) return [{ kind: 'status', text: text.slice(STATUS.length) }]
    return [{ kind: text.indexOf(':') > 0 ? 'note' : 'word', text }]
  })
}

/**
 * Returns true when a system's tag equals the text `wanted` from a filter, or its key or value does. `env=`, as while typing, matches each
 * tag with the key `env`.
 */
function matchesTag(tag: string, wanted: string): boolean {
  if (tag === wanted) return true
  const key = keyOfTag(tag)
  return key !== undefined && (key === wanted || valueOfTag(tag) === wanted || `${key}=` === wanted)
}
