import { grownPerSecond } from '../../counter.ts'
import type { Member } from '../../runtime.ts'
import type { ListedContainer } from './list.ts'

/** Counters of one `GET /containers/{id}/stats` answer. What the engine did not say is `undefined`. */
export type ContainerReading = {
  readonly cpuNs: number | undefined
  /** CPU time of the whole machine, all cores together. */
  readonly systemCpuNs: number | undefined
  readonly onlineCpus: number | undefined
  /** The engine's own moment of reading, nanoseconds since an arbitrary moment of that day's scale. */
  readonly readNs: number | undefined
  readonly memoryBytes: number | undefined
  /** Of all networks; unknown where the container has none of its own. */
  readonly sentBytes: number | undefined
  readonly receivedBytes: number | undefined
  /** Of all block devices; unknown where the kernel counts none or none was used yet. */
  readonly diskReadBytes: number | undefined
  readonly diskWrittenBytes: number | undefined
  readonly takenAtMs: number
}

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

/** What is read of a stats answer. Of Docker's, its own moment is not needed. */
const dockerMembers = [
  'cpu_stats.cpu_usage.total_usage',
  'cpu_stats.system_cpu_usage',
  'cpu_stats.online_cpus',
  'memory_stats.usage',
  'memory_stats.stats.inactive_file',
  'memory_stats.stats.total_inactive_file',
  'memory_stats.stats.cache',
  'networks.*.tx_bytes',
  'networks.*.rx_bytes',
  'blkio_stats.io_service_bytes_recursive.*.op',
  'blkio_stats.io_service_bytes_recursive.*.value',
]
const podmanMembers = [...dockerMembers, 'read']

export const statsMembers = (podman: boolean): readonly string[] => (podman ? podmanMembers : dockerMembers)

/** The values of `statsMembers`, by place: taking a list apart at once costs the agent's small engine an iterator. */
export function containerReading(values: readonly Member[], takenAtMs: number): ContainerReading {
  const read = values[11]
  return {
    cpuNs: numberOf(values[0]),
    systemCpuNs: numberOf(values[1]),
    onlineCpus: numberOf(values[2]),
    readNs: typeof read === 'string' ? parseTimeNs(read) : undefined,
    memoryBytes: usedMemory(numberOf(values[3]), numberOf(values[4]) || numberOf(values[5]) || numberOf(values[6]) || 0),
    sentBytes: sumOf(values[7]),
    receivedBytes: sumOf(values[8]),
    diskReadBytes: movedBytes(values[9], values[10], 'read'),
    diskWrittenBytes: movedBytes(values[9], values[10], 'write'),
    takenAtMs,
  }
}

const numberOf = (value: Member | undefined): number | undefined => (typeof value === 'number' ? value : undefined)

function sumOf(values: Member | undefined): number | undefined {
  if (!isList(values)) return undefined
  let sum: number | undefined
  for (let place = 0; place < values.length; place++) {
    const value = values[place]
    if (typeof value === 'number') sum = (sum ?? 0) + value
  }
  return sum
}

/** Operations are `Read` and `Write` with control groups of version 1, `read` and `write` with version 2; `Total` counts both. */
function movedBytes(operations: Member | undefined, amounts: Member | undefined, wanted: 'read' | 'write'): number | undefined {
  if (!isList(operations) || !isList(amounts)) return undefined
  let sum: number | undefined
  for (let place = 0; place < operations.length; place++) {
    const operation = operations[place]
    const amount = amounts[place]
    const isWanted = operation === wanted || (isText(operation) && operation.toLowerCase() === wanted)
    if (isWanted && typeof amount === 'number') sum = (sum ?? 0) + amount
  }
  return sum
}

const isList = (value: Member | undefined): value is readonly Member[] => typeof value === 'object' && value !== null
const isText = (value: Member | undefined): value is string => typeof value === 'string'

/** Use without page cache that can be reclaimed: `inactive_file` (cgroup v2, and v1 of today), else `cache`. */
function usedMemory(usage: number | undefined, reclaimableBytes: number): number | undefined {
  const bytes = usage === undefined ? 0 : usage - reclaimableBytes
  return bytes > 0 && bytes <= MAX_MEMORY_BYTES ? bytes : undefined
}

/** RFC 3339 with up to nine decimals; the day is kept whole so that doubles stay exact to the microsecond. */
function parseTimeNs(text: string): number | undefined {
  const [, seconds, fraction = '', zone = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? []
  if (seconds === undefined) return undefined
  const ms = Date.parse(seconds + zone)
  // The zero time of Go stands for "never".
  return Number.isNaN(ms) || ms <= 0 ? undefined : ms * 1_000_000 + Number(fraction.padEnd(9, '0').slice(0, 9))
}

/** Share of the whole machine, percent; `undefined` on the first reading, after a reset, or beyond what is possible. */
export function containerCpuPercent(
  previous: ContainerReading | undefined,
  current: ContainerReading | undefined,
  podman: boolean,
): number | undefined {
  if (previous?.cpuNs === undefined || current?.cpuNs === undefined) return undefined
  const used = current.cpuNs - previous.cpuNs
  const available = podman ? wallCpuNs(previous, current) : systemCpuNs(previous, current)
  if (used < 0 || available === undefined || available <= 0) return undefined
  const percent = (used / available) * 100
  return percent > 100 ? undefined : percent
}

const systemCpuNs = (previous: ContainerReading, current: ContainerReading): number | undefined =>
  previous.systemCpuNs === undefined || current.systemCpuNs === undefined ? undefined : current.systemCpuNs - previous.systemCpuNs

/** Podman's `system_cpu_usage` is of the container's own control group and no measure of the machine. */
function wallCpuNs(previous: ContainerReading, current: ContainerReading): number | undefined {
  if (previous.readNs === undefined || current.readNs === undefined || current.onlineCpus === undefined) return undefined
  return (current.readNs - previous.readNs) * current.onlineCpus
}

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
const both = (inPerSecond: number | undefined, outPerSecond: number | undefined): Throughput | undefined =>
  inPerSecond === undefined || outPerSecond === undefined ? undefined : { inPerSecond, outPerSecond }

export function containerNetwork(previous: ContainerReading | undefined, current: ContainerReading | undefined): Throughput | undefined {
  if (previous === undefined || current === undefined) return undefined
  const elapsedMs = current.takenAtMs - previous.takenAtMs
  return both(
    byteRate(previous.receivedBytes, current.receivedBytes, elapsedMs),
    byteRate(previous.sentBytes, current.sentBytes, elapsedMs),
  )
}

/** What was read comes in, what was written goes out. */
export function containerDisk(previous: ContainerReading | undefined, current: ContainerReading | undefined): Throughput | undefined {
  if (previous === undefined || current === undefined) return undefined
  const elapsedMs = current.takenAtMs - previous.takenAtMs
  return both(
    byteRate(previous.diskReadBytes, current.diskReadBytes, elapsedMs),
    byteRate(previous.diskWrittenBytes, current.diskWrittenBytes, elapsedMs),
  )
}
