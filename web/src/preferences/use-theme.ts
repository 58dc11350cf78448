import { useSyncExternalStore } from 'react'
import { onThemeChange, themeChoice, type Theme } from './theme.ts'

export const useThemeChoice = (): Theme => useSyncExternalStore(onThemeChange, themeChoice)
