import { readAlert } from './alert-record.ts'
import { readRecordEvent, signedInUser } from './client.ts'
import { keys } from './keys.ts'
import { follow } from './live-connection.ts'
import { alertsList, systemsList } from './queries.ts'
import { queryClient } from './server-query.ts'
import { readSystem } from './system-record.ts'

/**
 * Map from collection or topic to the function that takes an event's data and applies it to the query cache. Events of the topic
 * `systems/ID` are handled by the entry `systems`.
 */
const updates = new Map<string, (data: unknown) => void>([
  [
    'systems',
    (data) => {
      const { action, record } = readRecordEvent(data)
      systemsList.receive(action, readSystem(record))
    },
  ],
  [
    'alerts',
    (data) => {
      const { action, record } = readRecordEvent(data)
      // An admin receives events of all users' alerts.
      if (record['user'] !== signedInUser()?.id) return
      const alert = readAlert(record)
      alertsList.receive(action, alert)
      invalidate(keys.allIncidents)
      invalidate(keys.systemAlerts(alert.systemId))
    },
  ],
  // A hub without its database cannot respond to the request, so the event itself is stored.
  ['storing', (data) => queryClient.setQueryData(keys.storing, data)],
])

/** Applies a realtime event of a topic to the query cache. Events of unknown topics are ignored. */
export const applyUpdate = (topic: string, data: unknown): void => updates.get(topic.split('/')[0] ?? '')?.(data)

const invalidate = (queryKey: readonly unknown[]): void => void queryClient.invalidateQueries({ queryKey })

/**
 * Refetches all systems and alert rules. Called after each connect of the realtime connection, as both may have changed before. After a
 * reconnect (`isAgain`) the hub's version is refetched too.
 */
function renewFleet(isAgain: boolean): void {
  systemsList.renew()
  alertsList.renew()
  if (isAgain) renewHubIdentity()
}

/** Marks the cached hub version as stale, so that the current page and the next ones refetch it. */
export const renewHubIdentity = (): void => invalidate(keys.hubIdentity)

/**
 * Subscribes to realtime events of all systems and alert rules while a page shows all systems. Returns the function that ends the
 * subscription.
 */
export const followFleet = (): (() => void) =>
  follow({ topics: ['systems/*', 'alerts/*', 'storing'], onEvent: applyUpdate, onConnect: renewFleet })
