import type { SpanDetail } from '../format/time.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const minutes = [1, 2, 5, 10, 15, 30].map((count) => count * MINUTE_MS)
const hours = [1, 2, 3, 4, 6, 8, 12].map((count) => count * HOUR_MS)
/** List of the allowed distances of time axis labels in whole days, in ms. uPlot turns distances from 30 days on into calendar months. */
const days = [1, 2, 3, 4, 5, 7, 10, 15, 30, 60, 90, 120, 180, 365].map((count) => count * DAY_MS)

/**
 * Allowed distances between labels of the time axis in ms, ascending, by the labels' format. No distance is below the format's precision,
 * so that neighbouring labels differ.
 */
export const timeSteps: Readonly<Record<SpanDetail, readonly number[]>> = {
  time: [...minutes, ...hours, ...days],
  dayAndTime: [...minutes, ...hours, ...days],
  day: days,
}
