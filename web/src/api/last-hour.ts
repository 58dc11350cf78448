import { frameOfSamples } from '../chart/series-frame.ts'
import { clockNow } from '../format/clock.ts'
import { filterOf, listRecords } from './client.ts'
import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'
import { numberOf, recordOf, timeOf } from './json.ts'
import { defaultRange } from './ranges.ts'

const STALE_AFTER_MS = 60_000

/** The series `cpu` of one system over the last hour, percent. */
export const lastHourQuery = (systemId: string) =>
  serverQuery(
    keys.lastHour(systemId),
    async (signal) => {
      const toMs = clockNow()
      const fromMs = toMs - defaultRange.spanMs
      const filter = filterOf('system={:systemId} && created > {:since} && type={:type}', {
        systemId,
        since: new Date(fromMs),
        type: defaultRange.recordType,
      })
      const records = await listRecords('system_stats', { filter, fields: 'created,stats.cpu', sort: 'created' }, signal)
      const samples = records.flatMap((record) => {
        const at = timeOf(record['created'])
        const cpu = numberOf(recordOf(record['stats'])['cpu'])
        return at === undefined ? [] : [{ at, values: cpu === undefined ? {} : { cpu } }]
      })
      return frameOfSamples(samples, { fromMs, toMs }, defaultRange.intervalMs)
    },
    { staleTime: STALE_AFTER_MS, refetchInterval: STALE_AFTER_MS },
  )
