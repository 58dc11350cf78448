import { toStatsJson } from '@vedette/protocol/wire/stats-json'
import { clockNow } from '../format/clock.ts'
import { filterOf, listRecords } from './client.ts'
import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'
import { timeOf } from './json.ts'
import { defaultRange } from './ranges.ts'
import { readStats } from './stats.ts'

const KEY = 'cpu.busyPercent'
const STALE_AFTER_MS = 60_000

/** The one field of a record's stats that holds the series: a row of the list needs none of the other forty. */
const field = Object.keys(toStatsJson({ [KEY]: 0 })).map((name) => `stats.${name}`)

/** CPU of one system over the last hour: where in the hour (0–1), and percent. */
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
      const records = await listRecords('system_stats', { filter, fields: ['created', ...field].join(','), sort: 'created' }, signal)
      return records.flatMap((record) => {
        const at = timeOf(record['created'])
        const percent = readStats(record)[KEY]
        return at === undefined || percent === undefined ? [] : [{ position: (at - since) / defaultRange.spanMs, percent }]
      })
    },
    { staleTime: STALE_AFTER_MS, refetchInterval: STALE_AFTER_MS },
  )
