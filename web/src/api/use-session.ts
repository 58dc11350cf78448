import { useSyncExternalStore } from 'react'
import { onSessionChange, signedInUser, type SignedInUser } from './client.ts'

/** React hook: returns the user of the current session; `undefined` without a session. It rerenders the component on a change. */
export const useSession = (): SignedInUser | undefined => useSyncExternalStore(onSessionChange, signedInUser)
