import { listOf, numberOf, recordOf } from '../../api/json.ts'
import { frameOfSamples, type SeriesFrame } from '../../chart/series-frame.ts'

/**
 * List of the names of the hub's own metrics on the health page, such as `cpuPercent`. The ending of a name is its unit: bytes, ms, or
 * percent of one CPU core; all others are counts.
 */
export const healthSigns = [
  'cpuPercent',
  'residentBytes',
  'heapBytes',
  'loopLateMs',
  'databaseBytes',
  'agents',
  'waitingSamples',
  'waitingMessages',
  'waitingLogs',
] as const

export type HealthSign = (typeof healthSigns)[number]

export type HubHealth = {
  /** Measured values of the hub's own metrics over time: series by metric name, with common times in epoch ms. */
  readonly frame: SeriesFrame
  /**
   * Clients that sent forwarding headers, such as X-Forwarded-For, without being configured as trusted proxies: for each the address and
   * the header's name. It shows a missing proxy setting.
   */
  readonly untrustedForwarding: readonly { readonly address: string; readonly header: string }[]
}

const MINUTE_MS = 60_000

/**
 * Parses the hub's response about its own metrics: returns their time series, and the list of clients that sent untrusted forwarding
 * headers. At times without measurements, the series are interrupted by nulls.
 */
export function readHealth(response: unknown): HubHealth {
  const { fromMs, toMs, stepMs, items, untrustedForwarding } = recordOf(response)
  const samples = listOf(items).flatMap((item) => {
    const fields = recordOf(item)
    const at = numberOf(fields['at'])
    const measured = healthSigns.flatMap((sign) => {
      const value = numberOf(fields[sign])
      return value === undefined ? [] : [[sign, value] as const]
    })
    return at === undefined ? [] : [{ at, values: Object.fromEntries(measured) }]
  })
  return {
    frame: frameOfSamples(samples, { fromMs: numberOf(fromMs) ?? 0, toMs: numberOf(toMs) ?? 0 }, numberOf(stepMs) ?? MINUTE_MS),
    untrustedForwarding: listOf(untrustedForwarding).flatMap((item) => {
      const { address, header } = recordOf(item)
      return typeof address === 'string' && typeof header === 'string' ? [{ address, header }] : []
    }),
  }
}
