import { keys } from './keys.ts'
import { follow } from './live-connection.ts'
import { queryClient } from './server-query.ts'

const refetch = (): void => void queryClient.invalidateQueries({ queryKey: keys.allIncidents })

/**
 * Subscribes to realtime events of incidents (firing periods of alerts) that were acknowledged, or are escalated to this user. Each event
 * fetches the lists of incidents again. Returns the function that unsubscribes.
 */
export const followIncidents = (): (() => void) => follow({ topics: ['incidents'], onEvent: refetch, onConnect: refetch })
