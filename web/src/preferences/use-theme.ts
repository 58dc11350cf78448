import { useSyncExternalStore } from 'react'
import { isDark, onThemeChange, themeChoice, type Theme } from './theme.ts'

export const useThemeChoice = (): Theme => useSyncExternalStore(onThemeChange, themeChoice)

export const useIsDark = (): boolean => useSyncExternalStore(onThemeChange, isDark)
