import { listOf, numberOf, recordOf } from '../../api/json.ts'

/** Metrics of the hub: bytes, milliseconds, percent of one core, or a count. */
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

/** A step of the window and what was measured in it; what nobody could tell is missing. */
export type HealthPoint = { readonly atMs: number } & { readonly [sign in HealthSign]?: number }

/** The health of the hub in a window; steps without a measurement are left out. Times are epoch milliseconds. */
export type HealthWindow = {
  readonly fromMs: number
  readonly toMs: number
  readonly stepMs: number
  readonly points: readonly HealthPoint[]
  /** Addresses that sent forwarding headers although they are no trusted proxies. */
  readonly untrustedForwarding: readonly { readonly address: string; readonly header: string }[]
}

export function readHealth(answer: unknown): HealthWindow {
  const { fromMs, toMs, stepMs, items, untrustedForwarding } = recordOf(answer)
  return {
    fromMs: numberOf(fromMs) ?? 0,
    toMs: numberOf(toMs) ?? 0,
    stepMs: numberOf(stepMs) ?? 60_000,
    untrustedForwarding: listOf(untrustedForwarding).flatMap((item) => {
      const { address, header } = recordOf(item)
      return typeof address === 'string' && typeof header === 'string' ? [{ address, header }] : []
    }),
    points: listOf(items).flatMap((item) => {
      const fields = recordOf(item)
      const atMs = numberOf(fields['at'])
      const told = healthSigns.flatMap((sign) => {
        const value = numberOf(fields[sign])
        return value === undefined ? [] : [[sign, value] as const]
      })
      return atMs === undefined ? [] : [{ atMs, ...Object.fromEntries(told) }]
    }),
  }
}
