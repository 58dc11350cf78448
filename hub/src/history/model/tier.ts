/**
 * List of the tiers (resolutions) of the history, finest first: `1m` has single samples, `10m` and `2h` have buckets with average, minimum,
 * maximum and count.
 */
export const tiers = ['1m', '10m', '2h'] as const
export type Tier = (typeof tiers)[number]

const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Map from tier (resolution) to the length of its interval in ms: 60,000 for `1m`, 600,000 for `10m`, 7,200,000 for `2h`. */
export const bucketMs: Readonly<Record<Tier, number>> = { '1m': MINUTE_MS, '10m': 10 * MINUTE_MS, '2h': 2 * HOUR_MS }

/** Half-open time range `[fromMs, toMs)` of the history, in epoch ms: the start is included, the end is not. */
export type Window = { readonly fromMs: number; readonly toMs: number }

export const bucketStart = (atMs: number, sizeMs: number): number => Math.floor(atMs / sizeMs) * sizeMs

/** Returns the start of the month (UTC) that contains `atMs`, in epoch ms. */
export function monthStart(atMs: number): number {
  const date = new Date(atMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}

/**
 * Returns the finest tier (resolution) that covers the time range with at most `points` intervals, and whose retention reaches back to the
 * range's start. `2h` when none does. `keptFrom` maps each tier to the start of its retention, in epoch ms.
 */
export function tierFor(window: Window, points: number, keptFrom: Readonly<Record<Tier, number>>): Tier {
  const fits = tiers.find((tier) => {
    const covered = window.fromMs >= keptFrom[tier]
    return covered && (window.toMs - window.fromMs) / bucketMs[tier] <= points
  })
  return fits ?? '2h'
}
