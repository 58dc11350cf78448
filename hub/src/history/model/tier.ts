/** Resolutions of the history, finest first: single samples (`1m`), or buckets with average, minimum, maximum and count. */
export const tiers = ['1m', '10m', '2h'] as const
export type Tier = (typeof tiers)[number]

const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Distance between two points in milliseconds, finest tier first. */
export const bucketMs: Readonly<Record<Tier, number>> = { '1m': MINUTE_MS, '10m': 10 * MINUTE_MS, '2h': 2 * HOUR_MS }

/** Time range, half-open `[fromMs, toMs)`, epoch milliseconds. */
export type Window = { readonly fromMs: number; readonly toMs: number }

export const bucketStart = (atMs: number, sizeMs: number): number => Math.floor(atMs / sizeMs) * sizeMs

/** Start of the month (UTC) that contains `atMs`, epoch milliseconds. */
export function monthStart(atMs: number): number {
  const date = new Date(atMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}

/**
 * The finest tier that reaches back to the window's start and needs at most `points` points; `2h` when none does. `keptFrom` is the start
 * of each tier's retention, epoch milliseconds.
 */
export function tierFor(window: Window, points: number, keptFrom: Readonly<Record<Tier, number>>): Tier {
  const fits = tiers.find((tier) => {
    const covered = window.fromMs >= keptFrom[tier]
    return covered && (window.toMs - window.fromMs) / bucketMs[tier] <= points
  })
  return fits ?? '2h'
}
