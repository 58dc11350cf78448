import { compareNames } from '../../../format/compare.ts'
import type { HistoryFrames } from '../../../api/history-query.ts'
import { latestOf, type SeriesFrame } from '../../../chart/series-frame.ts'
import { inChosenUnits, type ChartLine } from '../../../chart/chart-drawing.ts'
import type { Formats } from '../../../format/formats.ts'
import * as words from '../../../words/messages.js'
import { chartOf, linesOf, scaled, type MoreChart } from './build-chart.ts'

export type MoreSet = { readonly id: string; readonly title: string; readonly charts: readonly MoreChart[] }

const BYTES_PER_MEGABYTE = 1024 * 1024

const inBytes = scaled(BYTES_PER_MEGABYTE)
/**
 * Takes a chart line with the weighted I/O time of a disk in percent, and returns it as the mean number of requests in flight. A value of
 * 150 becomes 1.5.
 */
const inRequests = scaled(0.01)

/**
 * Returns the list of groups of charts, such as those about disks, in the lower part of a system's page. Values are in the units of the
 * user's settings. A chart without data in the loaded series is left out.
 */
export function moreSets(frames: HistoryFrames, formats: Formats): readonly MoreSet[] {
  const sets = [
    { id: 'processor', title: words.group_processor(), charts: processorCharts(frames.system) },
    { id: 'disks', title: words.group_disks(), charts: [...rootCharts(frames.system), ...filesystemCharts(frames.disks)] },
    { id: 'network', title: words.group_network(), charts: interfaceCharts(frames.interfaces) },
    { id: 'gpus', title: words.group_gpus(), charts: gpuCharts(frames.gpus) },
    { id: 'sensors', title: words.group_sensors(), charts: sensorCharts(frames.sensors, frames.system) },
  ]
  return sets
    .filter(({ charts }) => charts.length > 0)
    .map((set) => ({ ...set, charts: set.charts.map((chart) => ({ ...chart, drawing: inChosenUnits(chart.drawing, formats) })) }))
}

/**
 * Returns the sorted names of a system's parts that occur in series keys between `prefix` and `field`: `eth0` in
 * `network.eth0.sentBytesPerSecond`. Names may contain dots.
 */
function namesIn(frame: SeriesFrame, prefix: string, field: string): readonly string[] {
  const keys = [...frame.series.keys()]
  const [start, end] = [`${prefix}.`, `.${field}`]
  return keys
    .filter((key) => key.startsWith(start) && key.endsWith(end) && key.length > start.length + end.length)
    .map((key) => key.slice(start.length, -end.length))
    .toSorted(compareNames)
}

function processorCharts(frame: SeriesFrame): readonly MoreChart[] {
  const cores = namesIn(frame, 'cpu.core', 'busyPercent')
  return [
    ...chartOf(
      frame,
      { id: 'cores', title: words.chart_cores(), description: words.chart_cores_about(), source: 'processor' },
      linesOf(
        frame,
        cores.map((core) => [`cpu.core.${core}.busyPercent`, words.core_number({ number: core }), core]),
      ),
      { unit: 'percent', top: 100, headline: 'highest' },
    ),
    ...chartOf(
      frame,
      { id: 'load', title: words.chart_load(), description: words.chart_load_about(), source: 'load' },
      linesOf(frame, [
        ['load.oneMinute', words.load_1m()],
        ['load.fiveMinutes', words.load_5m()],
        ['load.fifteenMinutes', words.load_15m()],
      ]),
      { unit: 'load', headline: latestOf(frame, 'load.oneMinute') },
    ),
    ...chartOf(
      frame,
      { id: 'pressure', title: words.chart_pressure(), description: words.chart_pressure_about(), source: 'pressure' },
      linesOf(frame, [
        ['pressure.cpu.somePercent', words.pressure_cpu()],
        ['pressure.memory.somePercent', words.pressure_memory()],
        ['pressure.io.somePercent', words.pressure_io()],
      ]),
      { unit: 'percent', headline: 'highest' },
    ),
  ]
}

function rootCharts(frame: SeriesFrame): readonly MoreChart[] {
  const named = { id: 'root', title: words.root_disk() }
  return [...activityCharts(frame, 'disk', named), ...inodeChart(frame, 'disk', named)]
}

function filesystemCharts(frame: SeriesFrame): readonly MoreChart[] {
  return namesIn(frame, 'filesystem', 'usedBytes').flatMap((name) => {
    const [prefix, named] = [`filesystem.${name}`, { id: name, title: name }]
    return [
      ...chartOf(
        frame,
        { id: `${name} use`, title: words.chart_of_use({ name }), description: words.chart_filesystem_about(), source: 'space' },
        linesOf(frame, [[`${prefix}.usedBytes`, words.series_used()]]),
        { unit: 'bytes', top: latestOf(frame, `${prefix}.totalBytes`), headline: latestOf(frame, `${prefix}.usedBytes`) },
      ),
      ...chartOf(
        frame,
        { id: `${name} io`, title: words.chart_of_io({ name }), description: words.chart_filesystem_io_about(), source: 'drives' },
        mirrored(
          linesOf(frame, [
            [`${prefix}.readBytesPerSecond`, words.series_read()],
            [`${prefix}.writtenBytesPerSecond`, words.series_written()],
          ]),
        ),
        { unit: 'bytesPerSecond', flow: 'disk', headline: 'sum' },
      ),
      ...activityCharts(frame, prefix, named),
      ...inodeChart(frame, prefix, named),
    ]
  })
}

type Named = { readonly id: string; readonly title: string }

const activityCharts = (frame: SeriesFrame, prefix: string, { id, title }: Named): readonly MoreChart[] => [
  ...chartOf(
    frame,
    { id: `${id} busy`, title: words.chart_of_busy({ name: title }), description: words.chart_busy_about(), source: 'drives' },
    linesOf(frame, [[`${prefix}.utilisationPercent`, words.series_utilisation()]]),
    { unit: 'percent', top: 100, headline: latestOf(frame, `${prefix}.utilisationPercent`) },
  ),
  ...chartOf(
    frame,
    { id: `${id} wait`, title: words.chart_of_wait({ name: title }), description: words.chart_wait_about(), source: 'drives' },
    linesOf(frame, [
      [`${prefix}.readAwaitMs`, words.series_read()],
      [`${prefix}.writeAwaitMs`, words.series_written()],
    ]),
    { unit: 'milliseconds', headline: 'highest' },
  ),
  ...queueChart(frame, prefix, { id, title }),
]

function queueChart(frame: SeriesFrame, prefix: string, { id, title }: Named): readonly MoreChart[] {
  const lines = linesOf(frame, [[`${prefix}.weightedPercent`, words.series_requests()]]).map(inRequests)
  return chartOf(
    frame,
    { id: `${id} queue`, title: words.chart_of_queue({ name: title }), description: words.chart_queue_about(), source: 'drives' },
    lines,
    { unit: 'load', headline: lines[0]?.values.at(-1) ?? undefined },
  )
}

const inodeChart = (frame: SeriesFrame, prefix: string, { id, title }: Named): readonly MoreChart[] =>
  chartOf(
    frame,
    { id: `${id} inodes`, title: words.chart_of_inodes({ name: title }), description: words.chart_inodes_about(), source: 'space' },
    linesOf(frame, [[`${prefix}.inodesUsed`, words.series_used()]]),
    { unit: 'load', top: latestOf(frame, `${prefix}.inodesTotal`), headline: latestOf(frame, `${prefix}.inodesUsed`) },
  )

function interfaceCharts(frame: SeriesFrame): readonly MoreChart[] {
  return namesIn(frame, 'network', 'sentBytesPerSecond').flatMap((name) =>
    chartOf(
      frame,
      { id: name, title: name, description: words.chart_interface_about(), source: 'network' },
      mirrored(
        linesOf(frame, [
          [`network.${name}.sentBytesPerSecond`, words.series_sent()],
          [`network.${name}.receivedBytesPerSecond`, words.series_received()],
        ]),
        '--series-3',
      ),
      { unit: 'bytesPerSecond', flow: 'network', headline: 'sum' },
    ),
  )
}

/**
 * Returns two chart lines of opposite rates, such as received and sent: the second one is drawn below zero. `colour` is the name of the CSS
 * custom property with the second line's colour.
 */
const mirrored = (lines: readonly ChartLine[], colour = '--series-2'): readonly ChartLine[] =>
  lines.map((line, index) => (index === 1 ? { ...line, below: true, colour } : line))

function gpuCharts(frame: SeriesFrame): readonly MoreChart[] {
  const ids = new Set(
    ['usagePercent', 'memoryUsedMegabytes', 'powerWatts', 'packagePowerWatts'].flatMap((field) => namesIn(frame, 'gpu', field)),
  )
  return [...ids]
    .filter((id) => !id.includes('.engine.'))
    .flatMap((id) => {
      const used = latestOf(frame, `gpu.${id}.memoryUsedMegabytes`)
      const totals = ['memoryTotalMegabytes', 'sharedMemoryTotalMegabytes'].flatMap((field) => latestOf(frame, `gpu.${id}.${field}`) ?? [])
      return [
        ...chartOf(
          frame,
          { id: `${id} use`, title: words.chart_gpu_use({ id }), description: words.chart_gpu_use_about(), source: 'gpu' },
          linesOf(frame, [
            [`gpu.${id}.usagePercent`, words.series_busy()],
            ...namesIn(frame, `gpu.${id}.engine`, 'usagePercent').map(
              (engine) => [`gpu.${id}.engine.${engine}.usagePercent`, engine, engine] as const,
            ),
          ]),
          { unit: 'percent', top: 100, headline: latestOf(frame, `gpu.${id}.usagePercent`) },
        ),
        ...chartOf(
          frame,
          { id: `${id} memory`, title: words.chart_gpu_memory({ id }), description: words.chart_gpu_memory_about(), source: 'gpu' },
          linesOf(frame, [
            [`gpu.${id}.memoryUsedMegabytes`, words.series_used()],
            [`gpu.${id}.sharedMemoryUsedMegabytes`, words.series_shared()],
          ]).map(inBytes),
          {
            unit: 'bytes',
            top: totals.length === 0 ? undefined : Math.max(...totals) * BYTES_PER_MEGABYTE,
            headline: used === undefined ? undefined : used * BYTES_PER_MEGABYTE,
          },
        ),
        ...chartOf(
          frame,
          { id: `${id} power`, title: words.chart_gpu_power({ id }), description: words.chart_gpu_power_about(), source: 'gpu' },
          linesOf(frame, [
            [`gpu.${id}.powerWatts`, words.series_power()],
            [`gpu.${id}.packagePowerWatts`, words.series_package()],
          ]),
          { unit: 'watts', headline: latestOf(frame, `gpu.${id}.powerWatts`) ?? latestOf(frame, `gpu.${id}.packagePowerWatts`) },
        ),
      ]
    })
}

function sensorCharts(sensors: SeriesFrame, system: SeriesFrame): readonly MoreChart[] {
  const fans = namesIn(sensors, 'fan', 'rpm')
  const batteries = namesIn(system, 'battery', 'chargePercent')
  return [
    ...chartOf(
      sensors,
      { id: 'fans', title: words.chart_fans(), description: words.chart_fans_about(), source: 'sensors' },
      linesOf(
        sensors,
        fans.map((name) => [`fan.${name}.rpm`, name, name]),
      ),
      { unit: 'rpm', headline: 'highest' },
    ),
    ...chartOf(
      system,
      { id: 'battery', title: words.chart_battery(), description: words.chart_battery_about(), source: 'battery' },
      linesOf(system, [
        ['battery.chargePercent', words.series_charge()],
        ...batteries.map((name) => [`battery.${name}.chargePercent`, name, name] as const),
      ]),
      { unit: 'percent', top: 100, headline: latestOf(system, 'battery.chargePercent') },
    ),
  ]
}
