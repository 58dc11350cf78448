import { StrictMode, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { followPerson } from './api/follow-person.ts'
import { followPreferences, shownPreferences } from './preferences/preferences.ts'
import { followTheme } from './preferences/theme.ts'
import { overwriteGetLocale } from './words/runtime.js'

/**
 * Starts the app of an HTML page: applies language, theme and preferences, follows changes of the user, and renders `page` into the element
 * `root`. Throws when that element is missing.
 */
export function startPage(page: ReactNode): void {
  overwriteGetLocale(() => shownPreferences().language)
  followTheme()
  followPreferences()
  followPerson()

  const root = document.getElementById('root')
  if (root === null) throw new Error('Cannot start: the page has no element "root"')
  createRoot(root).render(<StrictMode>{page}</StrictMode>)
}
