import type { SeriesKey } from '@vedette/protocol/metrics/series'
import type { SeriesFrame } from '../../../chart/series-frame.ts'
import type { ChartDrawing } from '../../../chart/chart-drawing.ts'
import type { Column } from '../../../format/column.ts'
import * as words from '../../../words/messages.js'

export type MetricId = 'cpu' | 'memory' | 'swap' | 'disk' | 'disk-io' | 'network' | 'load'

/** Description of a metric that the comparison page offers, such as CPU usage. A system has at most one value of a metric at a time. */
export type Metric = {
  readonly title: () => string
  readonly description: () => string
  /** Keys of the stored series from which the metric is computed. `combine` gets their values as arguments, in this order. */
  readonly keys: readonly SeriesKey[]
  readonly combine: (...values: number[]) => number | undefined
} & Pick<ChartDrawing, 'unit' | 'flow' | 'top'>

const percentOf = (used = 0, total = 0): number | undefined => (total > 0 ? (100 * used) / total : undefined)
const sum = (...values: number[]): number => values.reduce((total, value) => total + value, 0)

export const metrics: Readonly<Record<MetricId, Metric>> = {
  cpu: {
    title: words.chart_cpu,
    description: words.compare_cpu_about,
    keys: ['cpu.busyPercent'],
    combine: (busy) => busy,
    unit: 'percent',
    top: 100,
  },
  memory: {
    title: words.chart_memory,
    description: words.compare_memory_about,
    keys: ['memory.usedBytes', 'memory.totalBytes'],
    combine: percentOf,
    unit: 'percent',
    top: 100,
  },
  swap: {
    title: words.chart_swap,
    description: words.compare_swap_about,
    keys: ['swap.usedBytes', 'swap.totalBytes'],
    combine: percentOf,
    unit: 'percent',
    top: 100,
  },
  disk: {
    title: words.chart_disk_usage,
    description: words.compare_disk_about,
    keys: ['disk.usedBytes', 'disk.totalBytes'],
    combine: percentOf,
    unit: 'percent',
    top: 100,
  },
  'disk-io': {
    title: words.chart_disk_io,
    description: words.compare_disk_io_about,
    keys: ['disk.readBytesPerSecond', 'disk.writtenBytesPerSecond'],
    combine: sum,
    unit: 'bytesPerSecond',
    flow: 'disk',
  },
  network: {
    title: words.chart_bandwidth,
    description: words.compare_network_about,
    keys: ['network.sentBytesPerSecond', 'network.receivedBytesPerSecond'],
    combine: sum,
    unit: 'bytesPerSecond',
    flow: 'network',
  },
  load: {
    title: words.chart_load,
    description: words.compare_load_about,
    keys: ['load.oneMinute'],
    combine: (load) => load,
    unit: 'load',
  },
}

export const metricIds = Object.keys(metrics) as readonly MetricId[] // Object.keys forgets the key type of a constant object

/**
 * Returns the metric's value at each time of a system's series, as an array. It is null where one of the needed series has no value, or
 * `combine` returns `undefined`, as for a total of 0.
 */
export function metricColumn({ keys, combine }: Metric, { times, series }: SeriesFrame): Column {
  const columns = keys.map((key) => series.get(key))
  return times.map((_, at) => {
    const values = columns.flatMap((column) => column?.[at] ?? [])
    return values.length === keys.length ? (combine(...values) ?? null) : null
  })
}
