import { useSyncExternalStore } from 'react'
import { onSessionChange, signedInUser, type SignedInUser } from './client.ts'

/** The user of the session, live; `undefined` without a session. */
export const useSession = (): SignedInUser | undefined => useSyncExternalStore(onSessionChange, signedInUser)
