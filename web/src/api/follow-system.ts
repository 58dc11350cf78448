import { filterOf, listFirst, subscribeTopic } from './client.ts'
import { applyUpdate, renewHubIdentity } from './live.ts'
import { follow } from './live-connection.ts'
import { systemsList } from './queries.ts'
import { readSystem } from './system-record.ts'

/**
 * Callbacks of a part of a system's page that loads later, such as its notes. They receive the realtime events and connects of the page's
 * one subscription.
 */
export type FollowingPart = {
  readonly onEvent: (topic: string, data: unknown) => void
  /**
   * Called after each connect of the realtime connection to the hub. Events before it are lost, so this function must refetch the data of
   * the page's part.
   */
  readonly onConnect: () => void
}

const parts = new Set<FollowingPart>()

/**
 * Registers the callbacks of a late-loading part of a system's page, such as its notes, for all realtime events and connects of the page.
 * Returns the function that removes them. The page subscribes for the part, so that one connection suffices.
 */
export function followWithSystem(part: FollowingPart): () => void {
  parts.add(part)
  return () => void parts.delete(part)
}

/**
 * List of the realtime topics to which a system's page subscribes for parts that load later: its notes, and the fields that admins have
 * defined.
 */
const partTopics = ['system_notes/*', 'system_fields/*'] as const

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
    topics: [`systems/${systemId}`, ...partTopics],
    onEvent(topic, data) {
      applyUpdate(topic, data)
      for (const { onEvent } of parts) onEvent(topic, data)
    },
    onConnect(isAgain) {
      for (const { onConnect } of parts) onConnect()
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
