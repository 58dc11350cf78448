import type { Theme } from '../../preferences/theme.ts'

export type EntryGroup = 'page' | 'system' | 'tag' | 'theme' | 'admin'

type EntryAction =
  | { readonly kind: 'open'; readonly href: string }
  | { readonly kind: 'openTab'; readonly href: string }
  | { readonly kind: 'theme'; readonly theme: Theme }
  | { readonly kind: 'addSystem' }

export type PaletteEntry = {
  readonly id: string
  readonly group: EntryGroup
  readonly label: string
  readonly detail?: string
  readonly keywords: readonly string[]
  readonly action: EntryAction
}

/**
 * Maximum number of systems, 100, that the command palette lists, because each row costs rendering time; the number of further ones is
 * shown.
 */
const MOST_SYSTEMS = 100
/** Maximum number of tags, 20, that the command palette lists. Without a search text, the tags of the most systems are listed. */
const MOST_TAGS = 20

export type FoundEntries = {
  /**
   * Groups of entries that the command palette lists: only groups with a match, the group of the best match first. Without a search text,
   * the order is: recent entries, pages, systems, tags, themes and admin pages.
   */
  readonly groups: readonly { readonly group: EntryGroup | 'recent'; readonly entries: readonly PaletteEntry[] }[]
  /** Number of systems that match the text typed in the command palette but are not listed, because at most `MOST_SYSTEMS` (100) are. */
  readonly hiddenCount: number
}

const order = ['recent', 'page', 'system', 'tag', 'theme', 'admin'] as const

/**
 * Returns the palette entries that match the text `typed`, by group, and the number of matching systems that are not listed. `recentIds`
 * are the ids of recently opened entries, newest first.
 */
export function findEntries(entries: readonly PaletteEntry[], recentIds: readonly string[], typed: string): FoundEntries {
  const search = typed.trim().toLocaleLowerCase()
  const matches = new Map(order.map((group) => [group, [] as Match[]]))
  const recent = new Set(recentIds)
  for (const entry of entries) {
    const score = matchScore([entry.label, ...entry.keywords], search)
    if (score > 0) matches.get(recent.has(entry.id) ? 'recent' : entry.group)?.push({ entry, score })
  }
  matches.get('recent')?.sort((a, b) => recentIds.indexOf(a.entry.id) - recentIds.indexOf(b.entry.id))
  const found = [...matches]
    .filter(([, { length }]) => length > 0)
    .map(([group, ofGroup]) => ({ group, ofGroup: ofGroup.toSorted((a, b) => b.score - a.score) }))
    .toSorted((a, b) => (b.ofGroup[0]?.score ?? 0) - (a.ofGroup[0]?.score ?? 0))
  return {
    groups: found.map(({ group, ofGroup }) => ({
      group,
      entries: ofGroup.slice(0, group === 'tag' ? MOST_TAGS : MOST_SYSTEMS).map(({ entry }) => entry),
    })),
    hiddenCount: Math.max(0, (matches.get('system')?.length ?? 0) - MOST_SYSTEMS),
  }
}

type Match = { readonly entry: PaletteEntry; readonly score: number }

/**
 * Returns how well a palette entry's keywords match a search text: the best keyword's score, 0 (no match) to 1. A match at the start scores
 * 1, inside 0.6; keywords after the first score half.
 */
function matchScore(keywords: readonly string[], search: string): number {
  const scores = keywords.map((keyword, index) => textScore(keyword.toLocaleLowerCase(), search) * (index === 0 ? 1 : 0.5))
  return Math.max(0, ...scores)
}

function textScore(text: string, search: string): number {
  if (text.startsWith(search)) return 1
  return text.includes(search) ? 0.6 : 0
}
