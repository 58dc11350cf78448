import { useRef, useState } from 'react'
import type { System } from '../../../api/system-record.ts'
import { MOST_COMPARED } from '../../../navigation/compared-systems.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { VirtualList } from '../../../ui/virtual-list.tsx'
import * as words from '../../../words/messages.js'

type ChooseSystemsDialogProps = {
  systems: readonly System[]
  chosen: readonly string[]
  onChoose: (ids: readonly string[]) => void
  onClose: () => void
}

const ROW_PIXELS = 36

/** React component: dialog with checkboxes for all systems, which selects those to compare, at most 12. `onChoose` gets their ids. */
export function ChooseSystemsDialog({ systems, chosen, onChoose, onClose }: ChooseSystemsDialogProps) {
  const box = useRef<HTMLDivElement>(null)
  const [filter, setFilter] = useState('')
  const [ids, setIds] = useState(chosen)
  const text = filter.trim().toLowerCase()
  const found = systems.filter(({ name, host }) => name.toLowerCase().includes(text) || host.toLowerCase().includes(text))
  const isFull = ids.length >= MOST_COMPARED
  const toggle = (id: string) => setIds(ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id])
  return (
    <Dialog title={words.compare_choose()} description={words.compare_choose_about({ most: MOST_COMPARED })} onClose={onClose}>
      <SearchField label={words.filter()} value={filter} onChange={setFilter} className="h-9 w-full" />
      {/* The height does not depend on the number of matches. */}
      <div ref={box} className="h-72 overflow-y-auto">
        {found.length === 0 && <p className="py-6 text-center text-muted">{words.no_match({ filter })}</p>}
        <VirtualList as="ul" rows={found} rowPixels={ROW_PIXELS} box={box}>
          {({ id, name, host }) => (
            <li key={id} className="h-9">
              <label className="flex h-9 items-center gap-2.5 rounded-control px-1.5 hover:bg-hover">
                <input
                  type="checkbox"
                  checked={ids.includes(id)}
                  disabled={isFull && !ids.includes(id)}
                  onChange={() => toggle(id)}
                  className="size-4 shrink-0 accent-accent"
                />
                <span className="truncate">{name}</span>
                <span className="ml-auto truncate text-note text-muted">{host}</span>
              </label>
            </li>
          )}
        </VirtualList>
      </div>
      <div className="flex items-center justify-end gap-2">
        <output className="mr-auto text-note text-muted">{words.selected_count({ count: ids.length })}</output>
        <Button look="primary" onClick={() => onChoose(ids)}>
          {words.compare_selected()}
        </Button>
      </div>
    </Dialog>
  )
}
