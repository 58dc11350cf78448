import { present } from '@vedette/protocol/wire/present'
import { perSecond } from '../../counter.ts'
import { listAt, memberAt, membersAt, numberAt, textAt, type Json } from '../../text/json.ts'
import type { ListedContainer } from './list.ts'

/** Counters of one `GET /containers/{id}/stats` answer. What the engine did not say is absent. */
export type ContainerReading = {
  readonly cpuNs?: number
  /** CPU time of the whole machine, all cores together. */
  readonly systemCpuNs?: number
  readonly onlineCpus?: number
  /** The engine's own moment of reading, nanoseconds since an arbitrary moment of that day's scale. */
  readonly readNs?: number
  readonly memoryBytes?: number
  /** Of all networks; absent where the container has none of its own. */
  readonly sentBytes?: number
  readonly receivedBytes?: number
  /** Of all block devices; absent where the kernel counts none or none was used yet. */
  readonly diskReadBytes?: number
  readonly diskWrittenBytes?: number
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

export function parseContainerStats(stats: Json, takenAtMs: number): ContainerReading {
  const cpu = memberAt(stats, 'cpu_stats')
  return present<ContainerReading>({
    cpuNs: numberAt(cpu, 'cpu_usage', 'total_usage'),
    systemCpuNs: numberAt(cpu, 'system_cpu_usage'),
    onlineCpus: numberAt(cpu, 'online_cpus'),
    readNs: parseTimeNs(textAt(stats, 'read')),
    memoryBytes: memoryOf(stats),
    ...networkTotals(stats),
    ...diskTotals(stats),
    takenAtMs,
  })
}

const plus = (sum: number | undefined, more: number | undefined): number | undefined => (more === undefined ? sum : (sum ?? 0) + more)

function networkTotals(stats: Json): { readonly sentBytes: number | undefined; readonly receivedBytes: number | undefined } {
  let sentBytes: number | undefined
  let receivedBytes: number | undefined
  for (const [, network] of membersAt(stats, 'networks')) {
    sentBytes = plus(sentBytes, numberAt(network, 'tx_bytes'))
    receivedBytes = plus(receivedBytes, numberAt(network, 'rx_bytes'))
  }
  return { sentBytes, receivedBytes }
}

/** Operations are `Read` and `Write` with control groups of version 1, `read` and `write` with version 2; `Total` counts both. */
function diskTotals(stats: Json): { readonly diskReadBytes: number | undefined; readonly diskWrittenBytes: number | undefined } {
  let diskReadBytes: number | undefined
  let diskWrittenBytes: number | undefined
  for (const entry of listAt(stats, 'blkio_stats', 'io_service_bytes_recursive')) {
    const operation = textAt(entry, 'op')?.toLowerCase()
    if (operation === 'read') diskReadBytes = plus(diskReadBytes, numberAt(entry, 'value'))
    else if (operation === 'write') diskWrittenBytes = plus(diskWrittenBytes, numberAt(entry, 'value'))
  }
  return { diskReadBytes, diskWrittenBytes }
}

/** Use without page cache that can be reclaimed: `inactive_file` (cgroup v2, and v1 of today), else `cache`. */
function memoryOf(stats: Json): number | undefined {
  const usage = numberAt(stats, 'memory_stats', 'usage')
  if (usage === undefined) return undefined
  const details = memberAt(stats, 'memory_stats', 'stats')
  const bytes = usage - (numberAt(details, 'inactive_file') || numberAt(details, 'total_inactive_file') || numberAt(details, 'cache') || 0)
  return bytes > 0 && bytes <= MAX_MEMORY_BYTES ? bytes : undefined
}

/** RFC 3339 with up to nine decimals; the day is kept whole so that doubles stay exact to the microsecond. */
export function parseTimeNs(text: string | undefined): number | undefined {
  const [, seconds, fraction = '', zone = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/.exec(text ?? '') ?? []
  if (seconds === undefined) return undefined
  const ms = Date.parse(seconds + zone)
  // The zero time of Go stands for "never".
  return Number.isNaN(ms) || ms <= 0 ? undefined : ms * 1_000_000 + Number(fraction.padEnd(9, '0').slice(0, 9))
}

/** Share of the whole machine, percent; `undefined` on the first reading, after a reset, or beyond what is possible. */
export function containerCpuPercent(
  previous: ContainerReading | undefined,
  current: ContainerReading,
  podman: boolean,
): number | undefined {
  if (previous?.cpuNs === undefined || current.cpuNs === undefined) return undefined
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

type CounterName = 'sentBytes' | 'receivedBytes' | 'diskReadBytes' | 'diskWrittenBytes'

function byteRate(previous: ContainerReading | undefined, current: ContainerReading, name: CounterName): number | undefined {
  const [before, now] = [previous?.[name], current[name]]
  if (previous === undefined || before === undefined || now === undefined) return undefined
  const rate = perSecond({ value: before, takenAtMs: previous.takenAtMs }, { value: now, takenAtMs: current.takenAtMs })
  return rate !== undefined && rate > MAX_BYTES_PER_SECOND ? undefined : rate
}

export type ContainerRates = {
  readonly sentBytesPerSecond?: number
  readonly receivedBytesPerSecond?: number
  readonly diskReadBytesPerSecond?: number
  readonly diskWrittenBytesPerSecond?: number
}

/** Both directions or none: one that cannot be known spoils the other's meaning. */
export function containerNetwork(previous: ContainerReading | undefined, current: ContainerReading): ContainerRates {
  const sentBytesPerSecond = byteRate(previous, current, 'sentBytes')
  const receivedBytesPerSecond = byteRate(previous, current, 'receivedBytes')
  return sentBytesPerSecond === undefined || receivedBytesPerSecond === undefined ? {} : { sentBytesPerSecond, receivedBytesPerSecond }
}

export function containerDisk(previous: ContainerReading | undefined, current: ContainerReading): ContainerRates {
  const diskReadBytesPerSecond = byteRate(previous, current, 'diskReadBytes')
  const diskWrittenBytesPerSecond = byteRate(previous, current, 'diskWrittenBytes')
  return diskReadBytesPerSecond === undefined || diskWrittenBytesPerSecond === undefined
    ? {}
    : { diskReadBytesPerSecond, diskWrittenBytesPerSecond }
}
