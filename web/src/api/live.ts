import { readAlert } from './alert-record.ts'
import { readRecordEvent, signedInUser } from './client.ts'
import { keys } from './keys.ts'
import { follow } from './live-connection.ts'
import { alertsList, systemsList } from './queries.ts'
import { queryClient } from './server-query.ts'
import { readSystem } from './system-record.ts'

/** The change that an event of each topic makes to the queries. The topic of one record, `systems/ID`, counts as that of all. */
const updates = new Map<string, (data: unknown) => void>([
  [
    'systems',
    (data) => {
      const { action, record } = readRecordEvent(data)
      systemsList.apply(action, readSystem(record))
    },
  ],
  [
    'alerts',
    (data) => {
      const { action, record } = readRecordEvent(data)
      // An admin receives everybody's.
      if (record['user'] !== signedInUser()?.id) return
      const alert = readAlert(record)
      alertsList.apply(action, alert)
      invalidate(keys.allIncidents)
      invalidate(keys.systemAlerts(alert.systemId))
    },
  ],
  // A hub that does not reach its database refuses the request for it.
  ['storing', (data) => queryClient.setQueryData(keys.storing, data)],
])

/** Changes the queries as an event of a topic says. */
export const applyUpdate = (topic: string, data: unknown): void => updates.get(topic.split('/')[0] ?? '')?.(data)

const invalidate = (queryKey: readonly unknown[]): void => void queryClient.invalidateQueries({ queryKey })

/** Both lists may have changed before the subscription. */
function renewFleet(isAgain: boolean): void {
  systemsList.renew()
  alertsList.renew()
  if (isAgain) renewHubIdentity()
}

/** Reads the version of the hub again where a page shows it, and before the next page does. */
export const renewHubIdentity = (): void => invalidate(keys.hubIdentity)

/** Keeps the lists of systems and alerts current while a page that shows them all is open. */
export const followFleet = (): (() => void) =>
  follow({ topics: ['systems/*', 'alerts/*', 'storing'], onEvent: applyUpdate, onConnect: renewFleet })
