import { useMemo } from 'react'
import { textField, wordField } from './search.ts'
import { useSearchValues } from './use-search-values.ts'

const fields = { dialog: textField(40), item: textField(300), tab: textField(40), palette: wordField(['open'], undefined) }

const closed = { dialog: '', item: '', tab: '' }

export type DialogAddress = {
  /** The kind of the open dialog, `''` for none. An address may hold any text. */
  readonly dialog: string
  /** The subject of the dialog, mostly an id; `''` for none. */
  readonly item: string
  /** The chosen tab of the dialog, `''` for the first. */
  readonly tab: string
  readonly isPaletteOpen: boolean
  /** Opens a dialog, in place of another one or of the palette. */
  readonly open: (dialog: string, item?: string) => void
  readonly close: () => void
  readonly chooseTab: (tab: string) => void
  /** Opens the palette above a dialog, or closes it. */
  readonly togglePalette: () => void
}

/** The dialog or sheet that the address says is open. Back closes it, a reload shows it again. The functions stay the same while nothing opens or closes. */
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
