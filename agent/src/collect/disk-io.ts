import type { DiskActivity, DiskSample } from '@vedette/protocol/metrics/sample'
import { MIN_ELAPSED_MS, perSecond } from '../counter.ts'
import type { ProcSource } from '../source/proc-source.ts'
import { columns, filledLines, parseCounter } from '../text/columns.ts'
import { createBaselines } from './baselines.ts'
import { SourceUnreadable } from '../source/source-unreadable.ts'
import type { Collector } from './collector.ts'

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

/** The kernel counts sectors of 512 bytes whatever the device's own are. */
const SECTOR_BYTES = 512
const MIN_FIELDS = 14

/** Devices that ever did anything; loop devices and empty slots are all zeros. */
export function parseDiskStats(text: string): readonly DiskCounters[] {
  return filledLines(text)
    .map((line, index) => toCounters(columns(line), index + 1))
    .filter(({ reads, writes, readBytes, writtenBytes }) => reads + writes + readBytes + writtenBytes > 0)
}

/** Fields are numbered from 1, as in the kernel's description. */
function toCounters(fields: readonly string[], line: number): DiskCounters {
  if (fields.length < MIN_FIELDS) {
    throw new SyntaxError(`Cannot parse "/proc/diskstats": line ${line} has ${fields.length} fields, expected at least ${MIN_FIELDS}`)
  }
  const text = (field: number): string => fields[field - 1] ?? ''
  const count = (field: number): number => {
    const value = parseCounter(text(field))
    if (value === undefined) throw new SyntaxError(`Cannot parse "/proc/diskstats": line ${line}, field ${field} is no counter`)
    return value
  }
  return {
    name: text(3),
    number: `${text(1)}:${text(2)}`,
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

export type DiskReading = { readonly counters: DiskCounters; readonly takenAtMs: number }

/** No single disk moves more; what does is a counter that is not one. */
const MAX_BYTES_PER_SECOND = 50_000 * 1024 * 1024

/** Rates and activity between two readings; `undefined` when they cannot be known. */
export function diskRates(previous: DiskReading | undefined, current: DiskReading): DiskSample | undefined {
  if (previous === undefined) return undefined
  const rate = (of: (counters: DiskCounters) => number): number | undefined =>
    perSecond(
      { value: of(previous.counters), takenAtMs: previous.takenAtMs },
      { value: of(current.counters), takenAtMs: current.takenAtMs },
    )
  const readBytesPerSecond = rate((counters) => counters.readBytes)
  const writtenBytesPerSecond = rate((counters) => counters.writtenBytes)
  if (readBytesPerSecond === undefined || writtenBytesPerSecond === undefined) return undefined
  if (readBytesPerSecond > MAX_BYTES_PER_SECOND || writtenBytesPerSecond > MAX_BYTES_PER_SECOND) return undefined
  const activity = diskActivity(previous, current)
  return activity === undefined ? { readBytesPerSecond, writtenBytesPerSecond } : { readBytesPerSecond, writtenBytesPerSecond, activity }
}

function diskActivity(previous: DiskReading, current: DiskReading): DiskActivity | undefined {
  const elapsedMs = current.takenAtMs - previous.takenAtMs
  const grown = (of: (counters: DiskCounters) => number): number => of(current.counters) - of(previous.counters)
  const readMs = grown((counters) => counters.readMs)
  const writeMs = grown((counters) => counters.writeMs)
  const busyMs = grown((counters) => counters.busyMs)
  const weightedMs = grown((counters) => counters.weightedMs)
  // These are 32-bit counters on many kernels and wrap after weeks of use.
  if ([readMs, writeMs, busyMs, weightedMs].some((ms) => ms < 0)) return undefined
  const percent = (ms: number): number => (ms / elapsedMs) * 100
  return {
    readPercent: percent(readMs),
    writePercent: percent(writeMs),
    utilisationPercent: Math.min(100, percent(busyMs)),
    readAwaitMs: each(
      readMs,
      grown((counters) => counters.reads),
    ),
    writeAwaitMs: each(
      writeMs,
      grown((counters) => counters.writes),
    ),
    weightedPercent: percent(weightedMs),
  }
}

const each = (ms: number, operations: number): number => (operations > 0 ? ms / operations : 0)

/** I/O of the device that `chooseDevice` names; it is asked again when that device is gone. */
export function diskIoCollector(
  source: ProcSource,
  chooseDevice: (devices: readonly DiskCounters[], again: boolean) => string | undefined,
): Collector<DiskSample> {
  const baselines = createBaselines<DiskReading>()
  return {
    name: 'disk I/O',
    collect: ({ consumer, atMs }) => {
      const text = source.tryProc('diskstats')
      if (text === undefined) return undefined
      const devices = parseDiskStats(text)
      const named = (again: boolean) => devices.find((device) => device.name === chooseDevice(devices, again))
      const counters = named(false) ?? named(true)
      if (counters === undefined) {
        if (devices.length > 0) throw new SourceUnreadable('Cannot find the root filesystem\'s device in "/proc/diskstats"')
        return undefined
      }
      const current = { counters, takenAtMs: atMs }
      const earlier = baselines.of(consumer)
      const previous = earlier?.counters.name === counters.name ? earlier : undefined
      if (previous === undefined || atMs - previous.takenAtMs >= MIN_ELAPSED_MS) baselines.keep(consumer, current)
      return diskRates(previous, current)
    },
  }
}
