import { filterOf, listFirst, subscribeTopic } from './client.ts'
import { applyUpdate, renewHubIdentity } from './live.ts'
import { follow } from './live-connection.ts'
import { systemsList } from './queries.ts'
import { readSystem } from './system-record.ts'

/** Keeps one system current while its page is open. The list of all systems, which gave its id, is not read again for it. */
export function followSystem(systemId: string): () => void {
  const leaving = new AbortController()
  const fetchSystem = async () => {
    const [record] = await listFirst('systems', { filter: filterOf('id = {:systemId}', { systemId }) }, leaving.signal)
    return record && readSystem(record)
  }
  const stop = follow({
    topics: [`systems/${systemId}`],
    onEvent: applyUpdate,
    onConnect(isAgain) {
      // A system that cannot be read now is read after the next connect.
      void systemsList.renewOne(systemId, fetchSystem).catch(() => undefined)
      if (isAgain) renewHubIdentity()
    },
  })
  return () => {
    leaving.abort()
    stop()
  }
}

/** Keeps a person's alert rules current while a dialog shows them, also when another browser changes them. */
export function followAlerts(): () => void {
  const following = subscribeTopic('alerts/*', applyUpdate)
  // Without a connection there are no events; each change made here reads the rules anew.
  return () => void following.then((leave) => leave()).catch(() => undefined)
}
