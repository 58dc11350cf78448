import type { Role } from '../../api/client.ts'
import { systemAddresses } from '../../api/system-address.ts'
import type { System } from '../../api/system-record.ts'
import { countTags } from '../../api/system-tags.ts'
import { taggedSystems } from '../../navigation/tagged-systems.ts'
import type { Theme } from '../../preferences/theme.ts'
import { paths } from '../../paths.ts'
import * as words from '../../words/messages.js'
import type { PaletteEntry } from './palette-model.ts'

/**
 * Returns the list of all entries that the command palette offers to a user of this role. They are pages, systems, tags, themes, and for
 * admins the admin pages.
 */
export function paletteEntries(systems: readonly System[], role: Role): readonly PaletteEntry[] {
  const addressOf = systemAddresses(systems)
  return [
    {
      id: 'page:home',
      group: 'page',
      label: words.all_systems(),
      keywords: ['dashboard', 'home'],
      action: { kind: 'open', href: paths.home },
    },
    {
      id: 'page:settings',
      group: 'page',
      label: words.settings(),
      keywords: [words.settings_password(), words.settings_profile(), words.setting_language(), words.setting_time_zone()],
      action: { kind: 'open', href: paths.settings },
    },
    {
      id: 'page:alerts',
      group: 'page',
      label: words.alerts(),
      keywords: [words.alerts_firing(), words.alerts_history()],
      action: { kind: 'open', href: paths.alerts },
    },
    {
      id: 'page:compare',
      group: 'page',
      label: words.compare(),
      keywords: ['compare', words.compare_metric()],
      action: { kind: 'open', href: paths.compare },
    },
    ...(role === 'admin' ? [accessEntry()] : []),
    ...(role === 'readonly' ? [] : [addSystemEntry()]),
    ...systems.map((system) => systemEntry(system, addressOf(system))),
    ...[...countTags(systems)].map(([tag, count]) => tagEntry(tag, count)),
    themeEntry('light', words.theme_light()),
    themeEntry('dark', words.theme_dark()),
    themeEntry('system', words.theme_system()),
    ...(role === 'admin' ? adminEntries() : []),
  ]
}

const accessEntry = (): PaletteEntry => ({
  id: 'page:access',
  group: 'page',
  label: words.access(),
  keywords: [words.tags(), words.groups()],
  action: { kind: 'open', href: paths.access },
})

const addSystemEntry = (): PaletteEntry => ({
  id: 'page:add-system',
  group: 'page',
  label: words.add_system(),
  keywords: ['new', 'agent'],
  action: { kind: 'addSystem' },
})

const systemEntry = ({ id, name, host }: System, address: string): PaletteEntry => ({
  id: `system:${id}`,
  group: 'system',
  label: name,
  detail: host,
  keywords: [host],
  action: { kind: 'open', href: paths.system(address) },
})

/**
 * Returns the command palette's entry for a tag, which opens All Systems filtered by that tag. `count` is the number of its systems. Typing
 * `tag:` finds all such entries.
 */
const tagEntry = (tag: string, count: number): PaletteEntry => ({
  id: `tag:${tag}`,
  group: 'tag',
  label: tag,
  detail: words.systems_count({ count }),
  keywords: [`tag:${tag}`],
  action: { kind: 'open', href: taggedSystems(tag) },
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
