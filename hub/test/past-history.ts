import type { History } from '../src/history/model/history.ts'
import type { SeriesTable } from '../src/history/model/series-table.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

type PastValues = {
  readonly system: string
  /** End of the stored time in epoch ms: a full 2 hours. */
  readonly untilMs: number
  readonly days: number
  /** Time in epoch ms up to which samples follow, each minute; by default none do after `untilMs`. */
  readonly samplesUntilMs?: number
  /** Values of the series, by key, at a number of hours before the end (negative). NaN is not stored. */
  readonly valuesAt: (hour: number) => Readonly<Record<string, number>>
}

/** Stores past values of a system in all tiers: averages of 2 h and 10 min for all days, and samples of the last 2 h. */
export async function storePastValues(
  history: Pick<History, 'storePast'>,
  { system, untilMs, days, samplesUntilMs = untilMs, valuesAt }: PastValues,
): Promise<void> {
  const keys = Object.keys(valuesAt(-1)).toSorted()
  const table = (stepMs: number, fromMs: number, toMs = untilMs): SeriesTable => {
    const all = Array.from({ length: Math.floor((toMs - fromMs) / stepMs) }, (_, at) => fromMs + at * stepMs)
    const middle = (time: number) => valuesAt((time + stepMs / 2 - untilMs) / HOUR_MS)
    const times = all.filter((time) => keys.some((key) => !Number.isNaN(middle(time)[key] ?? Number.NaN)))
    const series = keys.map((key) => {
      const average = Float64Array.from(times, (time) => middle(time)[key] ?? Number.NaN)
      if (stepMs === MINUTE_MS) return { key, average }
      const count = average.map((value) => (Number.isNaN(value) ? Number.NaN : stepMs / MINUTE_MS))
      return { key, average, extremes: { minimum: average, maximum: average, count } }
    })
    return { times, series }
  }
  const fromMs = untilMs - days * 24 * HOUR_MS
  await history.storePast({
    system,
    kind: 'system',
    untilMs,
    samples: table(MINUTE_MS, untilMs - 2 * HOUR_MS, samplesUntilMs),
    tens: table(10 * MINUTE_MS, fromMs),
    hours: table(2 * HOUR_MS, fromMs),
  })
}
