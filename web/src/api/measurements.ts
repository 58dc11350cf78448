import { clockNow } from '../format/clock.ts'
import { subscribeTopic } from './client.ts'
import { recordOf } from './json.ts'
import { frameOfSamples, type SeriesFrame, type TimedValues } from '../chart/series-frame.ts'
import { readContainerStats, readStats, type StatsKind } from './stats.ts'

/**
 * One-second sample of a system, which the agent takes while a page shows live charts and which is not stored. It has the sample's time
 * (epoch ms) and values by series key twice: `system` for the host charts, `containers` for the container charts.
 */
export type Measurement = Readonly<Record<StatsKind, TimedValues>>

const SECOND_MS = 1_000
/** Length in ms of the time range that live charts (one sample per second) show: 300,000, which is 5 min. */
export const LIVE_SPAN_MS = 300 * SECOND_MS

/**
 * Subscribes to the one-second samples of a system and calls `onMeasured` with each. Resolves, once the hub has accepted, to the function
 * that unsubscribes.
 */
export const followMeasurements = (systemId: string, onMeasured: (measurement: Measurement) => void): Promise<() => Promise<void>> =>
  subscribeTopic('rt_metrics', (_, data) => onMeasured(readMeasurement(data, clockNow())), { system: systemId })

/**
 * Parses the data of a realtime event with a one-second sample and returns its values; those of the wrong type are left out. `at` (epoch
 * ms) becomes the sample's time.
 */
export function readMeasurement(data: unknown, at: number): Measurement {
  const { stats, container } = recordOf(data)
  return { system: { at, values: readStats({ stats }) }, containers: { at, values: readContainerStats({ stats: container }) } }
}

/**
 * Returns the list of one-second samples with `next` appended and those 5 min or more older than it dropped. If `next` has the time of the
 * last one, it is ignored. If the time has gone back (clock set), the list starts again with `next`.
 */
export function withMeasurement(measurements: readonly Measurement[], next: Measurement): readonly Measurement[] {
  const [at, before] = [next.system.at, measurements.at(-1)?.system.at ?? Number.NEGATIVE_INFINITY]
  // A second sample of the same moment is ignored. After a clock was set back, the list starts again.
  if (at === before) return measurements
  const kept = at < before ? [] : measurements.filter(({ system }) => system.at > at - LIVE_SPAN_MS)
  return [...kept, next]
}

/**
 * Returns time series of the given one-second samples for the host charts or the container charts (`kind`). They cover the 5 min up to the
 * last sample.
 */
export function liveFrame(measurements: readonly Measurement[], kind: StatsKind): SeriesFrame {
  const toMs = measurements.at(-1)?.system.at ?? 0
  const samples = measurements.map((one) => one[kind])
  // Twice the sampling interval, because a response may be a little late.
  return frameOfSamples(samples, { fromMs: toMs - LIVE_SPAN_MS, toMs }, 2 * SECOND_MS)
}
