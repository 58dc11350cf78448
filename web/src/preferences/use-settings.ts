import { useSyncExternalStore } from 'react'
import { onSettingsChange, shownSettings } from './shown-settings.ts'
import type { Settings } from './settings.ts'

export const useSettings = (): Settings => useSyncExternalStore(onSettingsChange, shownSettings)
