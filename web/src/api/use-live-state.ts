import { useSyncExternalStore } from 'react'
import { liveState, onLiveStateChange, type LiveState } from './live-connection.ts'

export const useLiveState = (): LiveState => useSyncExternalStore(onLiveStateChange, liveState)
