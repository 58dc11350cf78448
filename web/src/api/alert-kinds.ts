import * as words from '../words/messages.js'

/** An alert as people set it. */
export type AlertKind = {
  /** As hubs call it. */
  readonly name: string
  readonly label: () => string
  /** What is compared, in the middle of a sentence. */
  readonly subject: () => string
  readonly unit: '%' | '°C' | 'MB/s' | ''
  readonly direction: 'above' | 'below'
  /** Undefined for the alert without one. */
  readonly threshold: { readonly standard: number; readonly min: number; readonly max: number; readonly step: number } | undefined
}

export const STANDARD_MINUTES = 10
export const MOST_MINUTES = 60

const percent = { unit: '%', direction: 'above', threshold: { standard: 80, min: 1, max: 99, step: 1 } } as const
const load = { unit: '', direction: 'above', threshold: { standard: 10, min: 0.1, max: 100, step: 0.1 } } as const

/** In the order they are shown; most people set the first ones. */
export const alertKinds: readonly AlertKind[] = [
  { name: 'Status', label: words.alert_status, subject: words.alert_status, unit: '', direction: 'above', threshold: undefined },
  { name: 'CPU', label: words.column_cpu, subject: words.alert_cpu_subject, ...percent },
  { name: 'Memory', label: words.column_memory, subject: words.alert_memory_subject, ...percent },
  { name: 'Disk', label: words.column_disk, subject: words.alert_disk_subject, ...percent },
  { name: 'Temperature', label: words.column_temperature, subject: words.alert_temperature_subject, ...percent, unit: '°C' },
  {
    name: 'Bandwidth',
    label: words.alert_bandwidth,
    subject: words.alert_bandwidth_subject,
    unit: 'MB/s',
    direction: 'above',
    threshold: { standard: 80, min: 1, max: 250, step: 1 },
  },
  { name: 'LoadAvg1', label: words.alert_load1, subject: words.alert_load1_subject, ...load },
  { name: 'LoadAvg5', label: words.alert_load5, subject: words.alert_load5_subject, ...load },
  { name: 'LoadAvg15', label: words.alert_load15, subject: words.alert_load15_subject, ...load },
  { name: 'GPU', label: words.alert_gpu, subject: words.alert_gpu_subject, ...percent },
  {
    name: 'Battery',
    label: words.chart_battery,
    subject: words.alert_battery_subject,
    unit: '%',
    direction: 'below',
    threshold: { standard: 20, min: 1, max: 99, step: 1 },
  },
]

const byName = new Map(alertKinds.map((kind) => [kind.name, kind]))

/** Undefined for what this dashboard does not know. */
export const alertKind = (name: string): AlertKind | undefined => byName.get(name)

/** What an alert is called; one of a newer hub by its own name. */
export const alertLabel = (name: string, target?: string): string =>
  (alertKind(name)?.label() ?? name) + (target === undefined ? '' : ` (${target})`)
