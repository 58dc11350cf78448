import { useSyncExternalStore, type ReactNode } from 'react'
import type { System } from '../../api/system-record.ts'
import { cn } from '../../ui/cn.ts'
import * as words from '../../words/messages.js'
import { onSelectionChange, selectedIds, toggleSelected } from './selection.ts'

/**
 * React component: checkbox that selects a system in the list. In the table it appears on hover, on focus, and while any system is
 * selected. On a card it then replaces the icon `children`.
 */
export function RowCheck({ system: { id, name }, children: face }: { system: System; children?: ReactNode }) {
  const isChecked = useSyncExternalStore(onSelectionChange, () => selectedIds().has(id))
  const isSelecting = useSyncExternalStore(onSelectionChange, () => selectedIds().size > 0)
  const hasFace = face !== undefined
  return (
    <label className={cn('z-1 grid place-items-center', hasFace ? 'relative -m-2 size-8 shrink-0' : 'absolute inset-y-0 -left-6 w-6')}>
      <input
        type="checkbox"
        checked={isChecked}
        onChange={() => toggleSelected(id)}
        aria-label={words.select_system({ name })}
        className={cn(
          'size-4 accent-accent [grid-area:1/1]',
          !isSelecting && 'opacity-0 focus-visible:opacity-100',
          !isSelecting && !hasFace && 'group-hover:opacity-100 [@media(hover:none)]:opacity-100',
        )}
      />
      {hasFace && <span className={cn('pointer-events-none flex [grid-area:1/1]', isSelecting && 'sr-only')}>{face}</span>}
    </label>
  )
}
