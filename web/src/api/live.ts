import { readAlert } from './alert-record.ts'
import { filterOf, listFirst, readRecordEvent, signedInUser, subscribeTopic } from './client.ts'
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

const update = (topic: string, data: unknown): void => updates.get(topic.split('/')[0] ?? '')?.(data)

const invalidate = (queryKey: readonly unknown[]): void => void queryClient.invalidateQueries({ queryKey })

/** Both lists may have changed before the subscription. */
function renewLists(): void {
  systemsList.renew()
  alertsList.renew()
}

/** Keeps the lists of systems and alerts current while a page that shows them all is open. */
export const followFleet = (): (() => void) =>
  follow({ topics: ['systems/*', 'alerts/*', 'storing'], onEvent: update, onConnect: renewLists })

/** Keeps one system current while its page is open. The list of all systems, which gave its id, is not read again for it. */
export function followSystem(systemId: string): () => void {
  const leaving = new AbortController()
  const readSystemAgain = async () => {
    const [record] = await listFirst('systems', { filter: filterOf('id = {:systemId}', { systemId }) }, leaving.signal)
    if (record === undefined) systemsList.renew()
    else systemsList.apply('update', readSystem(record))
  }
  const stop = follow({
    topics: [`systems/${systemId}`],
    onEvent: update,
    // What cannot be read now comes with the next connect.
    onConnect: () => void readSystemAgain().catch(() => undefined),
  })
  return () => {
    leaving.abort()
    stop()
  }
}

/** Keeps a person's alert rules current while a dialog shows them, also when another browser changes them. */
export function followAlerts(): () => void {
  const following = subscribeTopic('alerts/*', (data) => update('alerts/*', data))
  // Without a connection there are no events; each change made here reads the rules anew.
  return () => void following.then((leave) => leave()).catch(() => undefined)
}
