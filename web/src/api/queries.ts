import { readAlert, type AlertRule } from './alert-record.ts'
import { filterOf, listFirst, listRecords, signedInUser } from './client.ts'
import { keys } from './keys.ts'
import { liveList } from './live-list.ts'
import { serverQuery } from './server-query.ts'
import { readSystem, type System } from './system-record.ts'

export const systemsList = liveList<System>(keys.systems, async (signal) =>
  (await listRecords('systems', { sort: '+name' }, signal)).map(readSystem),
)

/** The rules of the person signed in: an admin is shown everybody's. */
export const alertsList = liveList<AlertRule>(keys.alerts, async (signal) => {
  const filter = filterOf('user = {:userId}', { userId: signedInUser()?.id ?? '' })
  return (await listRecords('alerts', { fields: 'id,name,system,value', filter }, signal)).map(readAlert)
})

export const systemsQuery = systemsList.query
export const alertsQuery = alertsList.query

/** The page's other lists are told of every system only where all systems are shown; elsewhere this one record says how the fleet is. */
const FLEET_STATUS_EVERY_MS = 30_000

/** The status of the fleet as the browser's tab shows it: down before up, null for neither. Read in the background too. */
export const fleetStatusQuery = serverQuery(
  keys.fleetStatus,
  async (signal) => {
    const query = { fields: 'status', sort: 'status', filter: 'status = "down" || status = "up"' }
    const [worst] = await listFirst('systems', query, signal)
    return worst === undefined ? null : readSystem(worst).status
  },
  { refetchInterval: FLEET_STATUS_EVERY_MS, refetchIntervalInBackground: true, staleTime: 0 },
)
