import type { ContainerSample, Sample } from '@vedette/protocol/metrics/sample'
import { splitKey, type StoredKind } from '@vedette/protocol/metrics/series'
import { MEBIBYTE } from '@vedette/protocol/wire/units'
import { containerIdentity } from '../../history/model/container-identity.ts'
import { conditionKinds, type ConditionKind } from './condition-kinds.ts'
import { identifiedContainers } from './identified-containers.ts'

/**
 * Values that one alert kind reads from one sample: a map from target to a number in the kind's unit. A target is a disk, sensor or GPU;
 * `''` if the kind has only one. Empty if no value is known.
 */
export type Reading = ReadonlyMap<string, number>

/**
 * Definition of an alert kind that compares a value with a threshold, such as CPU usage: unit, threshold range and how to read the value.
 */
export type LevelKind = {
  readonly name: string
  /** True when each alert of this kind watches one named target, such as a disk. Otherwise the most extreme value of all targets counts. */
  readonly isOfOne?: true
  /**
   * Kind of trend that the hub computes from stored history, not from single samples. `forecast`: hours until the percentage reaches 100.
   * `rate`: its change in an hour. Absent if the alert compares measured values.
   */
  readonly trend?: 'forecast' | 'rate'
  readonly unit: '%' | '°C' | 'MB' | 'MB/s' | 'h' | '%/h' | ''
  /** Side of the threshold on which an alert of this kind fires: `above` it, or `below` it (for a battery). */
  readonly direction: 'above' | 'below'
  /** Values for the threshold setting, in the unit of the alert kind: default (`standard`), minimum, maximum and step of the slider. */
  readonly threshold: { readonly standard: number; readonly min: number; readonly max: number; readonly step: number }
  /** Function that reads the values of this alert kind from a new sample, as a map from target (such as a disk) to number. */
  readonly read: (sample: Sample) => Reading
  /** Kind of history series that has the values of this alert kind: `system` (default) or `containers`. */
  readonly stored?: StoredKind
  /**
   * Returns the target (such as `root`) to which a history series key (such as `disk.usedPercent`) belongs. `undefined` if the series has
   * no value of this alert kind.
   */
  readonly targetOf: (series: string) => string | undefined
  /**
   * Number of history series that are added up to one value, such as 2 for sent plus received traffic; default 1. If one is missing, the
   * value is unknown.
   */
  readonly parts?: number
  /** Number by which a value of the history series is multiplied to get the unit of this alert kind. */
  readonly scale: number
}

const single = (value: number | undefined): Reading => new Map(value === undefined ? [] : [['', value]])
const series =
  (...keys: readonly string[]) =>
  (key: string): string | undefined =>
    keys.includes(key) ? '' : undefined

const percent = { unit: '%', direction: 'above', scale: 1, threshold: { standard: 80, min: 1, max: 99, step: 1 } } as const
const load = { unit: '', direction: 'above', scale: 1, threshold: { standard: 10, min: 0.1, max: 100, step: 0.1 } } as const

/** Target of alert rules on the disk with the root file system: `root`. */
const ROOT_DISK = 'root'
const FILESYSTEM = /^filesystem\.(.*)\.usedPercent$/s
const SENSOR = /^temperature\.(.*)\.celsius$/s
/**
 * Regular expression that matches history series keys of a GPU's overall usage; group 1 is the GPU. Keys of single GPU engines do not
 * match.
 */
const GPU = /^gpu\.((?:(?!\.engine\.).)+)\.usagePercent$/s

const share = { ...percent, threshold: { ...percent.threshold, standard: 20 } } as const
const traffic = {
  unit: 'MB/s',
  direction: 'above',
  scale: 1 / MEBIBYTE,
  threshold: { standard: 80, min: 1, max: 250, step: 1 },
  parts: 2,
} as const
const fill = {
  trend: 'forecast',
  unit: 'h',
  direction: 'below',
  scale: 1,
  threshold: { standard: 48, min: 1, max: 720, step: 1 },
  read: () => new Map(),
} as const
const rate = {
  trend: 'rate',
  unit: '%/h',
  direction: 'above',
  scale: 1,
  threshold: { standard: 5, min: 0.5, max: 100, step: 0.5 },
  read: () => new Map(),
} as const
const INTERFACE = /^network\.(.+)\.(?:sent|received)BytesPerSecond$/s

/**
 * List of the definitions of all alert kinds with a threshold, such as `CPU`. Existing API clients rely on their names and threshold
 * ranges.
 */
export const levelKinds: readonly LevelKind[] = [
  { name: 'CPU', ...percent, read: ({ cpu }) => single(cpu?.busyPercent), targetOf: series('cpu.busyPercent') },
  { name: 'Memory', ...percent, read: ({ memory }) => single(memory?.usedPercent), targetOf: series('memory.usedPercent') },
  { name: 'CPUIOWait', ...share, read: ({ cpu }) => single(cpu?.shares?.iowaitPercent), targetOf: series('cpu.iowaitPercent') },
  { name: 'CPUSteal', ...share, read: ({ cpu }) => single(cpu?.shares?.stealPercent), targetOf: series('cpu.stealPercent') },
  { name: 'Disk', ...percent, read: readDisks, targetOf: diskOf },
  { name: 'Filesystem', isOfOne: true, ...percent, read: readDisks, targetOf: diskOf },
  { name: 'DiskForecast', ...fill, targetOf: diskOf },
  { name: 'MemoryForecast', ...fill, targetOf: series('memory.usedPercent') },
  { name: 'DiskRate', ...rate, targetOf: diskOf },
  { name: 'MemoryRate', ...rate, threshold: { ...rate.threshold, standard: 20 }, targetOf: series('memory.usedPercent') },
  {
    name: 'Bandwidth',
    ...traffic,
    read: ({ network }) => single(trafficOf(network)),
    targetOf: series('network.sentBytesPerSecond', 'network.receivedBytesPerSecond'),
  },
  {
    name: 'Interface',
    isOfOne: true,
    ...traffic,
    read: ({ network }) => defined(Object.entries(network?.interfaces ?? {}).map(([name, one]) => [name, trafficOf(one)])),
    targetOf: (key) => INTERFACE.exec(key)?.[1],
  },
  {
    name: 'ContainerCPU',
    isOfOne: true,
    ...percent,
    stored: 'containers',
    read: ({ containers = [] }) =>
      defined(identifiedContainers(containers).map(({ identity, container: { cpuPercent } }) => [identity, cpuPercent])),
    targetOf: containerWith('cpuPercent'),
  },
  {
    name: 'ContainerMemory',
    isOfOne: true,
    unit: 'MB',
    direction: 'above',
    threshold: { standard: 1024, min: 16, max: 16_384, step: 16 },
    stored: 'containers',
    read: ({ containers = [] }) =>
      defined(
        identifiedContainers(containers).map(({ identity, container: { memoryBytes: bytes } }) => [
          identity,
          bytes === undefined ? undefined : bytes / MEBIBYTE,
        ]),
      ),
    targetOf: containerWith('memoryBytes'),
    scale: 1 / MEBIBYTE,
  },
  {
    name: 'GPU',
    ...percent,
    read: ({ gpus }) => defined(Object.entries(gpus ?? {}).map(([id, { usagePercent }]) => [id, usagePercent])),
    targetOf: (key) => GPU.exec(key)?.[1],
  },
  {
    name: 'Temperature',
    unit: '°C',
    direction: 'above',
    // Some people monitor cold rooms and freezers.
    threshold: { ...percent.threshold, min: -40 },
    read: readTemperatures,
    targetOf: (key) => SENSOR.exec(key)?.[1],
    scale: 1,
  },
  { name: 'LoadAvg1', ...load, read: ({ load: of }) => single(of?.oneMinute), targetOf: series('load.oneMinute') },
  { name: 'LoadAvg5', ...load, read: ({ load: of }) => single(of?.fiveMinutes), targetOf: series('load.fiveMinutes') },
  { name: 'LoadAvg15', ...load, read: ({ load: of }) => single(of?.fifteenMinutes), targetOf: series('load.fifteenMinutes') },
  {
    name: 'Battery',
    unit: '%',
    direction: 'below',
    threshold: { ...percent.threshold, standard: 20 },
    read: ({ battery }) => single(battery?.percent),
    targetOf: series('battery.chargePercent'),
    scale: 1,
  },
]

function readDisks({ rootDisk, extraDisks }: Sample): Reading {
  const extra = Object.entries(extraDisks ?? {}).map(([name, { usedPercent }]) => [name, usedPercent] as const)
  return defined([[ROOT_DISK, rootDisk?.usedPercent], ...extra])
}

function diskOf(key: string): string | undefined {
  return key === 'disk.usedPercent' ? ROOT_DISK : FILESYSTEM.exec(key)?.[1]
}

type Traffic = { readonly sentBytesPerSecond?: number; readonly receivedBytesPerSecond?: number }

/** Returns a sample's sent plus received network traffic in MB/s (1 MB = 1,048,576 bytes). `undefined` if one of the two is unknown. */
function trafficOf({ sentBytesPerSecond: sent, receivedBytesPerSecond: received }: Traffic = {}): number | undefined {
  return sent === undefined || received === undefined ? undefined : (sent + received) / MEBIBYTE
}

/**
 * Creates a function that parses a history series key and returns the container's identity (name that survives recreation). It returns
 * `undefined` for keys of other fields than `field`, such as `cpu`.
 */
function containerWith(field: keyof ContainerSample) {
  return (key: string): string | undefined => {
    const [name, stored] = splitKey(key)
    return stored === field ? containerIdentity(name) : undefined
  }
}

const levelsByName = new Map(levelKinds.map((kind) => [kind.name, kind]))
const conditionsByName = new Map(conditionKinds.map((kind) => [kind.name, kind]))

/** Returns the threshold alert kind with this name. `undefined` for alerts without a threshold and for unknown names. */
export function levelKind(name: string): LevelKind | undefined {
  return levelsByName.get(name)
}

/**
 * Returns the threshold alert kind with this name if single samples have its values. `undefined` for forecasts and rates, alerts without a
 * threshold, and unknown names.
 */
export function sampledKind(name: string): LevelKind | undefined {
  const kind = levelsByName.get(name)
  return kind?.trend === undefined ? kind : undefined
}

/**
 * Returns the alert kind with this name that checks containers or services, such as `ContainerHealth`. `undefined` for threshold alerts,
 * `Status` and unknown names.
 */
export function conditionKind(name: string): ConditionKind | undefined {
  return conditionsByName.get(name)
}

export const storedOf = ({ stored = 'system' }: LevelKind): StoredKind => stored

/**
 * Returns a map from sensor name to temperature in °C. If the operator chose a sensor other than the hottest for the dashboard, the map has
 * only that one.
 */
function readTemperatures({ temperatures = {}, dashboardCelsius }: Sample): Reading {
  const sensors = new Map(Object.entries(temperatures))
  if (dashboardCelsius === undefined || dashboardCelsius >= Math.max(...sensors.values())) return sensors
  const [chosen] = [...sensors].find(([, celsius]) => celsius === dashboardCelsius) ?? ['']
  return new Map([[chosen, dashboardCelsius]])
}

function defined(entries: readonly (readonly [string, number | undefined])[]): Reading {
  return new Map(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])))
}
