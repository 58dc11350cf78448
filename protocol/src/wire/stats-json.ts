import { splitKey, type SeriesKey, type SeriesValues } from '../metrics/series.ts'
import { GIBIBYTE, MEBIBYTE, round2 } from './units.ts'
import { ownValue, setOwnValue } from '../own-value.ts'

/** JSON value as the hub stores it in records and sends it over its PocketBase-compatible API. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/**
 * Name of the conversion from a series value to the number in the JSON `stats` of a record. `plain` keeps the unit, `gibibytes` and
 * `mebibytes` convert bytes, each rounded to two decimals; `whole` rounds to an integer.
 */
type Scale = 'plain' | 'gibibytes' | 'mebibytes' | 'whole'

/**
 * Path of a series' value in the JSON `stats` of a `system_stats` record, such as `['cpu']`, and its conversion. `peak` is the path of the
 * series' maximum, in records that average several minutes.
 */
type Place = { readonly path: readonly (string | number)[]; readonly scale: Scale; readonly peak?: readonly (string | number)[] }

const place = (scale: Scale, path: Place['path'], peak?: Place['path']): Place =>
  peak === undefined ? { path, scale } : { path, scale, peak }

/**
 * Object from series key to the path of its value in the JSON `stats` of a record, for series without a name in their key. `legacyPlaces`
 * has other paths for some of them, which older clients read.
 */
const fixedPlaces: Readonly<Record<SeriesKey, Place>> = {
  'cpu.busyPercent': place('plain', ['cpu'], ['cpum']),
  'cpu.userPercent': place('plain', ['cpub', 0]),
  'cpu.systemPercent': place('plain', ['cpub', 1]),
  'cpu.iowaitPercent': place('plain', ['cpub', 2]),
  'cpu.stealPercent': place('plain', ['cpub', 3]),
  'cpu.idlePercent': place('plain', ['cpub', 4]),
  'memory.totalBytes': place('gibibytes', ['m']),
  'memory.usedBytes': place('gibibytes', ['mu'], ['mm']),
  'memory.usedPercent': place('plain', ['mp']),
  'memory.cacheBytes': place('gibibytes', ['mb']),
  'memory.zfsArcBytes': place('gibibytes', ['mz']),
  'swap.totalBytes': place('gibibytes', ['s']),
  'swap.usedBytes': place('gibibytes', ['su']),
  'load.oneMinute': place('plain', ['la', 0]),
  'load.fiveMinutes': place('plain', ['la', 1]),
  'load.fifteenMinutes': place('plain', ['la', 2]),
  'disk.totalBytes': place('gibibytes', ['d']),
  'disk.usedBytes': place('gibibytes', ['du']),
  'disk.usedPercent': place('plain', ['dp']),
  'disk.readBytesPerSecond': place('whole', ['dio', 0], ['diom', 0]),
  'disk.writtenBytesPerSecond': place('whole', ['dio', 1], ['diom', 1]),
  'disk.readPercent': place('plain', ['dios', 0], ['diosm', 0]),
  'disk.writePercent': place('plain', ['dios', 1], ['diosm', 1]),
  'disk.utilisationPercent': place('plain', ['dios', 2], ['diosm', 2]),
  'disk.readAwaitMs': place('plain', ['dios', 3], ['diosm', 3]),
  'disk.writeAwaitMs': place('plain', ['dios', 4], ['diosm', 4]),
  'disk.weightedPercent': place('plain', ['dios', 5], ['diosm', 5]),
  'network.sentBytesPerSecond': place('whole', ['b', 0], ['bm', 0]),
  'network.receivedBytesPerSecond': place('whole', ['b', 1], ['bm', 1]),
  'battery.chargePercent': place('whole', ['bat', 0]),
  // These exist only in Vedette; clients ignore unknown keys.
  'disk.inodesTotal': place('whole', ['ino', 0]),
  'disk.inodesUsed': place('whole', ['ino', 1]),
  'pressure.cpu.somePercent': place('plain', ['psi', 'cpu', 0]),
  'pressure.cpu.fullPercent': place('plain', ['psi', 'cpu', 1]),
  'pressure.memory.somePercent': place('plain', ['psi', 'memory', 0]),
  'pressure.memory.fullPercent': place('plain', ['psi', 'memory', 1]),
  'pressure.io.somePercent': place('plain', ['psi', 'io', 0]),
  'pressure.io.fullPercent': place('plain', ['psi', 'io', 1]),
}

const legacyPlaces: Readonly<Record<SeriesKey, Place>> = {
  'disk.readBytesPerSecond': place('mebibytes', ['dr'], ['drm']),
  'disk.writtenBytesPerSecond': place('mebibytes', ['dw'], ['dwm']),
  'network.sentBytesPerSecond': place('mebibytes', ['ns'], ['nsm']),
  'network.receivedBytesPerSecond': place('mebibytes', ['nr'], ['nrm']),
}

type NamedPlace = {
  readonly prefix: string
  readonly suffix: string
  readonly key: string
  /**
   * Steps that follow the name in a series' path in the JSON `stats` of a record. For the disk `sda`, whose values are at `dios`, `sda`,
   * `3`, it is `[3]`.
   */
  readonly below: readonly (string | number)[]
  readonly peakBelow?: readonly (string | number)[]
  readonly scale: Scale
  /**
   * Text in the series key between two names, such as between a GPU's name and that of its engine. The second name is then the last step of
   * the value's path in `stats`. Absent for keys with one name.
   */
  readonly infix?: string
}

const named = (
  [prefix, suffix]: readonly [string, string],
  [key, ...below]: readonly [string, ...(string | number)[]],
  scale: Scale,
): NamedPlace => ({ prefix, suffix, key, below, scale })

const activityFields = ['readPercent', 'writePercent', 'utilisationPercent', 'readAwaitMs', 'writeAwaitMs', 'weightedPercent']

/**
 * Rules for finding the value of a series with a name in its key, such as `temperature.coretemp.celsius`, in the JSON `stats` of a record.
 * The name is the part between prefix and suffix; it may contain dots.
 */
const namedPlaces: readonly NamedPlace[] = [
  named(['cpu.core.', '.busyPercent'], ['cpus'], 'whole'),
  named(['temperature.', '.celsius'], ['t'], 'plain'),
  named(['fan.', '.rpm'], ['f'], 'whole'),
  // These two exist only in Vedette.
  named(['drive.', '.celsius'], ['drv', 't'], 'plain'),
  named(['drive.', '.wearPercent'], ['drv', 'w'], 'plain'),
  named(['battery.', '.chargePercent'], ['bats'], 'whole'),
  named(['network.', '.sentBytesPerSecond'], ['ni', 0], 'whole'),
  named(['network.', '.receivedBytesPerSecond'], ['ni', 1], 'whole'),
  named(['network.', '.sentBytesTotal'], ['ni', 2], 'whole'),
  named(['network.', '.receivedBytesTotal'], ['ni', 3], 'whole'),
  named(['filesystem.', '.totalBytes'], ['efs', 'd'], 'gibibytes'),
  named(['filesystem.', '.usedBytes'], ['efs', 'du'], 'gibibytes'),
  { ...named(['filesystem.', '.readBytesPerSecond'], ['efs', 'rb'], 'whole'), peakBelow: ['rbm'] },
  { ...named(['filesystem.', '.writtenBytesPerSecond'], ['efs', 'wb'], 'whole'), peakBelow: ['wbm'] },
  ...activityFields.map((field, index) => ({
    ...named(['filesystem.', `.${field}`], ['efs', 'dios', index], 'plain'),
    peakBelow: ['diosm', index],
  })),
  named(['filesystem.', '.inodesTotal'], ['efs', 'ino', 0], 'whole'),
  named(['filesystem.', '.inodesUsed'], ['efs', 'ino', 1], 'whole'),
  { ...named(['gpu.', '.usagePercent'], ['g', 'e'], 'plain'), infix: '.engine.' },
  named(['gpu.', '.memoryUsedMegabytes'], ['g', 'mu'], 'plain'),
  named(['gpu.', '.memoryTotalMegabytes'], ['g', 'mt'], 'plain'),
  named(['gpu.', '.sharedMemoryUsedMegabytes'], ['g', 'smu'], 'plain'),
  named(['gpu.', '.sharedMemoryTotalMegabytes'], ['g', 'smt'], 'plain'),
  named(['gpu.', '.packagePowerWatts'], ['g', 'pp'], 'plain'),
  named(['gpu.', '.powerWatts'], ['g', 'p'], 'plain'),
  named(['gpu.', '.usagePercent'], ['g', 'u'], 'plain'),
]

const divisors: Readonly<Record<Scale, number>> = { plain: 1, whole: 1, gibibytes: GIBIBYTE, mebibytes: MEBIBYTE }

function scaled(value: number, scale: Scale): number {
  return scale === 'whole' ? Math.round(value) : round2(value / divisors[scale])
}

/**
 * Maximum number of series keys, 20,000, in the cache of their paths in `stats`; beyond it, the cache is cleared. Agents' keys come and go.
 */
const MOST_KNOWN = 20_000
const knownPlaces = new Map<SeriesKey, readonly Place[]>()

/**
 * Returns a list of all paths at which a series' value is in the JSON `stats` of a record, each with the conversion of the value. It is
 * empty for a series that is not in `stats`.
 */
function placesOf(key: SeriesKey): readonly Place[] {
  const known = knownPlaces.get(key)
  if (known !== undefined) return known
  const places = [placeOf(key), ownValue(legacyPlaces, key)].filter((one) => one !== undefined)
  if (knownPlaces.size >= MOST_KNOWN) knownPlaces.clear()
  knownPlaces.set(key, places)
  return places
}

function placeOf(key: SeriesKey): Place | undefined {
  const fixed = ownValue(fixedPlaces, key)
  if (fixed !== undefined) return fixed
  for (const one of namedPlaces) {
    const name = nameBetween(key, one)
    if (name === undefined) continue
    const split = one.infix === undefined ? -1 : name.indexOf(one.infix)
    if (one.infix !== undefined && split === -1) continue
    const [first, ...last] = one.infix === undefined ? [name] : [name.slice(0, split), name.slice(split + one.infix.length)]
    const at = one.key === 'cpus' ? Number(first) : first
    if (at === undefined) continue
    return place(one.scale, [one.key, at, ...one.below, ...last], one.peakBelow && [one.key, at, ...one.peakBelow])
  }
  return undefined
}

function nameBetween(key: SeriesKey, { prefix, suffix }: NamedPlace): string | undefined {
  const fits = key.length > prefix.length + suffix.length && key.startsWith(prefix) && key.endsWith(suffix)
  return fits ? key.slice(prefix.length, key.length - suffix.length) : undefined
}

/**
 * Builds the JSON `stats` of one `system_stats` record from values by series key. `maxima`, the highest values in a record that averages
 * several minutes, are written to the `peak` paths.
 */
export function toStatsJson(values: SeriesValues, maxima?: SeriesValues): JsonObject {
  const keys = Object.keys(values)
  const of = (from: SeriesValues) => (at: number) => ownValue(from, keys[at] ?? '') ?? Number.NaN
  return statsJsonOf(keys, of(values), maxima && of(maxima))
}

/**
 * Builds and returns the JSON `stats` of one `system_stats` record for the series `keys`. `valueAt` returns the value of the series at an
 * index of `keys`, in base units; NaN means unknown. `maximumAt` does so for its highest value.
 */
export function statsJsonOf(keys: readonly SeriesKey[], valueAt: (at: number) => number, maximumAt?: (at: number) => number): JsonObject {
  const stats: { [key: string]: MutableJson | number | string | null } = {}
  for (let at = 0; at < keys.length; at++) {
    const value = valueAt(at)
    if (Number.isNaN(value)) continue
    for (const { path, scale, peak } of placesOf(keys[at] ?? '')) {
      put(stats, path, scaled(value, scale))
      const maximum = peak === undefined || maximumAt === undefined ? Number.NaN : maximumAt(at)
      if (peak !== undefined && !Number.isNaN(maximum)) put(stats, peak, scaled(maximum, scale))
    }
  }
  return stats
}

/**
 * Parses the JSON `stats` of a `system_stats` record and returns an object from series key to value, in base units such as bytes. Missing
 * and invalid values have no key.
 */
export function readStatsJson(stats: JsonObject): SeriesValues {
  const values = new Map<SeriesKey, number>()
  for (const places of [fixedPlaces, legacyPlaces]) {
    for (const [key, { path, scale }] of Object.entries(places)) {
      const value = numberAt(stats, path)
      if (value !== undefined && !values.has(key)) values.set(key, value * divisors[scale])
    }
  }
  for (const place of namedPlaces) {
    for (const [name, item] of Object.entries(ownValue(stats, place.key) ?? {})) {
      for (const [key, value] of readNamed(place, name, item as Json)) values.set(key, value * divisors[place.scale]) // entries of JSON are JSON
    }
  }
  return Object.fromEntries(values)
}

/**
 * Reads the series of one name, such as of one filesystem, from the part of a record's JSON `stats` for it. Returns a list of pairs of
 * series key and value, in the units of the record.
 */
function readNamed({ prefix, suffix, below, infix }: NamedPlace, name: string, item: Json): readonly (readonly [SeriesKey, number])[] {
  const there = jsonAt(item, below)
  if (infix === undefined) return typeof there === 'number' ? [[`${prefix}${name}${suffix}`, there]] : []
  return Object.entries(there ?? {}).flatMap(([second, value]) =>
    typeof value === 'number' ? [[`${prefix}${name}${infix}${second}${suffix}`, value] as const] : [],
  )
}

const containerMembers = {
  cpuPercent: [place('plain', ['c'])],
  memoryBytes: [place('mebibytes', ['m'])],
  sentBytesPerSecond: [place('whole', ['b', 0]), place('mebibytes', ['ns'])],
  receivedBytesPerSecond: [place('whole', ['b', 1]), place('mebibytes', ['nr'])],
  diskReadBytesPerSecond: [place('whole', ['dio', 0])],
  diskWrittenBytesPerSecond: [place('whole', ['dio', 1])],
} as const satisfies Readonly<Record<string, readonly Place[]>>

/** Builds the `stats` of one `container_stats` record from values by series key: a list with one object per container name. */
export function toContainerStatsJson(values: SeriesValues): readonly JsonObject[] {
  const keys = Object.keys(values)
  return containerStatsJsonOf(keys, (at) => ownValue(values, keys[at] ?? '') ?? Number.NaN)
}

/**
 * Returns the `stats` of one `container_stats` record for the series `keys`, as a list with one object per container that has a known
 * value. `valueAt` returns the value of the series at an index of `keys`; NaN means unknown.
 */
export function containerStatsJsonOf(keys: readonly SeriesKey[], valueAt: (at: number) => number): readonly JsonObject[] {
  const byName = new Map<string, MutableJson>()
  for (let at = 0; at < keys.length; at++) {
    const value = valueAt(at)
    if (Number.isNaN(value)) continue
    const [name, field] = splitKey(keys[at] ?? '')
    let entry = byName.get(name)
    if (entry === undefined) byName.set(name, (entry = { n: name }))
    for (const { path, scale } of ownValue<readonly Place[]>(containerMembers, field) ?? []) put(entry, path, scaled(value, scale))
  }
  return [...byName.values()] as readonly JsonObject[]
}

export function readContainerStatsJson(stats: readonly Json[]): SeriesValues {
  const values = new Map<SeriesKey, number>()
  for (const entry of stats) {
    const name = (entry as JsonObject | null)?.['n']
    if (typeof name !== 'string') continue
    for (const [field, places] of Object.entries(containerMembers)) {
      const found = places
        .map(({ path, scale }) => [numberAt(entry, path), divisors[scale]] as const)
        .find(([value]) => value !== undefined)
      if (found?.[0] !== undefined) values.set(`${name}.${field}`, found[0] * found[1])
    }
  }
  return Object.fromEntries(values)
}

type MutableJson = { [key: string]: MutableJson | number | string | null } | (MutableJson | number | string | null)[]

/**
 * Sets a number at a path (list of member names and list indices) in a JSON structure, in place, and creates missing objects and lists.
 * Only own properties are used, because names come from agents and may be `__proto__`.
 */
function put(root: MutableJson, path: readonly (string | number)[], value: number): void {
  let node = root
  const last = path.length - 1
  for (let depth = 0; depth < last; depth++) {
    const step = path[depth] ?? 0
    const there = ownAt(node, step)
    if (isContainer(there)) node = there
    else {
      const child: MutableJson = typeof path[depth + 1] === 'number' ? [] : {}
      setOwn(node, step, child)
      node = child
    }
  }
  setOwn(node, path[last] ?? 0, value)
}

type Member = MutableJson | number | string | null

const isContainer = (value: Member | undefined): value is MutableJson => typeof value === 'object' && value !== null

function ownAt(node: MutableJson, step: string | number): Member | undefined {
  return Array.isArray(node) ? node[Number(step)] : ownValue(node, String(step))
}

function setOwn(node: MutableJson, step: string | number, value: Member): void {
  if (Array.isArray(node)) {
    // JSON has no holes: an unknown value in the middle of a list is null.
    while (node.length < Number(step)) node.push(null)
    node[Number(step)] = value
  } else setOwnValue(node, String(step), value)
}

function numberAt(root: Json, path: readonly (string | number)[]): number | undefined {
  const value = jsonAt(root, path)
  return typeof value === 'number' ? value : undefined
}

function jsonAt(root: Json, path: readonly (string | number)[]): Json | undefined {
  let node: Json | undefined = root
  for (const step of path) node = memberAt(node, step)
  return node
}

function memberAt(node: Json | undefined, step: string | number): Json | undefined {
  if (typeof node !== 'object' || node === null) return undefined
  return isList(node) ? node[Number(step)] : ownValue(node, String(step))
}

/** Returns true when a JSON value is a list. Unlike `Array.isArray`, it also narrows the type of read-only lists. */
const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
