import { useSyncExternalStore } from 'react'
import { onSessionChange, signedInUser, type SignedInUser } from './client.ts'

/** Who is signed in, followed live; `undefined` when nobody is. */
export const useSession = (): SignedInUser | undefined => useSyncExternalStore(onSessionChange, signedInUser)
