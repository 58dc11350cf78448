import type { ContainerSample, Sample } from '@vedette/protocol/metrics/sample'
import { splitKey, type StoredKind } from '@vedette/protocol/metrics/series'
import { MEBIBYTE } from '@vedette/protocol/wire/units'
import { containerIdentity } from '../../history/model/container-identity.ts'
import { identified } from './identified-containers.ts'

/** One moment of what an alert compares, by target: disk, sensor, GPU; `''` where there is but one. Empty: not known. */
export type Reading = ReadonlyMap<string, number>

/** An alert that compares a measured value with a threshold. */
export type LevelKind = {
  readonly name: string
  /** About the one target that the alert names, not about whichever is most extreme. */
  readonly isOfOne?: true
  readonly unit: '%' | '°C' | 'MB' | 'MB/s' | ''
  /** Beyond the threshold is above it, or below. */
  readonly direction: 'above' | 'below'
  /** What makes sense as a threshold, and what to begin with. */
  readonly threshold: { readonly standard: number; readonly min: number; readonly max: number; readonly step: number }
  /** What the agent has just measured. */
  readonly read: (sample: Sample) => Reading
  /** Which series it is stored in; those of the system unless it is said. */
  readonly stored?: StoredKind
  /** The same from stored series: the target a series belongs to. */
  readonly targetOf: (series: string) => string | undefined
  /** So many series of one target are added up, 1 unless it is said; with one of them missing nothing is known. */
  readonly parts?: number
  /** What a series' value is multiplied by. */
  readonly scale: number
}

const single = (value: number | undefined): Reading => new Map(value === undefined ? [] : [['', value]])
const series =
  (...keys: readonly string[]) =>
  (key: string): string | undefined =>
    keys.includes(key) ? '' : undefined

const percent = { unit: '%', direction: 'above', scale: 1, threshold: { standard: 80, min: 1, max: 99, step: 1 } } as const
const load = { unit: '', direction: 'above', scale: 1, threshold: { standard: 10, min: 0.1, max: 100, step: 0.1 } } as const

/** The root disk's target: what people call it. */
const ROOT_DISK = 'root'
const FILESYSTEM = /^filesystem\.(.*)\.usedPercent$/s
const SENSOR = /^temperature\.(.*)\.celsius$/s
/** Not of its engines, which have a busy share each. */
const GPU = /^gpu\.((?:(?!\.engine\.).)+)\.usagePercent$/s

const share = { ...percent, threshold: { ...percent.threshold, standard: 20 } } as const
const traffic = {
  unit: 'MB/s',
  direction: 'above',
  scale: 1 / MEBIBYTE,
  threshold: { standard: 80, min: 1, max: 250, step: 1 },
  parts: 2,
} as const
const INTERFACE = /^network\.(.+)\.(?:sent|received)BytesPerSecond$/s

/** Every alert with a threshold; a new one is one more line. Names and ranges are those of the clients where they have them. */
export const levelKinds: readonly LevelKind[] = [
  { name: 'CPU', ...percent, read: ({ cpu }) => single(cpu?.busyPercent), targetOf: series('cpu.busyPercent') },
  { name: 'Memory', ...percent, read: ({ memory }) => single(memory?.usedPercent), targetOf: series('memory.usedPercent') },
  { name: 'CPUIOWait', ...share, read: ({ cpu }) => single(cpu?.shares?.iowaitPercent), targetOf: series('cpu.iowaitPercent') },
  { name: 'CPUSteal', ...share, read: ({ cpu }) => single(cpu?.shares?.stealPercent), targetOf: series('cpu.stealPercent') },
  { name: 'Disk', ...percent, read: readDisks, targetOf: diskOf },
  { name: 'Filesystem', isOfOne: true, ...percent, read: readDisks, targetOf: diskOf },
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
    read: ({ containers = [] }) => defined(identified(containers).map(({ identity, container: { cpuPercent } }) => [identity, cpuPercent])),
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
        identified(containers).map(({ identity, container: { memoryBytes: bytes } }) => [
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
    // Cold rooms and freezers are watched, too.
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

/** MB/s, both ways together. */
function trafficOf({ sentBytesPerSecond: sent, receivedBytesPerSecond: received }: Traffic = {}): number | undefined {
  return sent === undefined || received === undefined ? undefined : (sent + received) / MEBIBYTE
}

/** The container a stored series of this field belongs to: one that is made anew may get another name. */
function containerWith(field: keyof ContainerSample) {
  return (key: string): string | undefined => {
    const [name, stored] = splitKey(key)
    return stored === field ? containerIdentity(name) : undefined
  }
}

const byName = new Map(levelKinds.map((kind) => [kind.name, kind]))

/** Undefined for an alert without a threshold, and for one that this hub does not know. */
export function levelKind(name: string): LevelKind | undefined {
  return byName.get(name)
}

export const storedOf = ({ stored = 'system' }: LevelKind): StoredKind => stored

/** Where an operator chose the sensor that stands for the machine, it alone counts: the others may be known to lie. */
function readTemperatures({ temperatures = {}, dashboardCelsius }: Sample): Reading {
  const sensors = new Map(Object.entries(temperatures))
  if (dashboardCelsius === undefined || dashboardCelsius >= Math.max(...sensors.values())) return sensors
  const [chosen] = [...sensors].find(([, celsius]) => celsius === dashboardCelsius) ?? ['']
  return new Map([[chosen, dashboardCelsius]])
}

function defined(entries: readonly (readonly [string, number | undefined])[]): Reading {
  return new Map(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])))
}
