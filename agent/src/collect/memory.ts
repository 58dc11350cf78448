import type { MemorySample, SwapSample } from '@vedette/protocol/metrics/sample'
import type { ProcSource } from '../source/proc-source.ts'
import { SourceUnreadable } from '../source/source-unreadable.ts'
import { columns, filledLines, parseCounter } from '../text/columns.ts'
import { guestMemory, guestSwap, readGuestMemory } from './cgroup-memory.ts'
import type { Collector } from './collector.ts'
import type { Surroundings } from './surroundings.ts'

/**
 * Name of the method of calculating used memory. `available`: total minus what can be reclaimed. `htop`: total minus free memory, buffers
 * and cache, with shared memory counted as used.
 */
export type MemoryCalculation = 'available' | 'htop'

/**
 * Function that returns a value of /proc/meminfo in bytes by its name, proc(5); `undefined` when it is missing. Throws `SyntaxError` when
 * its line has no number.
 */
export type MemoryInfo = (name: string) => number | undefined

/**
 * Parses the text of /proc/meminfo lazily: returns a function from name to bytes. `places` caches each name's position between texts; a
 * wrong position is searched again. Throws `SyntaxError` for a text without `MemTotal`; the function throws it for any other line without a
 * number.
 */
export function parseMemoryInfo(text: string, places: Map<string, number> = new Map()): MemoryInfo {
  const lines = `\n${text}`
  const find = (name: string): number => {
    const line = `\n${name}:`
    const known = places.get(name)
    if (known !== undefined && lines.startsWith(line, known)) return known
    const at = lines.indexOf(line)
    if (at !== -1) places.set(name, at)
    return at
  }
  const bytesOf = (name: string): number | undefined => {
    const at = find(name)
    if (at === -1) return undefined
    const from = at + name.length + 2
    const kibibytes = Number.parseInt(lines.slice(from, from + MAX_NUMBER_LENGTH), 10)
    // A line without a number would count as 0.
    if (!(kibibytes >= 0)) throw new SyntaxError(`Cannot parse "/proc/meminfo": line "${name}" has no number of 0 or more`)
    return kibibytes * 1024
  }
  if (bytesOf('MemTotal') === undefined) throw new SyntaxError('Cannot parse "/proc/meminfo": no line "MemTotal"')
  return bytesOf
}

/** Returns the size of the machine's memory in bytes; `undefined` when /proc/meminfo does not have it. */
export function totalMemory(source: ProcSource): number | undefined {
  const text = source.tryProc('meminfo')
  try {
    return text === undefined ? undefined : parseMemoryInfo(text)('MemTotal')
  } catch {
    // The memory collector reports the error in the file; other readings do not depend on it.
    return undefined
  }
}

/** Maximum number of UTF-16 units, 40, that are read after a name in /proc/meminfo to find its number: padding and digits. */
const MAX_NUMBER_LENGTH = 40

/**
 * Returns the memory sample (sizes in bytes) from the values of /proc/meminfo. `arcBytes`, which ZFS can free, are subtracted if more is in
 * use. Differences are at least 0, because the kernel does not write the file at one instant. Throws `SyntaxError` when free memory is
 * unknown.
 */
export function memorySample(info: MemoryInfo, calculation: MemoryCalculation, arcBytes: number): MemorySample {
  const of = (name: string): number => info(name) ?? 0
  const totalBytes = of('MemTotal')
  const cached = of('Cached') + of('SReclaimable')
  const free = info('MemFree')
  const available = info('MemAvailable') ?? (free === undefined ? undefined : free + of('Buffers') + cached)
  if (free === undefined || available === undefined) throw new SyntaxError('Cannot parse "/proc/meminfo": it does not say what is free')
  const plainUsed = atLeastZero(totalBytes - available)
  const cacheBytes = cacheOf(info, totalBytes, cached, plainUsed)
  const used = calculation === 'htop' ? atLeastZero(totalBytes - free - cacheBytes) : plainUsed
  const usedBytes = arcBytes > 0 && arcBytes < used ? used - arcBytes : used
  return {
    totalBytes,
    usedBytes,
    usedPercent: totalBytes === 0 ? 0 : (usedBytes / totalBytes) * 100,
    cacheBytes,
    ...(usedBytes === used ? {} : { zfsArcBytes: arcBytes }),
  }
}

/**
 * Returns cached bytes (buffers and page cache without shared memory). If both are 0, as in a container whose /proc/meminfo lacks them, it
 * returns the memory that is neither free nor used.
 */
function cacheOf(info: MemoryInfo, totalBytes: number, cached: number, usedBytes: number): number {
  const buffers = info('Buffers') ?? 0
  if (cached === 0 && buffers === 0) return atLeastZero(totalBytes - (info('MemFree') ?? 0) - usedBytes)
  const cacheBytes = Math.min(cached, totalBytes)
  return atLeastZero(cacheBytes + Math.min(buffers, totalBytes - cacheBytes) - Math.min(info('Shmem') ?? 0, totalBytes))
}

/**
 * Returns the swap sample (total and used bytes) from the values of /proc/meminfo; `undefined` without swap numbers. Pages that are in
 * memory as well as in swap do not count as used swap.
 */
export function swapSample(info: MemoryInfo): SwapSample | undefined {
  const [totalBytes, freeBytes] = [info('SwapTotal'), info('SwapFree')]
  if (totalBytes === undefined || freeBytes === undefined) return undefined
  return { totalBytes, usedBytes: atLeastZero(totalBytes - freeBytes - (info('SwapCached') ?? 0)) }
}

/**
 * Returns the bytes that ZFS can free: its adaptive replacement cache (ARC) without the minimum size, from the rows `size` and `c_min` of
 * arcstats. 0 when the size is missing. Throws `SyntaxError`.
 */
export function parseArcBytes(text: string): number {
  const rows = filledLines(text).map(columns)
  const bytesIn = (row: string): number | undefined => {
    const fields = rows.find(([name]) => name === row)
    const bytes = parseCounter(fields?.[2])
    if (fields !== undefined && bytes === undefined)
      throw new SyntaxError(`Cannot parse ZFS's arcstats: row "${row}" has no number of 0 or more`)
    return bytes
  }
  return atLeastZero((bytesIn('size') ?? 0) - (bytesIn('c_min') ?? 0))
}

const atLeastZero = (bytes: number): number => Math.max(0, bytes)

export type MemoryFamilies = { readonly memory: MemorySample; readonly swap?: SwapSample }

/**
 * Creates the collector of memory and swap. In a container guest such as LXC, the limit of its cgroup applies, unless lxcfs provides
 * /proc/meminfo. One reading fails with `SourceUnreadable` when that limit is gone.
 */
export function memoryCollector(
  source: ProcSource,
  calculation: MemoryCalculation,
  { isGuest, virtualised }: Surroundings,
): Collector<MemoryFamilies> {
  let found: string | undefined
  let wasLimited = false
  const places = new Map<string, number>()
  const arcText = whereThereIsZfs(source)
  return {
    name: 'memory',
    collect: ({ atMs }) => {
      const told = parseMemoryInfo(source.readProc('meminfo'), places)
      const info = isGuest ? withoutMachineLines(told) : told
      const arc = isGuest ? undefined : arcText(atMs)
      const machine = memorySample(info, calculation, arc === undefined ? 0 : parseArcBytes(arc))
      const machineSwap = swapSample(info)
      const group = isGuest && !virtualised.has('meminfo') ? readGuestMemory(source) : undefined
      // A removed limit costs one failed reading. Otherwise, an unreadable limit file would report the machine's memory as the guest's.
      const hasLostLimit = wasLimited && group === undefined
      wasLimited = group !== undefined
      if (hasLostLimit) throw new SourceUnreadable('The memory limit of this guest is gone')
      const memory = group === undefined ? machine : guestMemory(machine, group)
      const swap = group === undefined ? machineSwap : guestSwap(machineSwap, group)
      found = sourceOf(memory === machine, isGuest, virtualised.has('meminfo'))
      return swap === undefined ? { memory } : { memory, swap }
    },
    report: () => (found === undefined ? {} : { found }),
  }
}

const ARCSTATS = 'spl/kstat/zfs/arcstats'
const ZFS_LOOK_MS = 60_000

/**
 * Returns a function that takes a monotonic time in ms and returns the text of ZFS's file arcstats (cache statistics). It returns
 * `undefined` without ZFS, and then looks for the file once a minute. It throws `SourceUnreadable` once when the file has disappeared.
 */
function whereThereIsZfs(source: ProcSource): (atMs: number) => string | undefined {
  let missedAtMs = Number.NEGATIVE_INFINITY
  let wasThere = false
  return (atMs) => {
    if (atMs - missedAtMs < ZFS_LOOK_MS) return undefined
    const text = source.tryProc(ARCSTATS)
    if (text === undefined) missedAtMs = atMs
    // A missing file is an error at first: without its size the cache would count as used. After a minute without it, ZFS is gone.
    if (text === undefined && wasThere) {
      wasThere = false
      throw new SourceUnreadable(`Cannot read "/proc/${ARCSTATS}", which was there before`)
    }
    wasThere = text !== undefined
    return text
  }
}

/**
 * Takes a lookup function for /proc/meminfo and returns one for a container guest, in which wrong values are `undefined`. Some lxcfs
 * versions take two values from the machine: a `Shmem` above the cache, and an `SReclaimable` above the used memory.
 */
const withoutMachineLines =
  (info: MemoryInfo): MemoryInfo =>
  (name) => {
    const most =
      name === 'Shmem'
        ? info('Cached')
        : name === 'SReclaimable'
          ? atLeastZero((info('MemTotal') ?? 0) - (info('MemFree') ?? 0))
          : undefined
    const value = info(name)
    return most !== undefined && value !== undefined && value > most ? undefined : value
  }

function sourceOf(isMachine: boolean, isGuest: boolean, isVirtualised: boolean): string {
  if (!isMachine) return 'limit of the control group'
  if (isVirtualised) return '/proc/meminfo, as lxcfs tells it for this guest'
  return isGuest ? '/proc/meminfo of the surrounding machine: no limit is set on this guest' : '/proc/meminfo'
}
