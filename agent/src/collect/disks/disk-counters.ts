import type { ProcSource } from '../../source/proc-source.ts'
import { columns, parseCounter } from '../../text/columns.ts'

/** Counters of one block device since boot. Source: /proc/diskstats, kernel Documentation/admin-guide/iostats.rst. */
export type DiskCounters = {
  readonly name: string
  /** Device number of the block device as text `major:minor`, such as `8:0`. */
  readonly number: string
  readonly reads: number
  readonly readBytes: number
  readonly readMs: number
  readonly writes: number
  readonly writtenBytes: number
  readonly writeMs: number
  /**
   * Time in ms since boot in which the block device had at least one request in flight. `weightedMs` is the sum of the durations of all
   * requests, in ms.
   */
  readonly busyMs: number
  readonly weightedMs: number
}

/** Parsed /proc/diskstats: counters of each block device, and one error message for each invalid line. */
export type DiskStats = { readonly devices: readonly DiskCounters[]; readonly problems: readonly string[] }

/** Number of bytes, 512, in one sector of the counts in /proc/diskstats, whatever the device's own sector size is. */
const SECTOR_BYTES = 512
const MIN_FIELDS = 14

/**
 * Regular expression that matches a line of /proc/diskstats with only zeros, which most lines of most machines are. It avoids splitting the
 * line.
 */
const NEVER_USED = /^ *\d+ +\d+ \S+(?: 0){11,} *$/

/** Regular expression that matches the counters of a line of /proc/diskstats: unsigned integers joined by single spaces. */
const COUNTERS = /^\d{1,20}(?: \d{1,20})*$/

/** Maximum number of all-zero lines of /proc/diskstats, 1,000, in the cache of lines to skip. A fuller cache is cleared. */
const MAX_UNUSED = 1000

/**
 * Parses /proc/diskstats into counters for each block device. Devices without a read or write since boot, such as unused loop devices, are
 * left out; each malformed line gives an error message in `problems`. `unused` is a cache of all-zero lines, which rarely change; pass the
 * same set at every call.
 */
export function parseDiskStats(text: string, unused: Set<string> = new Set()): DiskStats {
  const devices: DiskCounters[] = []
  const problems: string[] = []
  if (unused.size > MAX_UNUSED) unused.clear()
  let number = 0
  for (const line of text.split('\n')) {
    if (unused.has(line)) {
      number++
      continue
    }
    if (line.trim() === '') continue
    number++
    if (NEVER_USED.test(line)) {
      unused.add(line)
      continue
    }
    const counters = toCounters(columns(line), number)
    if (typeof counters === 'string') problems.push(counters)
    else if (counters.reads + counters.writes + counters.readBytes + counters.writtenBytes > 0) devices.push(counters)
  }
  return { devices, problems }
}

/**
 * Parses the fields of one line of /proc/diskstats into counters of a block device. Returns an error message (text) for a malformed line.
 * `line` is its number from 1, for that message.
 */
function toCounters(fields: readonly string[], line: number): DiskCounters | string {
  const refused = 'Cannot parse "/proc/diskstats": line'
  if (fields.length < MIN_FIELDS) return `${refused} ${line} has ${fields.length} fields, expected at least ${MIN_FIELDS}`
  const counts = fields.slice(3, MIN_FIELDS)
  if (!COUNTERS.test(counts.join(' '))) {
    const wrong = counts.findIndex((count) => parseCounter(count) === undefined)
    return `${refused} ${line}, field ${wrong + 4} is not a counter`
  }
  const count = (field: number): number => Number(fields[field - 1])
  return {
    name: fields[2] ?? '',
    number: `${fields[0]}:${fields[1]}`,
    reads: count(4),
    readBytes: count(6) * SECTOR_BYTES,
    readMs: count(7),
    writes: count(8),
    writtenBytes: count(10) * SECTOR_BYTES,
    writeMs: count(11),
    busyMs: count(13),
    weightedMs: count(14),
  }
}

/**
 * Function that returns the disk counters for a sample's time `atMs`. They are read once and shared by all callers with an equal time.
 * `undefined` where the kernel has none.
 */
export type DiskCounterReader = (atMs: number) => DiskStats | undefined

export function diskCounterReader(source: ProcSource): DiskCounterReader {
  const unused = new Set<string>()
  let latest: { readonly atMs: number; readonly stats: DiskStats | undefined } | undefined
  return (atMs) => {
    if (latest?.atMs !== atMs) {
      const text = source.tryProc('diskstats')
      latest = { atMs, stats: text === undefined ? undefined : parseDiskStats(text, unused) }
    }
    return latest.stats
  }
}
