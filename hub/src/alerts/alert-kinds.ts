import type { Sample } from '@vedette/protocol/metrics/sample'
import { MEBIBYTE } from '@vedette/protocol/wire/units'

/** One moment of what an alert compares, by target: disk, sensor, GPU; `''` where there is but one. Empty: not known. */
export type Reading = ReadonlyMap<string, number>

/** An alert that compares a measured value with a threshold. */
export type LevelKind = {
  readonly name: string
  readonly unit: '%' | '°C' | 'MB/s' | ''
  /** Beyond the threshold is above it, or below. */
  readonly direction: 'above' | 'below'
  /** What makes sense as a threshold, and what to begin with. */
  readonly threshold: { readonly standard: number; readonly min: number; readonly max: number; readonly step: number }
  /** What the agent has just measured. */
  readonly read: (sample: Sample) => Reading
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

/** Every alert with a threshold; a new one is one more line. Names and ranges are those of the clients. */
export const levelKinds: readonly LevelKind[] = [
  { name: 'CPU', ...percent, read: ({ cpu }) => single(cpu?.busyPercent), targetOf: series('cpu.busyPercent') },
  { name: 'Memory', ...percent, read: ({ memory }) => single(memory?.usedPercent), targetOf: series('memory.usedPercent') },
  {
    name: 'Disk',
    ...percent,
    read: ({ rootDisk, extraDisks }) =>
      defined([
        [ROOT_DISK, rootDisk?.usedPercent],
        ...Object.entries(extraDisks ?? {}).map(([name, { usedPercent }]) => [name, usedPercent] as const),
      ]),
    targetOf: (key) => (key === 'disk.usedPercent' ? ROOT_DISK : FILESYSTEM.exec(key)?.[1]),
  },
  {
    name: 'Bandwidth',
    unit: 'MB/s',
    direction: 'above',
    threshold: { standard: 80, min: 1, max: 250, step: 1 },
    read: ({ network }) => {
      const { sentBytesPerSecond: sent, receivedBytesPerSecond: received } = network ?? {}
      return single(sent === undefined || received === undefined ? undefined : (sent + received) / MEBIBYTE)
    },
    targetOf: series('network.sentBytesPerSecond', 'network.receivedBytesPerSecond'),
    parts: 2,
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
    threshold: percent.threshold,
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

const byName = new Map(levelKinds.map((kind) => [kind.name, kind]))

/** Undefined for an alert without a threshold, and for one that this hub does not know. */
export function levelKind(name: string): LevelKind | undefined {
  return byName.get(name)
}

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
