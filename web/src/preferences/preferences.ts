import { clockNow } from '../format/clock.ts'
import type { Formats } from '../format/formats.ts'
import { yearAt } from '../format/year.ts'
import { languageOf, languages, type Language } from './language.ts'
import { regionalLocale } from './regional-locale.ts'
import { defaultSettings, type Settings } from './settings.ts'
import { readStored, writeStored } from './stored-text.ts'

/** Preferences that apply in this browser page: the user's settings, the language, and the number and time formats derived from both. */
export type Preferences = { readonly settings: Settings; readonly language: Language; readonly formats: Formats }

const SETTINGS_KEY = 'ui-settings'
const LANGUAGE_KEY = 'ui-language'
const YEAR_CHECK_MS = 30_000

let shown: Preferences = preferencesOf(defaultSettings, storedLanguage())
const listeners = new Set<() => void>()

export const shownPreferences = (): Preferences => shown

export function onPreferencesChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Returns the language that the user has chosen in this browser; `undefined` when the browser's own language applies. */
export function chosenLanguage(): Language | undefined {
  const stored = readStored(LANGUAGE_KEY)
  return languages.find(({ id }) => id === stored)?.id
}

export function chooseLanguage(language: Language | undefined): void {
  writeStored(LANGUAGE_KEY, language ?? '')
  show(shown.settings, storedLanguage())
}

/**
 * Applies changed settings of the account (units, formats, charts, columns; not theme and language) to this page and stores them in this
 * browser. So other tabs apply them too, and the next visit has them at its first paint.
 */
export function applySettings(settings: Settings): void {
  if (isEqual(settings, shown.settings)) return
  writeStored(SETTINGS_KEY, JSON.stringify(settings))
  show(settings, shown.language)
}

/**
 * Applies the preferences stored in this browser before the first render, and again when another tab changes them. Also keeps the formats'
 * current year up to date.
 */
export function followPreferences(): void {
  const showStored = () => show(storedSettings() ?? shown.settings, storedLanguage())
  showStored()
  addEventListener('storage', ({ key }) => (key === SETTINGS_KEY || key === LANGUAGE_KEY) && showStored())
  setInterval(() => show(shown.settings, shown.language), YEAR_CHECK_MS)
}

function show(settings: Settings, language: Language): void {
  document.documentElement.lang = language
  document.documentElement.dataset['density'] = settings.isCompact ? 'compact' : ''
  document.documentElement.style.setProperty('--page-width', settings.pageWidth === undefined ? '' : `${settings.pageWidth}px`)
  const next = preferencesOf(settings, language)
  if (isEqual(next, shown)) return
  shown = isEqual(next.formats, shown.formats) ? { ...next, formats: shown.formats } : next
  for (const listener of listeners) listener()
}

const isEqual = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other)

function preferencesOf(settings: Settings, language: Language): Preferences {
  const { temperature, network, disk, hours, timeZone } = settings
  const locale = regionalLocale(language, globalThis.navigator?.languages ?? [])
  const formats = { locale, temperature, network, disk, hours, timeZone, thisYear: yearAt(clockNow(), timeZone) }
  return { settings, language, formats }
}

function storedLanguage(): Language {
  return chosenLanguage() ?? languageOf(globalThis.navigator?.languages ?? [])
}

/**
 * Returns the user's settings stored in this browser; `undefined` when there are none or they are invalid, such as an unknown time zone.
 */
function storedSettings(): Settings | undefined {
  try {
    // Written by this file, or by an older version with fewer settings.
    const settings = { ...defaultSettings, ...(JSON.parse(readStored(SETTINGS_KEY) ?? '') as Partial<Settings>) }
    preferencesOf(settings, shown.language)
    return settings
  } catch {
    return undefined
  }
}
