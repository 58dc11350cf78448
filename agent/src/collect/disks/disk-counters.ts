import type { ProcSource } from '../../source/proc-source.ts'
import { columns, parseCounter } from '../../text/columns.ts'

/** Counters of one block device since boot. Source: /proc/diskstats, kernel Documentation/admin-guide/iostats.rst. */
export type DiskCounters = {
  readonly name: string
  /** `major:minor`. */
  readonly number: string
  readonly reads: number
  readonly readBytes: number
  readonly readMs: number
  readonly writes: number
  readonly writtenBytes: number
  readonly writeMs: number
  /** Time with at least one request in flight, and the same weighted by their number. */
  readonly busyMs: number
  readonly weightedMs: number
}

/** Counters of the usable lines, and one error message for each unusable line. */
export type DiskStats = { readonly devices: readonly DiskCounters[]; readonly problems: readonly string[] }

/** The kernel counts sectors of 512 bytes, whatever the sector size of the device. */
const SECTOR_BYTES = 512
const MIN_FIELDS = 14

/** Two numbers, a name and only zeros: most lines of most machines. The pattern recognises them without splitting. */
const NEVER_USED = /^ *\d+ +\d+ \S+(?: 0){11,} *$/

/** A list of texts that `parseCounter` accepts, joined by spaces. */
const COUNTERS = /^\d{1,20}(?: \d{1,20})*$/

/** Maximum number of all-zero lines in the cache. */
const MAX_UNUSED = 1000

/**
 * Devices with at least one request since boot; loop devices and empty slots are all zeros. A malformed line does not affect the others.
 * `unused` caches the all-zero lines between calls, because they rarely change.
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

/** Fields are numbered from 1, as in the kernel's documentation. Returns an error message for a malformed line. */
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

/** The counters at a tick, read once and shared by all callers of that tick; `undefined` where the kernel has none. */
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
