import { useMemo } from 'react'
import { textField, wordField } from './search.ts'
import { useSearchValues } from './use-search-values.ts'

const fields = { dialog: textField(40), item: textField(300), tab: textField(40), palette: wordField(['open'], undefined) }

const closed = { dialog: '', item: '', tab: '' }

export type DialogAddress = {
  /** Name of the dialog that the page's URL opens, such as `alerts`. It may be any text, and is empty when no dialog is open. */
  readonly dialog: string
  /** Subject of the dialog that the page's URL opens, such as the id of a system; an empty string for none. */
  readonly item: string
  /** Name of the tab that the page's URL selects in the open dialog; an empty string for the first tab. */
  readonly tab: string
  readonly isPaletteOpen: boolean
  /** Opens the dialog with this name by changing the URL, with `item` as its subject. It replaces an open dialog or the command palette. */
  readonly open: (dialog: string, item?: string) => void
  readonly close: () => void
  readonly chooseTab: (tab: string) => void
  /** Opens the command palette (search for pages and systems) above any open dialog, or closes it if it is open. */
  readonly togglePalette: () => void
}

/**
 * React hook: returns the open dialog, stored in the URL, and functions that open and close dialogs. Back closes the dialog, a reload keeps
 * it. The result is memoized.
 */
export function useDialog(): DialogAddress {
  const { values, change, open, close } = useSearchValues(fields)
  const { dialog, item, tab } = values
  const isPaletteOpen = values.palette === 'open'
  return useMemo(
    () => ({
      dialog,
      item,
      tab,
      isPaletteOpen,
      open: (next, nextItem = '') => open({ ...closed, dialog: next, item: nextItem, palette: undefined }, isPaletteOpen || dialog !== ''),
      close: () => close(closed),
      chooseTab: (next) => change({ tab: next }),
      togglePalette: () => (isPaletteOpen ? close({ palette: undefined }) : open({ palette: 'open' })),
    }),
    [dialog, item, tab, isPaletteOpen, change, open, close],
  )
}
