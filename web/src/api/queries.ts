import { QueryClient, queryOptions } from '@tanstack/react-query'
import { readAlert, type AlertRule } from './alert-record.ts'
import { listRecords } from './client.ts'
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

export const systemsList = toldList<System>(async () => (await listRecords('systems', { sort: '+name' })).map(readSystem))

export const alertsList = toldList<AlertRule>(async () => (await listRecords('alerts', { fields: 'id,name,system,value' })).map(readAlert))

export const systemsQuery = queryOptions({ queryKey: ['systems'], queryFn: systemsList.read })

export const alertsQuery = queryOptions({ queryKey: ['alerts'], queryFn: alertsList.read })

export const hubIdentityQuery = queryOptions({ queryKey: ['hub-identity'], queryFn: fetchHubIdentity, staleTime: Number.POSITIVE_INFINITY })

export const firstRunQuery = queryOptions({ queryKey: ['first-run'], queryFn: fetchFirstRun, staleTime: Number.POSITIVE_INFINITY })
