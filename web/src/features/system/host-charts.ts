import type { SeriesKey } from '@vedette/protocol/metrics/series'
import { extremesOf, latestOf, type SeriesFrame } from '../../chart/series-frame.ts'
import type { ChartLine } from '../../chart/chart-drawing.ts'
import { seriesColour } from '../../chart/series-colour.ts'
import * as words from '../../words/messages.js'
import type { ChartSpec } from './chart-spec.ts'
import { sensorName, temperatureKeys } from './charts-model.ts'
import { otherBusyPercent } from './other-busy.ts'

const line = (frame: SeriesFrame, key: SeriesKey, label: string, colour: string): ChartLine => ({
  key,
  label,
  colour,
  values: frame.series.get(key) ?? frame.times.map(() => null),
  ...extremesOf(frame, key),
})

const known = (frame: SeriesFrame, lines: readonly ChartLine[]): readonly ChartLine[] => lines.filter(({ key }) => frame.series.has(key))

export const cpuChart: ChartSpec = {
  title: words.chart_cpu,
  description: words.chart_cpu_about,
  source: 'processor',
  draw: (frame) => {
    const shares = known(frame, [
      line(frame, 'cpu.userPercent', words.series_user(), '--series-1'),
      line(frame, 'cpu.systemPercent', words.series_system(), '--series-2'),
      line(frame, 'cpu.iowaitPercent', words.series_iowait(), '--series-3'),
      line(frame, 'cpu.stealPercent', words.series_steal(), '--series-4'),
    ]).filter(({ key, values }) => key !== 'cpu.stealPercent' || values.some((value) => value !== null && value > 0))
    const hasShares = shares.length > 1
    const other = otherBusyPercent(frame)
    const rest = other === undefined ? [] : [{ key: 'cpu.otherPercent', label: words.series_other(), colour: '--series-5', values: other }]
    return {
      unit: 'percent',
      times: frame.times,
      lines: hasShares ? [...shares, ...rest] : [line(frame, 'cpu.busyPercent', words.series_busy(), '--series-1')],
      isStacked: hasShares,
      top: 100,
      startsAtZero: true,
      headline: latestOf(frame, 'cpu.busyPercent'),
    }
  },
}

export const memoryChart: ChartSpec = {
  title: words.chart_memory,
  description: words.chart_memory_about,
  source: 'memory',
  draw: (frame) => ({
    unit: 'bytes',
    times: frame.times,
    lines: [
      line(frame, 'memory.usedBytes', words.series_used(), '--series-1'),
      ...known(frame, [
        line(frame, 'memory.zfsArcBytes', words.series_zfs_arc(), '--series-4'),
        line(frame, 'memory.cacheBytes', words.series_cache(), '--series-8'),
      ]),
    ],
    isStacked: true,
    top: latestOf(frame, 'memory.totalBytes'),
    startsAtZero: true,
    headline: latestOf(frame, 'memory.usedBytes'),
  }),
}

export const swapChart: ChartSpec = {
  title: words.chart_swap,
  description: words.chart_swap_about,
  source: 'memory',
  draw: (frame) => ({
    unit: 'bytes',
    times: frame.times,
    lines: [line(frame, 'swap.usedBytes', words.series_used(), '--series-2')],
    isStacked: false,
    top: latestOf(frame, 'swap.totalBytes'),
    startsAtZero: true,
    headline: latestOf(frame, 'swap.usedBytes'),
  }),
}

export const temperatureChart: ChartSpec = {
  title: words.chart_temperature,
  description: words.chart_temperature_about,
  source: 'sensors',
  draw: (frame) => {
    const latest = temperatureKeys(frame).flatMap((key) => latestOf(frame, key) ?? [])
    return {
      unit: 'celsius',
      times: frame.times,
      lines: temperatureKeys(frame).map((key) => line(frame, key, sensorName(key), seriesColour(sensorName(key)))),
      isStacked: false,
      startsAtZero: false,
      headline: latest.length === 0 ? undefined : Math.max(...latest),
    }
  },
}

export const diskUsageChart: ChartSpec = {
  title: words.chart_disk_usage,
  description: words.chart_disk_usage_about,
  source: 'space',
  draw: (frame) => ({
    unit: 'bytes',
    times: frame.times,
    lines: [line(frame, 'disk.usedBytes', words.series_used(), '--series-6')],
    isStacked: false,
    top: latestOf(frame, 'disk.totalBytes'),
    startsAtZero: true,
    headline: latestOf(frame, 'disk.usedBytes'),
  }),
}

/**
 * Builds the data of a chart with two rates of opposite direction in bytes per second, such as sent and received. `up` is drawn above zero,
 * `down` below. `flow` selects the unit setting (network or disk). The headline is the sum of both latest values.
 */
function ratesChart(flow: 'network' | 'disk', up: ChartLine, down: ChartLine, frame: SeriesFrame) {
  const [latestUp, latestDown] = [latestOf(frame, up.key), latestOf(frame, down.key)]
  return {
    unit: 'bytesPerSecond',
    flow,
    times: frame.times,
    lines: [up, { ...down, below: true }],
    isStacked: false,
    startsAtZero: true,
    headline: latestUp === undefined && latestDown === undefined ? undefined : (latestUp ?? 0) + (latestDown ?? 0),
  } as const
}

export const diskIoChart: ChartSpec = {
  title: words.chart_disk_io,
  description: words.chart_disk_io_about,
  source: 'drives',
  draw: (frame) =>
    ratesChart(
      'disk',
      line(frame, 'disk.readBytesPerSecond', words.series_read(), '--series-1'),
      line(frame, 'disk.writtenBytesPerSecond', words.series_written(), '--series-2'),
      frame,
    ),
}

export const bandwidthChart: ChartSpec = {
  title: words.chart_bandwidth,
  description: words.chart_bandwidth_about,
  source: 'network',
  draw: (frame) =>
    ratesChart(
      'network',
      line(frame, 'network.sentBytesPerSecond', words.series_sent(), '--series-1'),
      line(frame, 'network.receivedBytesPerSecond', words.series_received(), '--series-3'),
      frame,
    ),
}
