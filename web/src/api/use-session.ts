import { useSyncExternalStore } from 'react'
import { onSessionChange, signedInUser, type SignedInUser } from './client.ts'

/** React hook: returns the signed-in user; `undefined` without a session. The component rerenders when the session changes. */
export const useSession = (): SignedInUser | undefined => useSyncExternalStore(onSessionChange, signedInUser)
