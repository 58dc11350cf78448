import { useSyncExternalStore } from 'react'
import type { Formats } from '../format/formats.ts'
import type { Language } from './language.ts'
import { onPreferencesChange, shownPreferences } from './preferences.ts'
import type { Settings } from './settings.ts'

export const useSettings = (): Settings => useSyncExternalStore(onPreferencesChange, () => shownPreferences().settings)

export const useFormats = (): Formats => useSyncExternalStore(onPreferencesChange, () => shownPreferences().formats)

/**
 * React hook: returns the current language and rerenders the component when it changes. Call it where a component shows messages, since
 * these read the language themselves.
 */
export const useLanguage = (): Language => useSyncExternalStore(onPreferencesChange, () => shownPreferences().language)
