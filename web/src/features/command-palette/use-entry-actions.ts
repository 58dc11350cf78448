import { useLocation } from 'wouter'
import { chooseTheme } from '../../preferences/theme.ts'
import type { PaletteEntry } from './palette-model.ts'

/** Does what an entry of the palette says. */
export function useEntryActions(onAddSystem: () => void): (entry: PaletteEntry) => void {
  const [, navigate] = useLocation()
  return ({ action }) => {
    switch (action.kind) {
      case 'open':
        return navigate(action.href)
      case 'openTab':
        return void window.open(action.href, '_blank', 'noreferrer')
      case 'theme':
        return chooseTheme(action.theme)
      case 'addSystem':
        return onAddSystem()
    }
  }
}
