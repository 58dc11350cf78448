import { useEffect } from 'react'

/** Cmd/Ctrl+K, anywhere on the page. The first of the two keys is told before: who types on at once is not to be ahead of the palette. */
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
