import { startTransition, useEffect, useState, type Key } from 'react'
import { rowsToRender } from './visible-rows.ts'

type Keys = ReadonlySet<Key | null>

/**
 * React hook: returns the keys of the list rows to render now. In each frame at most 4 new rows are added, because adding all visible rows
 * at once blocks the browser. `first` is the index of the first row in the list; `isWhole` adds all at once.
 */
export function useAddedRows(keys: readonly (Key | null)[], first: number, isWhole: boolean): Keys {
  const [present, setPresent] = useState<Keys>(new Set())
  const shown = isWhole ? new Set(keys) : rowsToRender(keys, present, first)
  useEffect(() => {
    if (shown.size === present.size && [...shown].every((key) => present.has(key))) return
    const frame = requestAnimationFrame(() => startTransition(() => setPresent(shown)))
    return () => cancelAnimationFrame(frame)
  })
  return shown
}
