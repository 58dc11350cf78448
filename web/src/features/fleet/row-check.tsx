import { useSyncExternalStore } from 'react'
import type { System } from '../../api/system-record.ts'
import { cn } from '../../ui/cn.ts'
import * as words from '../../words/messages.js'
import { onSelectionChange, selectedIds, toggleSelected } from './selection.ts'

/**
 * Ticks a row. It stands beside the table, where no column gives way to it, and shows under the pointer, with the focus, where nothing
 * hovers, and everywhere once something is ticked; `inline` stands among the others and always shows.
 */
export function RowCheck({ system: { id, name }, inline = false }: { system: System; inline?: boolean }) {
  const isChecked = useSyncExternalStore(onSelectionChange, () => selectedIds().has(id))
  const isSelecting = useSyncExternalStore(onSelectionChange, () => selectedIds().size > 0)
  return (
    <label className={cn('z-1 grid w-6 place-items-center', inline ? 'relative h-8 shrink-0' : 'absolute inset-y-0 -left-6')}>
      <input
        type="checkbox"
        checked={isChecked}
        onChange={() => toggleSelected(id)}
        aria-label={words.select_system({ name })}
        className={cn(
          'size-4 accent-accent',
          !inline && !isSelecting && 'opacity-0 group-hover:opacity-100 focus-visible:opacity-100 [@media(hover:none)]:opacity-100',
        )}
      />
    </label>
  )
}
