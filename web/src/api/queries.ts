import { readAlert, type AlertRule } from './alert-record.ts'
import { filterOf, listFirst, readRecords, signedInUser } from './client.ts'
import { keys } from './keys.ts'
import { liveList } from './live-list.ts'
import { serverQuery } from './server-query.ts'
import { readSystem, type System } from './system-record.ts'

export const systemsList = liveList<System>(keys.systems, (signal) => readRecords('systems', { sort: '+name' }, readSystem, signal))

/**
 * List of the signed-in user's alert rules in the query cache, kept up to date by realtime events. The request for it filters by user,
 * because an admin may read the rules of all users.
 */
export const alertsList = liveList<AlertRule>(keys.alerts, (signal) => {
  const filter = filterOf('user = {:userId}', { userId: signedInUser()?.id ?? '' })
  return readRecords('alerts', { fields: 'id,name,system,value', filter }, readAlert, signal)
})

export const systemsQuery = systemsList.query
export const alertsQuery = alertsList.query

/**
 * Interval in ms, 30 s, at which the worst status of all systems is fetched again. Some pages receive no realtime events of all systems.
 */
const FLEET_STATUS_EVERY_MS = 30_000

/**
 * TanStack Query options for the worst status of all systems, shown in the browser tab: `down`, else `up`, else null. Refetched in the
 * background too.
 */
export const fleetStatusQuery = serverQuery(
  keys.fleetStatus,
  async (signal) => {
    const query = { fields: 'status', sort: 'status', filter: 'status = "down" || status = "up"' }
    const [worst] = await listFirst('systems', query, signal)
    return worst === undefined ? null : readSystem(worst).status
  },
  { refetchInterval: FLEET_STATUS_EVERY_MS, refetchIntervalInBackground: true, staleTime: 0 },
)
