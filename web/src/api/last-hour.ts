import { clockNow } from '../format/clock.ts'
import { filterOf, listRecords } from './client.ts'
import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'
import { numberOf, recordOf, timeOf } from './json.ts'
import { defaultRange } from './ranges.ts'

const STALE_AFTER_MS = 60_000

/**
 * TanStack Query options for the CPU usage of a system in the last hour. The data is a list of points: `position` from 0 (an hour ago) to 1
 * (now), and `percent` of the whole machine.
 */
export const lastHourQuery = (systemId: string) =>
  serverQuery(
    keys.lastHour(systemId),
    async (signal) => {
      const since = clockNow() - defaultRange.spanMs
      const filter = filterOf('system={:systemId} && created > {:since} && type={:type}', {
        systemId,
        since: new Date(since),
        type: defaultRange.recordType,
      })
      const records = await listRecords('system_stats', { filter, fields: 'created,stats.cpu', sort: 'created' }, signal)
      return records.flatMap((record) => {
        const at = timeOf(record['created'])
        const percent = numberOf(recordOf(record['stats'])['cpu'])
        return at === undefined || percent === undefined ? [] : [{ position: (at - since) / defaultRange.spanMs, percent }]
      })
    },
    { staleTime: STALE_AFTER_MS, refetchInterval: STALE_AFTER_MS },
  )
