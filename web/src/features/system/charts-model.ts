import type { SeriesKey } from '@vedette/protocol/metrics/series'
import { isEmptyFrame, latestOf, type SeriesFrame } from '../../chart/series-frame.ts'
import type { StatsKind } from '../../api/stats.ts'

export type ChartId =
  | 'cpu'
  | 'container-cpu'
  | 'memory'
  | 'container-memory'
  | 'swap'
  | 'temperature'
  | 'disk-usage'
  | 'disk-io'
  | 'container-disk'
  | 'bandwidth'
  | 'container-network'

type ChartPlace = { readonly id: ChartId; readonly kind: StatsKind; readonly isShown: (frame: SeriesFrame) => boolean }

const always = (): boolean => true
const hasContainerDisk = (frame: SeriesFrame): boolean => [...frame.series.keys()].some((key) => key.endsWith('.diskReadBytesPerSecond'))
const hasContainers = (frame: SeriesFrame): boolean => !isEmptyFrame(frame)

export const sensorName = (key: SeriesKey): string => key.slice('temperature.'.length, -'.celsius'.length)
const isTemperature = (key: SeriesKey): boolean => key.startsWith('temperature.') && key.endsWith('.celsius')
export const temperatureKeys = (frame: SeriesFrame): readonly SeriesKey[] => [...frame.series.keys()].filter(isTemperature).toSorted()

/**
 * List of all main charts of a system's page in reading order. Each has the kind of series that it needs, and `isShown`, which returns true
 * when loaded series have data for it. In two columns, each container chart is right of the host chart before it.
 */
const places: readonly ChartPlace[] = [
  { id: 'cpu', kind: 'system', isShown: always },
  { id: 'container-cpu', kind: 'containers', isShown: hasContainers },
  { id: 'memory', kind: 'system', isShown: always },
  { id: 'container-memory', kind: 'containers', isShown: hasContainers },
  { id: 'swap', kind: 'system', isShown: (frame) => (latestOf(frame, 'swap.totalBytes') ?? 0) > 0 },
  { id: 'temperature', kind: 'system', isShown: (frame) => temperatureKeys(frame).some((key) => latestOf(frame, key) !== undefined) },
  { id: 'disk-usage', kind: 'system', isShown: always },
  { id: 'disk-io', kind: 'system', isShown: always },
  { id: 'container-disk', kind: 'containers', isShown: hasContainerDisk },
  { id: 'bandwidth', kind: 'system', isShown: always },
  { id: 'container-network', kind: 'containers', isShown: hasContainers },
]

export type ChartFrames = Readonly<Record<StatsKind, SeriesFrame | undefined>>

/**
 * Returns the ids of the main charts that a system's page shows: the basic ones always, others only if the loaded series contain their
 * data. Charts whose series are still loading are left out.
 */
export function chartsFor(frames: ChartFrames): readonly ChartId[] {
  return places
    .filter(({ kind, isShown }) => {
      const frame = frames[kind]
      return frame !== undefined && isShown(frame)
    })
    .map(({ id }) => id)
}

export const kindOf = (chart: ChartId): StatsKind => places.find(({ id }) => id === chart)?.kind ?? 'system'

/** List of the ids of the main charts that every system has. A system's page shows placeholders for them until data arrive. */
export const expectedCharts: readonly ChartId[] = places.filter(({ isShown }) => isShown === always).map(({ id }) => id)

/**
 * Returns the id of the chart to draw across both columns when the number of charts is odd. Container charts then stay on the right.
 * `undefined` for an even number.
 */
export function wideChart(charts: readonly ChartId[]): ChartId | undefined {
  if (charts.length % 2 === 0) return undefined
  if (charts.includes('container-disk')) return 'disk-usage'
  return charts.some((id) => kindOf(id) === 'containers') ? 'disk-io' : 'bandwidth'
}
