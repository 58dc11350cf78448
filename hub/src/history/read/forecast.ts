import type { DaySize, Retention } from '../store/retention.ts'
import { DAY_MS, HOUR_MS, tiers, type Tier } from '../model/tier.ts'

/**
 * Size of the stored history of one tier (resolution), now and as forecast. `blocks` is the number of compressed blocks, `storedBytes`
 * their bytes with 60 bytes for each row. Newest samples, not compressed yet, are not included.
 */
export type TierForecast = {
  readonly blocks: number
  readonly storedBytes: number
  /** Start of the oldest day (UTC) with stored data in this tier (resolution), in epoch ms; `undefined` without data. */
  readonly oldestMs: number | undefined
  readonly bytesPerDay: number
  /**
   * Number of days that this tier (resolution) will reach back if the history keeps growing as in the last days. The tier's retention and
   * the byte limit of the history restrict it.
   */
  readonly reachDays: number
}

export type Forecast = {
  readonly storedBytes: number
  readonly bytesPerDay: number
  /** Expected size of the whole history in bytes, once the oldest data of each tier (resolution) is deleted as fast as new data arrives. */
  readonly finalBytes: number
  readonly tiers: Readonly<Record<Tier, TierForecast>>
}

/**
 * Map from tier (resolution) to the number of past days from which the growth of the history is measured. It is 62 for `2h`, whose blocks
 * cover a month, and 7 for the others.
 */
const growthDays: Readonly<Record<Tier, number>> = { '1m': 7, '10m': 7, '2h': 62 }
const LEAST_DAYS = 2

/**
 * Forecasts the size of the history from the sizes of its days (`sizes`) and the growth in the last days. Also computes how many days each
 * tier (resolution) will reach back within its retention and the byte limit.
 */
export function forecastOf(sizes: readonly DaySize[], { days, mostBytes }: Retention, nowMs: number): Forecast {
  const rates = byTier((tier) => ratePerDay(sizes, tier, nowMs))
  const reach = { ...days }
  const total = (): number => tiers.reduce((sum, tier) => sum + rates[tier] * reach[tier], 0)
  // Follows the order of deletion: the oldest days of the finest tier go first.
  for (const tier of tiers) {
    const excess = mostBytes === undefined ? 0 : total() - mostBytes
    if (excess > 0 && rates[tier] > 0) reach[tier] = Math.max(LEAST_DAYS, Math.floor(reach[tier] - excess / rates[tier]))
  }
  const of = byTier((tier): TierForecast => {
    const stored = sizes.filter((size) => size.tier === tier)
    return {
      blocks: sum(stored.map(({ blocks }) => blocks)),
      storedBytes: sum(stored.map(({ bytes }) => bytes)),
      oldestMs: stored.length === 0 ? undefined : Math.min(...stored.map(({ day }) => day)),
      bytesPerDay: Math.round(rates[tier]),
      reachDays: reach[tier],
    }
  })
  return {
    storedBytes: sum(sizes.map(({ bytes }) => bytes)),
    bytesPerDay: sum(tiers.map((tier) => of[tier].bytesPerDay)),
    finalBytes: Math.round(total()),
    tiers: of,
  }
}

function ratePerDay(sizes: readonly DaySize[], tier: Tier, nowMs: number): number {
  const since = nowMs - growthDays[tier] * DAY_MS
  const recent = sizes.filter((size) => size.tier === tier && size.day + DAY_MS > since)
  if (recent.length === 0) return 0
  const first = Math.min(...recent.map(({ day }) => day))
  return sum(recent.map(({ bytes }) => bytes)) / Math.max((nowMs - first) / DAY_MS, HOUR_MS / DAY_MS)
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const byTier = <T>(of: (tier: Tier) => T): Readonly<Record<Tier, T>> => ({ '1m': of('1m'), '10m': of('10m'), '2h': of('2h') })
