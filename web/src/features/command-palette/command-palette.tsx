import { useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { useMemo, useState } from 'react'
import type { SignedInUser } from '../../api/client.ts'
import { systemsQuery } from '../../api/queries.ts'
import { recentIds, rememberRecent } from '../../preferences/recent-pages.ts'
import * as words from '../../words/messages.js'
import { paletteEntries } from './palette-entries.ts'
import { findEntries, type EntryGroup, type PaletteEntry } from './palette-model.ts'
import { useEntryActions } from './use-entry-actions.ts'

type CommandPaletteProps = { user: SignedInUser; onClose: () => void; onAddSystem: () => void }

export function CommandPalette({ user, onClose, onAddSystem }: CommandPaletteProps) {
  const { data: systems } = useQuery(systemsQuery)
  const run = useEntryActions(onAddSystem)
  const [search, setSearch] = useState('')
  const entries = useMemo(() => paletteEntries(systems ?? [], user.role), [systems, user.role])
  const { groups, hiddenCount } = useMemo(() => findEntries(entries, recentIds(), search), [entries, search])
  const choose = (entry: PaletteEntry) => {
    rememberRecent(entry.id)
    // A page or dialog replaces the palette in the browser history.
    if (entry.action.kind === 'theme' || entry.action.kind === 'openTab') onClose()
    run(entry)
  }
  return (
    <Command.Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      label={words.palette()}
      shouldFilter={false}
      loop
      overlayClassName="fixed inset-0 z-40 bg-[rgb(0_0_0/0.45)]"
      contentClassName="fixed left-1/2 top-[12vh] z-50 w-[calc(100vw-24px)] max-w-xl -translate-x-1/2 overflow-hidden rounded-card border border-border-strong bg-surface shadow-raised"
    >
      <Command.Input
        value={search}
        onValueChange={setSearch}
        placeholder={words.palette_placeholder()}
        className="h-12 w-full border-b border-border bg-transparent px-4 text-[15px] outline-none placeholder:text-faint"
      />
      <Command.List className="max-h-[min(24rem,60vh)] overflow-y-auto p-1.5">
        <Command.Empty className="px-3 py-8 text-center text-muted">{words.palette_nothing()}</Command.Empty>
        {groups.map(({ group, entries }) => (
          <Group key={group} heading={headings[group]()} entries={entries} onChoose={choose} />
        ))}
      </Command.List>
      <output className="block text-small text-muted">
        {hiddenCount > 0 && <p className="border-t border-border px-4 py-2">{words.palette_more({ count: hiddenCount })}</p>}
      </output>
    </Command.Dialog>
  )
}

const headings: Readonly<Record<EntryGroup | 'recent', () => string>> = {
  recent: words.palette_recent,
  page: words.palette_pages,
  system: words.palette_systems,
  tag: words.tags,
  theme: words.theme,
  admin: words.palette_admin,
}

function Group({
  heading,
  entries,
  onChoose,
}: {
  heading: string
  entries: readonly PaletteEntry[]
  onChoose: (entry: PaletteEntry) => void
}) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-small [&_[cmdk-group-heading]]:text-muted"
    >
      {entries.map((entry) => (
        <Command.Item
          key={entry.id}
          value={entry.id}
          onSelect={() => onChoose(entry)}
          className="flex h-9 cursor-pointer items-center gap-3 rounded-control px-2.5 data-[selected=true]:bg-hover data-[selected=true]:shadow-[inset_3px_0_var(--accent)]"
        >
          <span className="truncate">{entry.label}</span>
          {entry.detail !== undefined && <span className="ml-auto truncate text-note text-muted">{entry.detail}</span>}
        </Command.Item>
      ))}
    </Command.Group>
  )
}
