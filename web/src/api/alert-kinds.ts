import * as words from '../words/messages.js'

/** List of the kinds of parts of a system to which an alert rule can be limited: container, service, filesystem, network interface. */
export const partKinds = ['container', 'service', 'filesystem', 'interface'] as const
export type PartKind = (typeof partKinds)[number]

/** Kind of alert that a user can set on a system, such as CPU usage: its translated texts, unit, and the range of its threshold. */
export type AlertKind = {
  /** Name of the kind of alert in the records API, such as `CPU` or `LoadAvg5`. */
  readonly name: string
  readonly label: () => string
  /**
   * Returns the translated name of the value that the alert compares with its threshold, such as "CPU usage", for the middle of a sentence.
   * Empty for an alert without a threshold.
   */
  readonly subject: () => string
  readonly unit: '%' | '°C' | 'MB' | 'MB/s' | 'h' | '%/h' | ''
  readonly direction: 'above' | 'below'
  /** Kind of the part of a system that the alert watches, such as `container`; absent for an alert about the whole system. */
  readonly part?: PartKind
  /**
   * Function that returns the condition of an alert without a threshold as a translated sentence. `minutes` is the delay until it fires.
   * Absent for alerts with a threshold.
   */
  readonly sentence?: (minutes: number) => string
  /** Id of the data source whose charts show the value that the alert compares, such as `memory`; absent when no chart shows it. */
  readonly chart?: string
  /**
   * True when the alert fires at the first sample that meets its condition, so that users cannot set a delay. It is for values that agents
   * measure rarely. Absent otherwise.
   */
  readonly isAtOnce?: true
  /** True when the alert compares a forecast from the stored history, so that users cannot set minutes. Absent otherwise. */
  readonly isForecast?: true
  /**
   * Range (`min`, `max`), step and default (`standard`) of the alert's threshold, in `unit`. `undefined` for an alert on a condition (such
   * as "down") instead of a number.
   */
  readonly threshold: { readonly standard: number; readonly min: number; readonly max: number; readonly step: number } | undefined
}

export const STANDARD_MINUTES = 10
export const MOST_MINUTES = 60

const percent = { unit: '%', direction: 'above', threshold: { standard: 80, min: 1, max: 99, step: 1 } } as const
const load = { unit: '', direction: 'above', threshold: { standard: 10, min: 0.1, max: 100, step: 0.1 } } as const

const condition = { subject: () => '', unit: '', direction: 'above', threshold: undefined } as const
const share = { ...percent, threshold: { ...percent.threshold, standard: 20 } } as const
const forecast = { unit: 'h', direction: 'below', isForecast: true, threshold: { standard: 48, min: 1, max: 720, step: 1 } } as const
const rate = { unit: '%/h', direction: 'above', threshold: { standard: 5, min: 0.5, max: 100, step: 0.5 } } as const
const traffic = { chart: 'network', unit: 'MB/s', direction: 'above', threshold: { standard: 80, min: 1, max: 250, step: 1 } } as const

/** List of all kinds of alerts that a user can set on a system, in display order: the most used ones come first. */
export const alertKinds: readonly AlertKind[] = [
  {
    name: 'Status',
    label: words.alert_status,
    ...condition,
    sentence: (minutes) => (minutes === 1 ? words.alert_when_down_at_once() : words.alert_when_down({ minutes })),
  },
  { name: 'CPU', chart: 'processor', label: words.column_cpu, subject: words.alert_cpu_subject, ...percent },
  { name: 'Memory', chart: 'memory', label: words.column_memory, subject: words.alert_memory_subject, ...percent },
  { name: 'Disk', chart: 'space', label: words.column_disk, subject: words.alert_disk_subject, ...percent },
  {
    name: 'Temperature',
    chart: 'sensors',
    label: words.chart_temperature,
    subject: words.alert_temperature_subject,
    ...percent,
    threshold: { ...percent.threshold, min: -40 },
    unit: '°C',
  },
  { name: 'Bandwidth', label: words.alert_bandwidth, subject: words.alert_bandwidth_subject, ...traffic },
  {
    name: 'ContainerHealth',
    label: words.alert_container_health,
    ...condition,
    sentence: (minutes) => (minutes === 1 ? words.alert_when_container_unhealthy_now() : words.alert_when_container_unhealthy({ minutes })),
  },
  {
    name: 'ContainerStopped',
    label: words.alert_container_stopped,
    ...condition,
    sentence: (minutes) => words.alert_when_containers_stopped({ minutes }),
  },
  {
    name: 'SystemdFailed',
    label: words.alert_services_failed,
    ...condition,
    isAtOnce: true,
    sentence: () => words.alert_when_services_failed(),
  },
  { name: 'LoadAvg1', chart: 'load', label: words.alert_load1, subject: words.alert_load1_subject, ...load },
  { name: 'LoadAvg5', chart: 'load', label: words.alert_load5, subject: words.alert_load5_subject, ...load },
  { name: 'LoadAvg15', chart: 'load', label: words.alert_load15, subject: words.alert_load15_subject, ...load },
  { name: 'GPU', chart: 'gpu', label: words.alert_gpu, subject: words.alert_gpu_subject, ...percent },
  {
    name: 'Battery',
    chart: 'battery',
    label: words.chart_battery,
    subject: words.alert_battery_subject,
    unit: '%',
    direction: 'below',
    threshold: { standard: 20, min: 1, max: 99, step: 1 },
  },
  { name: 'CPUIOWait', chart: 'processor', label: words.alert_iowait, subject: words.alert_iowait_subject, ...share },
  { name: 'CPUSteal', chart: 'processor', label: words.alert_steal, subject: words.alert_steal_subject, ...share },
  { name: 'DiskForecast', chart: 'space', label: words.alert_disk_forecast, subject: words.alert_disk_forecast_subject, ...forecast },
  {
    name: 'MemoryForecast',
    chart: 'memory',
    label: words.alert_memory_forecast,
    subject: words.alert_memory_forecast_subject,
    ...forecast,
  },
  { name: 'DiskRate', chart: 'space', label: words.alert_disk_rate, subject: words.alert_disk_rate_subject, ...rate },
  {
    name: 'MemoryRate',
    chart: 'memory',
    label: words.alert_memory_rate,
    subject: words.alert_memory_rate_subject,
    ...rate,
    threshold: { ...rate.threshold, standard: 20 },
  },
  {
    name: 'Container',
    part: 'container',
    label: words.alert_container,
    ...condition,
    sentence: (minutes) => words.alert_when_container({ minutes }),
  },
  {
    name: 'ContainerCPU',
    chart: 'engine',
    part: 'container',
    label: words.alert_container_cpu,
    subject: words.alert_container_cpu_subject,
    ...percent,
  },
  {
    name: 'ContainerMemory',
    chart: 'engine',
    part: 'container',
    label: words.alert_container_memory,
    subject: words.alert_container_memory_subject,
    unit: 'MB',
    direction: 'above',
    threshold: { standard: 1024, min: 16, max: 16_384, step: 16 },
  },
  {
    name: 'Service',
    part: 'service',
    label: words.alert_service,
    ...condition,
    isAtOnce: true,
    sentence: () => words.alert_when_service(),
  },
  {
    name: 'Filesystem',
    chart: 'space',
    part: 'filesystem',
    label: words.alert_filesystem,
    subject: words.alert_filesystem_subject,
    ...percent,
  },
  { name: 'Interface', part: 'interface', label: words.alert_interface, subject: words.alert_interface_subject, ...traffic },
]

const byName = new Map(alertKinds.map((kind) => [kind.name, kind]))

/** Returns the kind of alert with this API name; `undefined` for a name that this dashboard does not know. */
export const alertKind = (name: string): AlertKind | undefined => byName.get(name)

/**
 * Returns the translated label of an alert kind, given by its API name such as `CPU`: "CPU usage". `target` (a part such as a container)
 * follows in parentheses. For a kind that only a newer hub knows, it is the API name.
 */
export const alertLabel = (name: string, target?: string): string =>
  (alertKind(name)?.label() ?? name) + (target === undefined ? '' : ` (${target})`)
