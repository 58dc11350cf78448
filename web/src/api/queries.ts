import { QueryClient, queryOptions } from '@tanstack/react-query'
import { readAlert, type AlertRule } from './alert-record.ts'
import { filterOf, listFirst, listRecords, signedInUser } from './client.ts'
import { fetchFirstRun, fetchHubIdentity } from './hub.ts'
import { RequestFailed } from './request-failed.ts'
import { readSystem, type System } from './system-record.ts'
import { toldList } from './told-list.ts'

const MAX_RETRIES = 2

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => failures < MAX_RETRIES && (!(error instanceof RequestFailed) || error.retryable),
    },
  },
})

export const systemsList = toldList<System>(async (signal) => (await listRecords('systems', { sort: '+name' }, signal)).map(readSystem))

/** The rules of the person signed in: an admin is shown everybody's. */
export const alertsList = toldList<AlertRule>(async (signal) => {
  const filter = filterOf('user = {:userId}', { userId: signedInUser()?.id ?? '' })
  return (await listRecords('alerts', { fields: 'id,name,system,value', filter }, signal)).map(readAlert)
})

export const systemsQuery = queryOptions({ queryKey: ['systems'], queryFn: ({ signal }) => systemsList.read(signal) })

/** The page's other lists are told of every system only where all systems are shown; elsewhere this one record says how the fleet is. */
const FLEET_STATUS_EVERY_MS = 30_000

/** The status of the fleet as the browser's tab shows it: down before up, undefined for neither. Read in the background too. */
export const fleetStatusQuery = queryOptions({
  queryKey: ['fleet-status'],
  async queryFn({ signal }) {
    const query = { fields: 'status', sort: 'status', filter: 'status = "down" || status = "up"' }
    const [worst] = await listFirst('systems', query, signal)
    return worst === undefined ? null : readSystem(worst).status
  },
  refetchInterval: FLEET_STATUS_EVERY_MS,
  refetchIntervalInBackground: true,
  staleTime: 0,
})

export const alertsQuery = queryOptions({ queryKey: ['alerts'], queryFn: ({ signal }) => alertsList.read(signal) })

/** Whether the hub stores samples; `storing.ts` reads the data. */
export const storingKey = ['storing'] as const

export const hubIdentityQuery = queryOptions({
  queryKey: ['hub-identity'],
  queryFn: ({ signal }) => fetchHubIdentity(signal),
  staleTime: Number.POSITIVE_INFINITY,
})

export const firstRunQuery = queryOptions({
  queryKey: ['first-run'],
  queryFn: ({ signal }) => fetchFirstRun(signal),
  staleTime: Number.POSITIVE_INFINITY,
})
