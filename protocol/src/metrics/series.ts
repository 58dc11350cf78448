import type { DiskHealth } from './disk-health.ts'
import { driveWearPercent } from './drive-wear.ts'
import type { ContainerSample, DiskSample, GpuSample, Sample } from './sample.ts'

/**
 * Text that identifies a series (one number over time) of a system, such as `cpu.busyPercent` or `temperature.coretemp.celsius`. Before the
 * last dot is the measured thing, after it the field, whose name ends in the unit.
 */
export type SeriesKey = string

/** Values of many series at one moment, as an object from series key to number. Unknown values have no key. */
export type SeriesValues = Readonly<Record<SeriesKey, number>>

/**
 * Kind of series that are stored and read together: `system` for those of the whole machine, or `containers` for those of its containers.
 */
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

/**
 * Values of many series at one moment, as three lists of equal length: `things` (such as `network.eth0`), `fields` (such as
 * `sentBytesPerSecond`) and `values`. Thing, dot and field form the series key. If a series occurs twice, the later value counts.
 */
export type SeriesPoints = { readonly things: readonly string[]; readonly fields: readonly string[]; readonly values: readonly number[] }

type Points = { readonly things: string[]; readonly fields: string[]; readonly values: number[] }

/**
 * Returns the values of all machine-wide series of one sample, as three parallel lists: thing such as `cpu`, field such as `busyPercent`,
 * and number. Static facts, containers, services and texts have none.
 */
export function systemPoints(sample: Sample): SeriesPoints {
  const { cpu, network } = sample
  const points = noPoints()
  addOne(points, 'cpu', 'busyPercent', cpu?.busyPercent)
  add(points, 'cpu', cpu?.shares)
  if (cpu?.coreBusyPercent !== undefined)
    for (const [core, percent] of cpu.coreBusyPercent.entries()) addOne(points, `cpu.core.${core}`, 'busyPercent', percent)
  add(points, 'memory', sample.memory)
  add(points, 'swap', sample.swap)
  add(points, 'load', sample.load)
  addDisk(points, 'disk', sample.rootDisk)
  for (const [name, disk] of named(sample.extraDisks)) addDisk(points, `filesystem.${name}`, disk)
  add(points, 'network', network)
  for (const [name, one] of named(network?.interfaces)) add(points, `network.${name}`, one)
  addSensors(points, sample)
  return points
}

/**
 * Returns the values of all series of a sample's containers, as three parallel lists: thing (the container's name), field such as
 * `cpuPercent`, and number.
 */
export function containerPoints(containers: readonly ContainerSample[]): SeriesPoints {
  const points = noPoints()
  for (const container of containers) {
    for (const field of containerFields) addOne(points, container.name, field, container[field])
  }
  return points
}

/**
 * Returns the values of the drives' series as three parallel lists (thing, field, number): wear (`drive.ID.wearPercent`) and temperature
 * (`drive.ID.celsius`). A drive that was not read now, such as a sleeping one, is left out.
 */
export function drivePoints(drives: readonly DiskHealth[]): SeriesPoints {
  const points = noPoints()
  for (const drive of drives) {
    if (drive.ageMs !== undefined) continue
    const { id, celsius } = drive
    // Other agents send 0 for an unknown temperature.
    addOne(points, `drive.${id}`, 'celsius', celsius !== undefined && celsius > 0 ? celsius : undefined)
    addOne(points, `drive.${id}`, 'wearPercent', driveWearPercent(drive))
  }
  return points
}

const containerFields = [
  'cpuPercent',
  'memoryBytes',
  'sentBytesPerSecond',
  'receivedBytesPerSecond',
  'diskReadBytesPerSecond',
  'diskWrittenBytesPerSecond',
] as const satisfies readonly (keyof ContainerSample)[]

/**
 * Converts series values from three parallel lists (thing, field, number) to an object from series key, such as `cpu.busyPercent`, to
 * number. If a series occurs twice, the later value counts.
 */
export function valuesOf({ things, fields, values }: SeriesPoints): SeriesValues {
  const byKey: { [key: SeriesKey]: number } = {}
  for (const [at, value] of values.entries()) byKey[keyOf(things[at] ?? '', fields[at] ?? '')] = value
  return byKey
}

/** Converts series values from an object by series key, such as `cpu.busyPercent`, to three parallel lists: thing, field, number. */
export function pointsOf(values: SeriesValues): SeriesPoints {
  const points = noPoints()
  for (const [key, value] of Object.entries(values)) addOne(points, ...splitKey(key), value)
  return points
}

export const systemSeries = (sample: Sample): SeriesValues => valuesOf(systemPoints(sample))
export const containerSeries = (containers: readonly ContainerSample[]): SeriesValues => valuesOf(containerPoints(containers))

export const keyOf = (thing: string, field: string): `${string}.${string}` => `${thing}.${field}`

/** Splits a series key at its last dot: `web-1.cpuPercent` → `['web-1', 'cpuPercent']`. Names may contain dots, fields never do. */
export function splitKey(key: SeriesKey): readonly [name: string, field: string] {
  const dot = key.lastIndexOf('.')
  return [key.slice(0, dot), key.slice(dot + 1)]
}

const noPoints = (): Points => ({ things: [], fields: [], values: [] })

function addOne({ things, fields, values }: Points, thing: string, field: string, value: number | undefined): void {
  if (value === undefined) return
  things.push(thing)
  fields.push(field)
  values.push(value)
}

/**
 * Appends to `points` one point for each field of the object `family` that is a number, such as all fields of a sample's `cpu`. `thing` is
 * the name of the measured thing; other fields are ignored.
 */
function add(points: Points, thing: string, family: object | undefined): void {
  for (const [field, value] of Object.entries(family ?? {}) as [string, unknown][]) {
    if (typeof value === 'number') addOne(points, thing, field, value)
  }
}

function addDisk(points: Points, thing: string, disk: DiskSample | undefined): void {
  add(points, thing, disk)
  add(points, thing, disk?.activity)
}

function addSensors(points: Points, sample: Sample): void {
  for (const [name, celsius] of named(sample.temperatures)) addOne(points, `temperature.${name}`, 'celsius', celsius)
  for (const [name, rpm] of named(sample.fans)) addOne(points, `fan.${name}`, 'rpm', rpm)
  for (const [resource, pressure] of named(sample.pressure)) add(points, `pressure.${resource}`, pressure)
  addOne(points, 'battery', 'chargePercent', sample.battery?.percent)
  for (const [name, percent] of named(sample.batteries)) addOne(points, `battery.${name}`, 'chargePercent', percent)
  for (const [id, gpu] of named(sample.gpus)) addGpu(points, id, gpu)
}

function addGpu(points: Points, id: string, gpu: GpuSample): void {
  add(points, `gpu.${id}`, gpu)
  for (const [engine, percent] of named(gpu.enginePercent)) addOne(points, `gpu.${id}.engine.${engine}`, 'usagePercent', percent)
}

const named = <T>(record: { readonly [name: string]: T } | undefined): [string, T][] => (record === undefined ? [] : Object.entries(record))
