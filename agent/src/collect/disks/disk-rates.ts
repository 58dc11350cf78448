import type { DiskActivity, DiskSample } from '@vedette/protocol/metrics/sample'
import { present } from '@vedette/protocol/wire/present'
import { perSecond } from '../sampling/counter.ts'
import type { DiskCounters } from './disk-counters.ts'

export type DiskReading = { readonly counters: DiskCounters; readonly takenAtMs: number }

/** Upper limit of a plausible disk rate in bytes per second: 50,000 MiB/s. A higher rate means an invalid counter. */
const MAX_BYTES_PER_SECOND = 50_000 * 1024 * 1024

/**
 * Returns a block device's rates between two readings: bytes read and written per second, and its activity (absent when a time counter went
 * back). `undefined` without a previous reading or for implausible rates.
 */
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
  if (Math.min(readMs, writeMs, busyMs, weightedMs) < 0) return undefined
  const percent = (ms: number): number => (ms / elapsedMs) * 100
  return present<DiskActivity>({
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
  })
}

const each = (ms: number, operations: number): number | undefined => (operations > 0 ? ms / operations : undefined)
