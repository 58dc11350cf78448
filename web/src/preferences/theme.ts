import { readStored, writeStored } from './stored-text.ts'

export type Theme = 'light' | 'dark' | 'system'

export const themes: readonly Theme[] = ['light', 'dark', 'system']

const STORAGE_KEY = 'ui-theme'
const prefersDark = matchMedia('(prefers-color-scheme: dark)')
const paper = matchMedia('print')
const listeners = new Set<() => void>()

export const themeChoice = (): Theme => themes.find((theme) => theme === readStored(STORAGE_KEY)) ?? 'system'

/** Returns true when the dark theme is in effect, by choice or by the operating system. Always false for print. */
const isDark = (): boolean => {
  const choice = themeChoice()
  return !paper.matches && (choice === 'dark' || (choice === 'system' && prefersDark.matches))
}

export function chooseTheme(theme: Theme): void {
  writeStored(STORAGE_KEY, theme)
  applyTheme()
}

export function onThemeChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Applies changes of the operating system's theme and of other tabs to this page. `static/start.js` has set the initial theme. */
export function followTheme(): void {
  for (const query of [prefersDark, paper]) query.addEventListener('change', applyTheme)
  addEventListener('storage', ({ key }) => key === STORAGE_KEY && applyTheme())
}

function applyTheme(): void {
  const { classList } = document.documentElement
  classList.toggle('dark', isDark())
  classList.toggle('light', !isDark())
  for (const listener of listeners) listener()
}
