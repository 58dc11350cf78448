import { useEffect } from 'react'

/**
 * React hook: calls `onPress` for Ctrl+K or Cmd+K anywhere on the page. `onFirstKey` is called when Ctrl or Cmd is pressed, to load the
 * palette's code early.
 */
export function usePaletteKey(onPress: () => void, onFirstKey: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Control' || event.key === 'Meta') onFirstKey()
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      onPress()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [onPress, onFirstKey])
}
