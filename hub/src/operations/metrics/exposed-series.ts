import { splitKey, type SeriesKey } from '@vedette/protocol/metrics/series'
import type { SampleLabel } from './exposition.ts'
import type { FamilyName } from './families.ts'

/**
 * Prometheus metric under which one series of the history is exposed. It has the metric family and labels in addition to those of the
 * system. Values are multiplied by `factor`, such as 0.01 for percent to ratio.
 */
export type ExposedSeries = { readonly family: FamilyName; readonly labels: readonly SampleLabel[]; readonly factor: number }

type Fields = ReadonlyMap<string, readonly [family: FamilyName, factor: number, ...labels: SampleLabel[]]>

const PERCENT = 0.01
const MILLISECONDS = 0.001
const MEBIBYTES = 1_048_576

const fieldsOf = (entries: Readonly<Record<string, readonly [FamilyName, number, ...SampleLabel[]]>>): Fields =>
  new Map(Object.entries(entries))

const mode = (name: string): readonly [FamilyName, number, SampleLabel] => ['vedette_system_cpu_mode_ratio', PERCENT, ['mode', name]]

/**
 * Map from a part of a system that exists once, such as `cpu`, to its metrics. `cpu` is the first part of series keys such as
 * `cpu.busyPercent`. The value maps the series field to metric family, factor and labels.
 */
const singleThings: ReadonlyMap<string, Fields> = new Map([
  [
    'cpu',
    fieldsOf({
      busyPercent: ['vedette_system_cpu_ratio', PERCENT],
      userPercent: mode('user'),
      systemPercent: mode('system'),
      iowaitPercent: mode('iowait'),
      stealPercent: mode('steal'),
      idlePercent: mode('idle'),
    }),
  ],
  [
    'load',
    fieldsOf({
      oneMinute: ['vedette_system_load1', 1],
      fiveMinutes: ['vedette_system_load5', 1],
      fifteenMinutes: ['vedette_system_load15', 1],
    }),
  ],
  [
    'memory',
    fieldsOf({
      totalBytes: ['vedette_system_memory_size_bytes', 1],
      usedBytes: ['vedette_system_memory_used_bytes', 1],
      cacheBytes: ['vedette_system_memory_cache_bytes', 1],
      zfsArcBytes: ['vedette_system_memory_zfs_arc_bytes', 1],
    }),
  ],
  ['swap', fieldsOf({ totalBytes: ['vedette_system_swap_size_bytes', 1], usedBytes: ['vedette_system_swap_used_bytes', 1] })],
  [
    'network',
    fieldsOf({
      sentBytesPerSecond: ['vedette_system_network_sent_bytes_per_second', 1],
      receivedBytesPerSecond: ['vedette_system_network_received_bytes_per_second', 1],
    }),
  ],
])

const filesystem = fieldsOf({
  totalBytes: ['vedette_system_filesystem_size_bytes', 1],
  usedBytes: ['vedette_system_filesystem_used_bytes', 1],
  usedPercent: ['vedette_system_filesystem_used_ratio', PERCENT],
  inodesTotal: ['vedette_system_filesystem_inodes', 1],
  inodesUsed: ['vedette_system_filesystem_used_inodes', 1],
  readBytesPerSecond: ['vedette_system_disk_read_bytes_per_second', 1],
  writtenBytesPerSecond: ['vedette_system_disk_written_bytes_per_second', 1],
  utilisationPercent: ['vedette_system_disk_busy_ratio', PERCENT],
  readAwaitMs: ['vedette_system_disk_read_await_seconds', MILLISECONDS],
  writeAwaitMs: ['vedette_system_disk_write_await_seconds', MILLISECONDS],
})
const pressure = fieldsOf({
  somePercent: ['vedette_system_pressure_ratio', PERCENT, ['share', 'some']],
  fullPercent: ['vedette_system_pressure_ratio', PERCENT, ['share', 'full']],
})
const battery = fieldsOf({ chargePercent: ['vedette_system_battery_charge_ratio', PERCENT] })

type Kind = { readonly prefix: string; readonly label: string; readonly fields: Fields }

/**
 * List of the kinds of parts that a system may have several times, such as `network`, with their metrics. In the series key
 * `network.eth0.…`, `eth0` becomes the value of the metric's label.
 */
const repeatedThings: readonly Kind[] = [
  { prefix: 'filesystem.', label: 'filesystem', fields: filesystem },
  {
    prefix: 'network.',
    label: 'interface',
    fields: fieldsOf({
      sentBytesTotal: ['vedette_system_interface_sent_bytes', 1],
      receivedBytesTotal: ['vedette_system_interface_received_bytes', 1],
    }),
  },
  { prefix: 'temperature.', label: 'sensor', fields: fieldsOf({ celsius: ['vedette_system_temperature_celsius', 1] }) },
  { prefix: 'fan.', label: 'fan', fields: fieldsOf({ rpm: ['vedette_system_fan_speed_rpm', 1] }) },
  { prefix: 'pressure.', label: 'resource', fields: pressure },
  { prefix: 'battery.', label: 'battery', fields: battery },
  {
    prefix: 'gpu.',
    label: 'gpu',
    fields: fieldsOf({
      usagePercent: ['vedette_system_gpu_usage_ratio', PERCENT],
      memoryTotalMegabytes: ['vedette_system_gpu_memory_size_bytes', MEBIBYTES],
      memoryUsedMegabytes: ['vedette_system_gpu_memory_used_bytes', MEBIBYTES],
      powerWatts: ['vedette_system_gpu_power_watts', 1],
    }),
  },
]

const container = fieldsOf({
  cpuPercent: ['vedette_container_cpu_ratio', PERCENT],
  memoryBytes: ['vedette_container_memory_bytes', 1],
  sentBytesPerSecond: ['vedette_container_network_sent_bytes_per_second', 1],
  receivedBytesPerSecond: ['vedette_container_network_received_bytes_per_second', 1],
  diskReadBytesPerSecond: ['vedette_container_disk_read_bytes_per_second', 1],
  diskWrittenBytesPerSecond: ['vedette_container_disk_written_bytes_per_second', 1],
})

/** Returns metric family, labels and factor for a container's history series. `undefined` for a field that is not exposed. */
export function exposedContainerSeries(key: SeriesKey): ExposedSeries | undefined {
  const [name, field] = splitKey(key)
  return metricOf(container, field, [['container', name]])
}

/**
 * Returns metric family, labels and factor for a system's history series. `undefined` for series that are not exposed, such as single CPU
 * cores, GPU engines, drives, and values that follow from others.
 */
export function exposedSystemSeries(key: SeriesKey): ExposedSeries | undefined {
  const [thing, field] = splitKey(key)
  const once = singleThings.get(thing)
  if (once !== undefined) return metricOf(once, field, [])
  if (thing === 'disk') return metricOf(filesystem, field, [['filesystem', 'root']])
  if (thing === 'battery') return metricOf(battery, field, [['battery', 'system']])
  const kind = repeatedThings.find(({ prefix }) => thing.startsWith(prefix))
  if (kind === undefined || (kind.label === 'gpu' && thing.includes('.engine.'))) return undefined
  return metricOf(kind.fields, field, [[kind.label, thing.slice(kind.prefix.length)]])
}

function metricOf(fields: Fields, field: string, labels: readonly SampleLabel[]): ExposedSeries | undefined {
  const found = fields.get(field)
  if (found === undefined) return undefined
  const [family, factor, ...more] = found
  return { family, factor, labels: [...labels, ...more] }
}

const otherLabels: ReadonlyMap<string, string> = new Map([
  ['vedette_hub', 'version'],
  ['vedette_hub_systems', 'status'],
  ['vedette_system', 'agent_version'],
  ['vedette_system_status', 'status'],
])

/** Returns the names of the labels that a metric family has besides those of the system, for the documentation. */
export function familyLabels(family: string): readonly string[] {
  const kinds: readonly Pick<Kind, 'label' | 'fields'>[] = [
    ...[...singleThings.values()].map((fields) => ({ label: '', fields })),
    ...repeatedThings,
    { label: 'container', fields: container },
  ]
  const found = kinds.flatMap(({ label, fields }) =>
    [...fields.values()].filter(([name]) => name === family).flatMap(([, , ...more]) => [label, ...more.map(([name]) => name)]),
  )
  return [...new Set([...found, otherLabels.get(family) ?? ''])].filter((label) => label !== '')
}
