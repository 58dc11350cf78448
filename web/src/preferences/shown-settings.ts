import { setChoices } from '../format/choices.ts'
import { defaultSettings, type Settings } from './settings.ts'
import { readStored, writeStored } from './stored-text.ts'

const STORAGE_KEY = 'ui-settings'

let shown = defaultSettings
const listeners = new Set<() => void>()

/** The settings that hold on this page. */
export const shownSettings = (): Settings => shown

export function onSettingsChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Makes settings hold everywhere, and from the first moment of the next visit on. */
export function applySettings(settings: Settings): void {
  const text = JSON.stringify(settings)
  if (text === JSON.stringify(shown)) return
  writeStored(STORAGE_KEY, text)
  show(settings)
}

function show(settings: Settings): void {
  const { pageWidth } = settings
  shown = settings
  setChoices(settings)
  document.documentElement.style.setProperty('--page-width', pageWidth === undefined ? '' : `${pageWidth}px`)
  for (const listener of listeners) listener()
}

/** Applies what was remembered at the last visit, before anything is drawn. */
export function recallSettings(): void {
  try {
    // This page wrote it, or an older version of it, which knew fewer settings.
    const settings = { ...defaultSettings, ...(JSON.parse(readStored(STORAGE_KEY) ?? '') as Partial<Settings>) }
    // Another browser's time zone may be none of this one's, and no time could be written in it.
    Intl.DateTimeFormat('en', { timeZone: settings.timeZone })
    show(settings)
  } catch {
    // Nothing is remembered, or nothing of use: the account's own settings come from the hub.
  }
}
