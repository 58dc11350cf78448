import { useLocation } from 'wouter'
import { chooseTheme } from '../../preferences/theme.ts'
import type { PaletteEntry } from './palette-model.ts'

/**
 * React hook: returns a function that takes a palette entry and runs its action, such as opening a page. For the entry "add a system" it
 * calls `onAddSystem`.
 */
export function useEntryActions(onAddSystem: () => void): (entry: PaletteEntry) => void {
  const [, navigate] = useLocation()
  return ({ action }) => {
    switch (action.kind) {
      case 'open':
        // Replaces the history entry that the palette added.
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
