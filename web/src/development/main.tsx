import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { followPreferences, shownPreferences } from '../preferences/preferences.ts'
import { followTheme } from '../preferences/theme.ts'
import { Toaster } from '../ui/toaster.tsx'
import { Tooltips } from '../ui/tooltips.tsx'
import { overwriteGetLocale } from '../words/runtime.js'
import { PartsPage } from './parts-page.tsx'
import './styles.css'

overwriteGetLocale(() => shownPreferences().language)
followPreferences()
followTheme()

const root = document.getElementById('root')
if (root === null) throw new Error('Cannot start: the page has no element "root"')
createRoot(root).render(
  <StrictMode>
    <PartsPage />
    <Tooltips />
    <Toaster />
  </StrictMode>,
)
