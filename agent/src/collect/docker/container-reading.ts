import { grownPerSecond } from '../sampling/counter.ts'
import type { ListedContainer } from './list.ts'

/**
 * Counters of one container at one moment: CPU time, memory, network and disk bytes. `undefined` for counters that the source does not
 * report.
 */
export type ContainerReading = {
  readonly source: CounterSource
  /** CPU time in ns that the container has used since its start, over all cores. */
  readonly cpuNs: number | undefined
  /**
   * Time in ns at which the container's CPU time was read, by the source's clock. For Docker, that is the CPU time of all cores together;
   * else elapsed time. `undefined` when not reported.
   */
  readonly clockNs: number | undefined
  readonly onlineCpus: number | undefined
  readonly memoryBytes: number | undefined
  /** Number of bytes that the container has sent over all networks; `undefined` when it has no network of its own. */
  readonly sentBytes: number | undefined
  readonly receivedBytes: number | undefined
  /**
   * Number of bytes that the container has read from all block devices; `undefined` when the kernel counts none or no device was used yet.
   */
  readonly diskReadBytes: number | undefined
  readonly diskWrittenBytes: number | undefined
  readonly takenAtMs: number
}

/** Map from the first 12 digits of a container id to the container's reading (counters at one moment). */
export type Readings = ReadonlyMap<string, ContainerReading>

/**
 * Where a container's counters were read: the API of `docker` or `podman`, or the `kernel`'s files. The counters are the same, but each
 * source has its own clock.
 */
export type CounterSource = 'docker' | 'podman' | 'kernel'

/**
 * Returns `previous`, a container's last reading, or `undefined` if the container may have started after it. The container list states the
 * uptime only during the first minute; without it, `previous` is returned.
 */
export function sameRun(
  { upAtLeastMs }: ListedContainer,
  previous: ContainerReading | undefined,
  listedAtMs: number,
): ContainerReading | undefined {
  if (previous === undefined || upAtLeastMs === undefined) return previous
  return previous.takenAtMs > listedAtMs - upAtLeastMs ? previous : undefined
}

/**
 * Upper limit in bytes of a plausible memory use of a container: 100 TiB. Docker sends a larger value when a subtraction wrapped below
 * zero.
 */
const MAX_MEMORY_BYTES = 100 * 1024 ** 4

/**
 * Returns a container's used memory in bytes: `usage` without `reclaimableBytes`, the page cache that the kernel can reclaim. `undefined`
 * for an unknown usage, and unless the result is above 0 and at most 100 TiB.
 */
export function usedMemory(usage: number | undefined, reclaimableBytes: number): number | undefined {
  const bytes = usage === undefined ? 0 : usage - reclaimableBytes
  return bytes > 0 && bytes <= MAX_MEMORY_BYTES ? bytes : undefined
}

/**
 * Upper limit of a container's measured CPU use: 125 % of the machine. It is above 100 because a busy machine reads its two clocks up to
 * 0.25 s apart. A higher value is dropped.
 */
const MAX_MEASURED_PERCENT = 125

/**
 * Returns a container's CPU use between two readings in percent of the whole machine, 0 to 100. `undefined` without a previous reading or
 * known counters, after a counter reset, and above 125 %.
 */
export function containerCpuPercent(previous: ContainerReading | undefined, current: ContainerReading | undefined): number | undefined {
  if (previous?.cpuNs === undefined || current?.cpuNs === undefined) return undefined
  const used = current.cpuNs - previous.cpuNs
  const available = availableCpuNs(previous, current)
  if (used < 0 || available === undefined || available <= 0) return undefined
  const percent = (used / available) * 100
  return percent > MAX_MEASURED_PERCENT ? undefined : Math.min(100, percent)
}

/**
 * Returns the CPU time in ns that all cores together had between two readings of a container, to compute its share; `undefined` when
 * unknown. If the readings have different sources, the agent's own clock is used.
 */
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

/** Upper limit of a plausible network or disk rate of a container, 5 GB/s, in bytes per second. Larger rates are dropped. */
const MAX_BYTES_PER_SECOND = 5_000_000_000

function byteRate(before: number | undefined, now: number | undefined, elapsedMs: number): number | undefined {
  if (before === undefined || now === undefined) return undefined
  const rate = grownPerSecond(now - before, elapsedMs)
  return rate !== undefined && rate > MAX_BYTES_PER_SECOND ? undefined : rate
}

/** Network or disk rates of a container in bytes per second. `inPerSecond` is received or read, `outPerSecond` sent or written. */
export type Throughput = { readonly inPerSecond: number; readonly outPerSecond: number }

/**
 * Creates a function that computes the rates of two counters, such as received and sent bytes, from two readings of a container. Its result
 * is `undefined` when either rate is unknown, because one alone would look like a total.
 */
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

/**
 * Returns a container's disk rates between two readings: `inPerSecond` for reads, `outPerSecond` for writes. `undefined` if either is
 * unknown.
 */
export const containerDisk = throughputOf('diskReadBytes', 'diskWrittenBytes')
