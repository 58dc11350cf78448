import { readAlert } from './alert-record.ts'
import { readRecordEvent, signedInUser } from './client.ts'
import { keys } from './keys.ts'
import { follow } from './live-connection.ts'
import { alertsList, systemsList } from './queries.ts'
import { queryClient } from './server-query.ts'
import { readSystem } from './system-record.ts'

/**
 * Map from the name of a collection or realtime topic, such as `alerts`, to a function that applies an event's data to the query cache.
 * Events of the topic `systems/ID` use the entry `systems`.
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

/** Applies the data of a realtime event of `topic` to the query cache. Events of unknown topics are ignored. */
export const applyUpdate = (topic: string, data: unknown): void => updates.get(topic.split('/')[0] ?? '')?.(data)

const invalidate = (queryKey: readonly unknown[]): void => void queryClient.invalidateQueries({ queryKey })

/**
 * Called after each connect of the realtime connection: fetches the user's systems and alert rules again, because changes before it were
 * not received. After a reconnect (`isAgain`), the hub's version is fetched again too.
 */
function renewFleet(isAgain: boolean): void {
  systemsList.renew()
  alertsList.renew()
  if (isAgain) renewHubIdentity()
}

/** Marks the cached public data of the hub (key and version) as stale, so that pages fetch it again. */
export const renewHubIdentity = (): void => invalidate(keys.hubIdentity)

/**
 * Subscribes to realtime events of all systems, of the user's alert rules, and of whether the hub stores samples, for pages such as All
 * Systems. Returns the function that unsubscribes.
 */
export const followFleet = (): (() => void) =>
  follow({ topics: ['systems/*', 'alerts/*', 'storing'], onEvent: applyUpdate, onConnect: renewFleet })
