import { queryOptions } from '@tanstack/react-query'
import { filterOf, listRecords } from './client.ts'
import { timeOf } from './json.ts'
import type { TimeWindow } from './stats.ts'

/** Times that the person signed in was told a system is down, in a window; one without an end lasts. */
export const downTimesQuery = (systemId: string, { fromMs, toMs }: TimeWindow) =>
  queryOptions({
    queryKey: ['down-times', systemId, fromMs, toMs],
    gcTime: 0,
    retry: false,
    queryFn: async () => {
      const filter = filterOf('system={:systemId} && name="Status" && created<{:to} && (resolved="" || resolved>{:from})', {
        systemId,
        from: new Date(fromMs),
        to: new Date(toMs),
      })
      const records = await listRecords('alerts_history', { filter, fields: 'created,resolved', sort: 'created' })
      return records.flatMap(({ created, resolved }) => {
        const start = timeOf(created)
        return start === undefined ? [] : [{ fromMs: start, toMs: timeOf(resolved) }]
      })
    },
  })
