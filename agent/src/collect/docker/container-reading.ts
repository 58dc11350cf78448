import { grownPerSecond } from '../../counter.ts'
import type { ListedContainer } from './list.ts'

/** Counters of one container at one moment. What is not told is `undefined`. */
export type ContainerReading = {
  readonly source: CounterSource
  /** CPU time it used. */
  readonly cpuNs: number | undefined
  /** When that was, by the clock of the source: `docker` tells the CPU time that all cores together had, the others the time of day. */
  readonly clockNs: number | undefined
  readonly onlineCpus: number | undefined
  readonly memoryBytes: number | undefined
  /** Of all networks; unknown where the container has none of its own. */
  readonly sentBytes: number | undefined
  readonly receivedBytes: number | undefined
  /** Of all block devices; unknown where the kernel counts none or none was used yet. */
  readonly diskReadBytes: number | undefined
  readonly diskWrittenBytes: number | undefined
  readonly takenAtMs: number
}

/** By the first 12 digits of the container's id. */
export type Readings = ReadonlyMap<string, ContainerReading>

/** Engines tell what the kernel counts, but each has a clock of its own. */
export type CounterSource = 'docker' | 'podman' | 'kernel'

/** The earlier reading, unless it is or may be of a run that ended. */
export function sameRun(
  { upAtLeastMs }: ListedContainer,
  previous: ContainerReading | undefined,
  listedAtMs: number,
): ContainerReading | undefined {
  if (previous === undefined || upAtLeastMs === undefined) return previous
  return previous.takenAtMs > listedAtMs - upAtLeastMs ? previous : undefined
}

/** More than any machine has: the engine sent a difference that went below zero. */
const MAX_MEMORY_BYTES = 100 * 1024 ** 4

/** Use without the page cache that can be reclaimed: `inactive_file` (cgroup v2, and v1 of today), else `cache`. */
export function usedMemory(usage: number | undefined, reclaimableBytes: number): number | undefined {
  const bytes = usage === undefined ? 0 : usage - reclaimableBytes
  return bytes > 0 && bytes <= MAX_MEMORY_BYTES ? bytes : undefined
}

/**
 * A busy machine reads the container's time and the machine's up to a quarter of a second apart, so over the live second a container that
 * uses all of it may seem to use 125 %. A larger share comes of a wrong counter.
 */
const MAX_MEASURED_PERCENT = 125

/** Share of the whole machine, percent 0–100; `undefined` on the first reading, after a reset, or beyond what is possible. */
export function containerCpuPercent(previous: ContainerReading | undefined, current: ContainerReading | undefined): number | undefined {
  if (previous?.cpuNs === undefined || current?.cpuNs === undefined) return undefined
  const used = current.cpuNs - previous.cpuNs
  const available = availableCpuNs(previous, current)
  if (used < 0 || available === undefined || available <= 0) return undefined
  const percent = (used / available) * 100
  return percent > MAX_MEASURED_PERCENT ? undefined : Math.min(100, percent)
}

/** CPU time that all cores together had in between. The clocks of two sources have nothing in common; there the agent's own must do. */
function availableCpuNs(previous: ContainerReading, current: ContainerReading): number | undefined {
  const isOneClock = previous.source === current.source
  const [beforeNs, nowNs] = isOneClock
    ? [previous.clockNs, current.clockNs]
    : [previous.takenAtMs * NS_PER_MS, current.takenAtMs * NS_PER_MS]
  if (beforeNs === undefined || nowNs === undefined) return undefined
  if (isOneClock && current.source === 'docker') return nowNs - beforeNs
  return current.onlineCpus === undefined ? undefined : (nowNs - beforeNs) * current.onlineCpus
}

const NS_PER_MS = 1_000_000

/** Faster than any network or disk a container has. */
const MAX_BYTES_PER_SECOND = 5_000_000_000

function byteRate(before: number | undefined, now: number | undefined, elapsedMs: number): number | undefined {
  if (before === undefined || now === undefined) return undefined
  const rate = grownPerSecond(now - before, elapsedMs)
  return rate !== undefined && rate > MAX_BYTES_PER_SECOND ? undefined : rate
}

/** Bytes per second that came in and went out. */
export type Throughput = { readonly inPerSecond: number; readonly outPerSecond: number }

/** Both directions or none: one that cannot be known spoils the other's meaning. */
const throughputOf =
  (incoming: Bytes, outgoing: Bytes) =>
  (previous: ContainerReading | undefined, current: ContainerReading | undefined): Throughput | undefined => {
    if (previous === undefined || current === undefined) return undefined
    const elapsedMs = current.takenAtMs - previous.takenAtMs
    const inPerSecond = byteRate(previous[incoming], current[incoming], elapsedMs)
    const outPerSecond = byteRate(previous[outgoing], current[outgoing], elapsedMs)
    return inPerSecond === undefined || outPerSecond === undefined ? undefined : { inPerSecond, outPerSecond }
  }

type Bytes = 'sentBytes' | 'receivedBytes' | 'diskReadBytes' | 'diskWrittenBytes'

export const containerNetwork = throughputOf('receivedBytes', 'sentBytes')

/** What was read comes in, what was written goes out. */
export const containerDisk = throughputOf('diskReadBytes', 'diskWrittenBytes')
