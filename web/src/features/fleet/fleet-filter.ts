import { healthOf } from '../../api/system-health.ts'
import type { System } from '../../api/system-record.ts'
import { keyOfTag, valueOfTag } from '../../api/system-tags.ts'
import { matchesNote, type NotedSystems } from './note-filter.ts'

const STATUS = 'status:'
const TAG = 'tag:'

/**
 * Condition of the filter: a word in name or host, the start of a health state, a tag, or a value of a defined field. Texts other than tags
 * are in lower case.
 */
type FilterPart =
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'status'; readonly text: string }
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'note'; readonly name: string; readonly value: string; readonly text: string }

/**
 * Returns the systems that match every part of the filter. A word is searched in name and host, ignoring case; `status:down` selects by
 * health, `tag:prod` by tag, `rack:7` by the value of the defined field Rack, `note:cellar` by notes. Quotes join words with blanks.
 * `noted` are the values and notes of all systems; without them, such a part is a word.
 */
export function filterSystems(systems: readonly System[], filter: string, now: number, noted?: NotedSystems): readonly System[] {
  const parts = filterParts(filter)
  if (parts.length === 0) return systems
  return systems.filter((system) => {
    const text = `${system.name} ${system.host}`.toLocaleLowerCase()
    return parts.every((part) => {
      if (part.kind === 'word') return text.includes(part.text)
      if (part.kind === 'status') return healthOf(system, now).startsWith(part.text)
      if (part.kind === 'note')
        return noted === undefined ? text.includes(part.text) : (matchesNote(noted, system.id, part) ?? text.includes(part.text))
      return system.tags.some((tag) => matchesTag(tag.text, part.tag))
    })
  })
}

/** Parses a filter to its parts. A half-typed `tag:` is left out. */
export function filterParts(filter: string): readonly FilterPart[] {
  // A part may contain quoted blanks. A quote that is not closed yet continues to the end.
  const parts = [...filter.matchAll(/(?:"[^"]*"?|[^\s"])+/g)].map(([part]) => part.replaceAll('"', ''))
  return parts.flatMap((part): FilterPart[] => {
    const text = part.toLocaleLowerCase()
    if (text === '' || text === TAG) return []
    if (text.startsWith(TAG)) return [{ kind: 'tag', tag: part.slice(TAG.length).normalize('NFC').trim() }]
    if (text.startsWith(STATUS)) return [{ kind: 'status', text: text.slice(STATUS.length) }]
    const end = text.indexOf(':')
    return [end < 1 ? { kind: 'word', text } : { kind: 'note', name: text.slice(0, end), value: text.slice(end + 1), text }]
  })
}

/** Returns true when a tag equals the wanted text, or its key or value does. `env=`, which is half-typed, matches each tag of that key. */
function matchesTag(tag: string, wanted: string): boolean {
  if (tag === wanted) return true
  const key = keyOfTag(tag)
  return key !== undefined && (key === wanted || valueOfTag(tag) === wanted || `${key}=` === wanted)
}
