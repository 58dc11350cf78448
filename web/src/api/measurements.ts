import { clockNow } from '../format/clock.ts'
import { subscribeTopic } from './client.ts'
import { recordOf } from './json.ts'
import { frameOfSamples, type SeriesFrame, type TimedValues } from '../chart/series-frame.ts'
import { readContainerStats, readStats, type StatsKind } from './stats.ts'

/** A one-second sample of a system for live viewers, by set of charts. */
export type Measurement = Readonly<Record<StatsKind, TimedValues>>

const SECOND_MS = 1_000
/** How far back live charts reach. */
export const LIVE_SPAN_MS = 300 * SECOND_MS

/** Follows what a system measures each second, for as long as somebody does; resolves once the hub has accepted it. */
export const followMeasurements = (systemId: string, onMeasured: (measurement: Measurement) => void): Promise<() => Promise<void>> =>
  subscribeTopic('rt_metrics', (_, data) => onMeasured(readMeasurement(data, clockNow())), { system: systemId })

/** A live answer; what of it makes no sense is not there. */
export function readMeasurement(data: unknown, at: number): Measurement {
  const { stats, container } = recordOf(data)
  return { system: { at, values: readStats({ stats }) }, containers: { at, values: readContainerStats({ stats: container }) } }
}

/** The measurements of the last minutes with one more; those that came before the start of the charts are forgotten. */
export function withMeasurement(measurements: readonly Measurement[], next: Measurement): readonly Measurement[] {
  const [at, before] = [next.system.at, measurements.at(-1)?.system.at ?? Number.NEGATIVE_INFINITY]
  // Two of one moment would be one point; a clock that was put back begins anew.
  if (at === before) return measurements
  const kept = at < before ? [] : measurements.filter(({ system }) => system.at > at - LIVE_SPAN_MS)
  return [...kept, next]
}

/** Measurements as the charts take them, over a window that ends with the last one. */
export function liveFrame(measurements: readonly Measurement[], kind: StatsKind): SeriesFrame {
  const toMs = measurements.at(-1)?.system.at ?? 0
  const samples = measurements.map((one) => one[kind])
  // Twice as far apart as they are asked for: an answer may well come a little late.
  return frameOfSamples(samples, { fromMs: toMs - LIVE_SPAN_MS, toMs }, 2 * SECOND_MS)
}
