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

/** Host-wide series of one sample. Static facts, services and texts are no series. */
export function systemSeries(sample: Sample): SeriesValues {
  const { cpu, memory, swap, load, rootDisk, network, battery } = sample
  return Object.fromEntries([
    ...numbers('cpu', cpu && { busyPercent: cpu.busyPercent, ...cpu.shares }),
    ...(cpu?.coreBusyPercent ?? []).map((percent, core): [string, number] => [`cpu.core.${core}.busyPercent`, percent]),
    ...numbers('memory', memory),
    ...numbers('swap', swap),
    ...numbers('load', load),
    ...diskSeries('disk', rootDisk),
    ...named(sample.extraDisks).flatMap(([name, disk]) => diskSeries(`filesystem.${name}`, disk)),
    ...numbers('network', network),
    ...named(network?.interfaces).flatMap(([name, one]) => numbers(`network.${name}`, one)),
    ...named(sample.temperatures).map(([name, celsius]): [string, number] => [`temperature.${name}.celsius`, celsius]),
    ...named(sample.fans).map(([name, rpm]): [string, number] => [`fan.${name}.rpm`, rpm]),
    ...named(sample.pressure).flatMap(([resource, pressure]) => numbers(`pressure.${resource}`, pressure)),
    ...numbers('battery', battery && { chargePercent: battery.percent }),
    ...named(sample.batteries).map(([name, percent]): [string, number] => [`battery.${name}.chargePercent`, percent]),
    ...named(sample.gpus).flatMap(([id, gpu]) => gpuSeries(id, gpu)),
  ])
}

/** Series of all containers of one sample, keyed by container name. */
export function containerSeries(containers: readonly ContainerSample[]): SeriesValues {
  return Object.fromEntries(
    containers.flatMap(({ name, cpuPercent, memoryBytes, ...of }) => numbers(name, { cpuPercent, memoryBytes, ...containerRates(of) })),
  )
}

const containerRates = (of: Partial<ContainerSample>) => ({
  sentBytesPerSecond: of.sentBytesPerSecond,
  receivedBytesPerSecond: of.receivedBytesPerSecond,
  diskReadBytesPerSecond: of.diskReadBytesPerSecond,
  diskWrittenBytesPerSecond: of.diskWrittenBytesPerSecond,
})

/** `web-1.cpuPercent` → `['web-1', 'cpuPercent']`: names may hold dots, the last part never does. */
export function splitKey(key: SeriesKey): readonly [name: string, field: string] {
  const dot = key.lastIndexOf('.')
  return [key.slice(0, dot), key.slice(dot + 1)]
}

const diskSeries = (prefix: string, disk: DiskSample | undefined) => [...numbers(prefix, disk), ...numbers(prefix, disk?.activity)]

const gpuSeries = (id: string, { enginePercent, ...gpu }: GpuSample) => [
  ...numbers(`gpu.${id}`, gpu),
  ...named(enginePercent).map(([engine, percent]): [string, number] => [`gpu.${id}.engine.${engine}.usagePercent`, percent]),
]

const named = <T>(record: Readonly<Record<string, T>> | undefined): [string, T][] => Object.entries(record ?? {})

/** The numeric fields of one family under its prefix; nested families and texts have their own lines above. */
function numbers(prefix: string, family: object | undefined): [string, number][] {
  return Object.entries(family ?? {}).flatMap(([field, value]): [string, number][] =>
    typeof value === 'number' ? [[`${prefix}.${field}`, value]] : [],
  )
}
