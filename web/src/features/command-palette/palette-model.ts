import type { Theme } from '../../preferences/theme.ts'

export type EntryGroup = 'page' | 'system' | 'theme' | 'admin'

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

/** Entries by group, those opened lately in a group of their own before them. */
export function recentFirst(
  entries: readonly PaletteEntry[],
  recentIds: readonly string[],
): { readonly recent: readonly PaletteEntry[]; readonly groups: Readonly<Record<EntryGroup, readonly PaletteEntry[]>> } {
  const recent = recentIds.flatMap((id) => entries.find((entry) => entry.id === id) ?? [])
  const rest = (group: EntryGroup) => entries.filter((entry) => entry.group === group && !recent.includes(entry))
  return { recent, groups: { page: rest('page'), system: rest('system'), theme: rest('theme'), admin: rest('admin') } }
}

/** How well an entry answers what was typed, 0–1: its label (the first keyword) counts before the rest, a start before a middle. */
export function matchScore(keywords: readonly string[], typed: string): number {
  const search = typed.trim().toLocaleLowerCase()
  const scores = keywords.map((keyword, index) => textScore(keyword.toLocaleLowerCase(), search) * (index === 0 ? 1 : 0.5))
  return Math.max(0, ...scores)
}

function textScore(text: string, search: string): number {
  if (text.startsWith(search)) return 1
  return text.includes(search) ? 0.6 : 0
}
