import type { ContainerSample, DiskSample, GpuSample, Sample } from './sample.ts'

/** A series is one number over time. Its key ends in its unit, such as `cpu.busyPercent` or `temperature.coretemp.celsius`. */
export type SeriesKey = string

/** One moment of many series. What is not known has no key. */
export type SeriesValues = Readonly<Record<SeriesKey, number>>

/** What is stored, read and drawn together. */
export type StoredKind = 'system' | 'containers'

export type SeriesUnit =
  | 'percent'
  | 'bytes'
  | 'bytesPerSecond'
  | 'celsius'
  | 'rpm'
  | 'watts'
  | 'megabytes'
  | 'milliseconds'
  | 'load'
  | 'count'
  | 'code'

const unitBySuffix: readonly (readonly [string, SeriesUnit])[] = [
  ['BytesPerSecond', 'bytesPerSecond'],
  ['Percent', 'percent'],
  ['Bytes', 'bytes'],
  ['BytesTotal', 'bytes'],
  ['.celsius', 'celsius'],
  ['.rpm', 'rpm'],
  ['Watts', 'watts'],
  ['Megabytes', 'megabytes'],
  ['AwaitMs', 'milliseconds'],
  ['.state', 'code'],
  ['.inodesTotal', 'count'],
  ['.inodesUsed', 'count'],
]

export function unitOf(key: SeriesKey): SeriesUnit {
  return unitBySuffix.find(([suffix]) => key.endsWith(suffix))?.[1] ?? 'load'
}

type Filling = { [key: SeriesKey]: number }

/** Host-wide series of one sample. Static facts, services and texts are no series. */
export function systemSeries(sample: Sample): SeriesValues {
  const { cpu, network } = sample
  const values: Filling = {}
  if (cpu !== undefined) values['cpu.busyPercent'] = cpu.busyPercent
  add(values, 'cpu', cpu?.shares)
  cpu?.coreBusyPercent?.forEach((percent, core) => (values[`cpu.core.${core}.busyPercent`] = percent))
  add(values, 'memory', sample.memory)
  add(values, 'swap', sample.swap)
  add(values, 'load', sample.load)
  addDisk(values, 'disk', sample.rootDisk)
  for (const [name, disk] of named(sample.extraDisks)) addDisk(values, `filesystem.${name}`, disk)
  add(values, 'network', network)
  for (const [name, one] of named(network?.interfaces)) add(values, `network.${name}`, one)
  addSensors(values, sample)
  return values
}

const containerFields = [
  'cpuPercent',
  'memoryBytes',
  'sentBytesPerSecond',
  'receivedBytesPerSecond',
  'diskReadBytesPerSecond',
  'diskWrittenBytesPerSecond',
] as const satisfies readonly (keyof ContainerSample)[]

/** Series of all containers of one sample, keyed by container name. */
export function containerSeries(containers: readonly ContainerSample[]): SeriesValues {
  const values: Filling = {}
  for (const container of containers) {
    for (const field of containerFields) {
      const value = container[field]
      if (value !== undefined) values[`${container.name}.${field}`] = value
    }
  }
  return values
}

/** `web-1.cpuPercent` → `['web-1', 'cpuPercent']`: names may hold dots, the last part never does. */
export function splitKey(key: SeriesKey): readonly [name: string, field: string] {
  const dot = key.lastIndexOf('.')
  return [key.slice(0, dot), key.slice(dot + 1)]
}

function addDisk(values: Filling, prefix: string, disk: DiskSample | undefined): void {
  add(values, prefix, disk)
  add(values, prefix, disk?.activity)
}

function addSensors(values: Filling, sample: Sample): void {
  const { battery } = sample
  for (const [name, celsius] of named(sample.temperatures)) values[`temperature.${name}.celsius`] = celsius
  for (const [name, rpm] of named(sample.fans)) values[`fan.${name}.rpm`] = rpm
  for (const [resource, pressure] of named(sample.pressure)) add(values, `pressure.${resource}`, pressure)
  if (battery !== undefined) values['battery.chargePercent'] = battery.percent
  for (const [name, percent] of named(sample.batteries)) values[`battery.${name}.chargePercent`] = percent
  for (const [id, gpu] of named(sample.gpus)) addGpu(values, id, gpu)
}

function addGpu(values: Filling, id: string, gpu: GpuSample): void {
  add(values, `gpu.${id}`, gpu)
  for (const [engine, percent] of named(gpu.enginePercent)) values[`gpu.${id}.engine.${engine}.usagePercent`] = percent
}

const named = <T>(record: Readonly<Record<string, T>> | undefined): [string, T][] => (record === undefined ? [] : Object.entries(record))

/** The numeric fields of one family under its prefix; nested families and texts have their own lines above. */
function add(values: Filling, prefix: string, family: object | undefined): void {
  if (family === undefined) return
  for (const [field, value] of Object.entries(family)) if (typeof value === 'number') values[`${prefix}.${field}`] = value
}
