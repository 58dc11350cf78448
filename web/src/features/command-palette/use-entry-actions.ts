import { useLocation } from 'wouter'
import { chooseTheme } from '../../preferences/theme.ts'
import type { PaletteEntry } from './palette-model.ts'

/** Does what an entry of the palette says. */
export function useEntryActions(onAddSystem: () => void): (entry: PaletteEntry) => void {
  const [, navigate] = useLocation()
  return ({ action }) => {
    switch (action.kind) {
      case 'open':
        // In place of the history entry that the palette added.
        return navigate(action.href, { replace: true })
      case 'openTab':
        return void window.open(action.href, '_blank', 'noreferrer')
      case 'theme':
        return chooseTheme(action.theme)
      case 'addSystem':
        return onAddSystem()
    }
  }
}
