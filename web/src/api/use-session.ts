import { useSyncExternalStore } from 'react'
import { onSessionChange, signedInUser, type SignedInUser } from './client.ts'

/** Returns the user of the current session and rerenders on a change; `undefined` without a session. */
export const useSession = (): SignedInUser | undefined => useSyncExternalStore(onSessionChange, signedInUser)
