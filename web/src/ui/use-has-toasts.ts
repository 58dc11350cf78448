import { useSyncExternalStore } from 'react'
import { onToastsChange, shownToasts } from './toasts.ts'

export const useHasToasts = (): boolean => useSyncExternalStore(onToastsChange, () => shownToasts().length > 0)
