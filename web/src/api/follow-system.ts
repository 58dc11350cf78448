import { filterOf, listFirst, subscribeTopic } from './client.ts'
import { applyUpdate, renewHubIdentity } from './live.ts'
import { follow } from './live-connection.ts'
import { systemsList } from './queries.ts'
import { readSystem } from './system-record.ts'

/**
 * Subscribes to realtime events of one system while its page is open, and applies them to the cached list of systems. A reconnect refetches
 * only that system. Returns the function that ends the subscription.
 */
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
      // A failed read is repeated after the next connect.
      void systemsList.renewOne(systemId, fetchSystem).catch(() => undefined)
      if (isAgain) renewHubIdentity()
    },
  })
  return () => {
    leaving.abort()
    stop()
  }
}

/**
 * Subscribes to realtime events of the signed-in user's alert rules while a dialog shows them, so that changes in other browsers appear.
 * Returns the function that ends the subscription.
 */
export function followAlerts(): () => void {
  const following = subscribeTopic('alerts/*', applyUpdate)
  // Without a connection there are no events; the page refetches the rules after each change of its own.
  return () => void following.then((leave) => leave()).catch(() => undefined)
}
