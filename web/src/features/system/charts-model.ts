import type { SeriesFrame } from '../../api/series-frame.ts'
import type { StatsKind } from '../../api/stats.ts'
import type { ChartSpec } from './chart-spec.ts'
import { containerCpuChart, containerMemoryChart, containerNetworkChart } from './container-charts.ts'
import { bandwidthChart, cpuChart, diskIoChart, diskUsageChart, memoryChart, swapChart, temperatureChart } from './host-charts.ts'

/** Every chart, in reading order: host on the left, its containers on the right of it. */
const allCharts: readonly ChartSpec[] = [
  cpuChart,
  containerCpuChart,
  memoryChart,
  containerMemoryChart,
  swapChart,
  temperatureChart,
  diskUsageChart,
  diskIoChart,
  bandwidthChart,
  containerNetworkChart,
]

export type ChartFrames = Readonly<Record<StatsKind, SeriesFrame | undefined>>

/** Which charts a system has. A set that could not be read is not shown. */
export function chartsFor(frames: ChartFrames): readonly ChartSpec[] {
  return allCharts.filter(({ kind, isShown }) => {
    const frame = frames[kind]
    return frame !== undefined && isShown(frame)
  })
}

/** The charts that every system has: what is drawn in outline while nothing is known. */
export const expectedCharts: readonly ChartSpec[] = [cpuChart, memoryChart, diskUsageChart, diskIoChart, bandwidthChart]

/**
 * The chart that takes a whole row of two columns, so that no place stays empty and container charts keep to the right:
 * the disk throughput, or the bandwidth when there are no containers beside it.
 */
export function wideChart(charts: readonly ChartSpec[]): string | undefined {
  if (charts.length % 2 === 0) return undefined
  return charts.some(({ kind }) => kind === 'containers') ? diskIoChart.id : bandwidthChart.id
}
