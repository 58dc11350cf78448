import type { Role } from '../../api/client.ts'
import type { System } from '../../api/system-record.ts'
import type { Theme } from '../../preferences/theme.ts'
import { paths } from '../../paths.ts'
import * as words from '../../words/messages.js'

export type EntryGroup = 'page' | 'system' | 'theme' | 'admin'

export type EntryAction =
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

/** Everything the palette offers to someone of this role. */
export function paletteEntries(systems: readonly System[], role: Role): readonly PaletteEntry[] {
  return [
    {
      id: 'page:home',
      group: 'page',
      label: words.all_systems(),
      keywords: ['dashboard', 'home'],
      action: { kind: 'open', href: paths.home },
    },
    ...(role === 'readonly' ? [] : [addSystemEntry()]),
    ...systems.map(systemEntry),
    themeEntry('light', words.theme_light()),
    themeEntry('dark', words.theme_dark()),
    themeEntry('system', words.theme_system()),
    ...(role === 'admin' ? adminEntries() : []),
  ]
}

const addSystemEntry = (): PaletteEntry => ({
  id: 'page:add-system',
  group: 'page',
  label: words.add_system(),
  keywords: ['new', 'agent'],
  action: { kind: 'addSystem' },
})

const systemEntry = ({ id, name, host }: System): PaletteEntry => ({
  id: `system:${id}`,
  group: 'system',
  label: name,
  detail: host,
  keywords: [host],
  action: { kind: 'open', href: paths.system(name) },
})

const themeEntry = (theme: Theme, label: string): PaletteEntry => ({
  id: `theme:${theme}`,
  group: 'theme',
  label,
  keywords: [words.theme()],
  action: { kind: 'theme', theme },
})

const adminEntries = (): readonly PaletteEntry[] => [
  adminEntry('users', words.admin_users(), paths.users),
  adminEntry('systems', words.admin_systems(), paths.systemRecords),
  adminEntry('logs', words.admin_logs(), paths.logs),
  adminEntry('backups', words.admin_backups(), paths.backups),
  adminEntry('auth-providers', words.admin_auth_providers(), paths.authProviders, ['oauth', 'oidc']),
]

const adminEntry = (id: string, label: string, href: string, keywords: readonly string[] = []): PaletteEntry => ({
  id: `admin:${id}`,
  group: 'admin',
  label,
  keywords,
  action: { kind: 'openTab', href },
})

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
