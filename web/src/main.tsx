import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { followPerson } from './api/follow-person.ts'
import { followTheme } from './preferences/theme.ts'
import { followPreferences, shownPreferences } from './preferences/preferences.ts'
import { overwriteGetLocale } from './words/runtime.js'
import './styles/index.css'

overwriteGetLocale(() => shownPreferences().language)
followTheme()
followPreferences()
followPerson()

const root = document.getElementById('root')
if (root === null) throw new Error('Cannot start: the page has no element "root"')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
