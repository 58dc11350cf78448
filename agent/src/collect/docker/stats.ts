import { perSecond } from '../../counter.ts'
import { listAt, memberAt, membersAt, numberAt, textAt, type Json } from '../../text/json.ts'
import type { ContainerHealth } from '@vedette/protocol/metrics/sample'

/** One container of `GET /containers/json`. */
export type ListedContainer = {
  /** First 12 digits. */
  readonly id: string
  readonly name: string
  readonly image: string
  readonly status: string
  readonly health: ContainerHealth
  readonly ports: string
  /** How long this run lasts at least, when it (re)started within the last minute: what was read before is of another run. */
  readonly upAtLeastMs?: number
}

/** Counters of one `GET /containers/{id}/stats` answer. What the engine did not say is absent. */
export type ContainerReading = {
  readonly cpuNs?: number
  /** CPU time of the whole machine, all cores together. */
  readonly systemCpuNs?: number
  readonly onlineCpus?: number
  /** The engine's own moment of reading, nanoseconds since an arbitrary moment of that day's scale. */
  readonly readNs?: number
  readonly memoryBytes?: number
  readonly sentBytes: number
  readonly receivedBytes: number
  readonly takenAtMs: number
}

export function parseContainerList(list: Json): readonly ListedContainer[] {
  return listAt(list).flatMap((entry) => {
    const id = textAt(entry, 'Id')
    const name = listAt(entry, 'Names').find((one) => typeof one === 'string')
    if (id === undefined || id.length < 12 || name === undefined) return []
    const status = textAt(entry, 'Status') ?? ''
    const told = healthWord(textAt(entry, 'Health', 'Status'))
    const suffix = statusHealth(status)
    return [
      {
        id: id.slice(0, 12),
        name: name.replace(/^\//, ''),
        image: textAt(entry, 'Image') ?? '',
        status: suffix.status,
        health: told ?? suffix.health,
        ports: portsOf(listAt(entry, 'Ports')),
        ...upAtLeast(status),
      },
    ]
  })
}

/** Within the first minute the engine tells whole seconds: `Up 5 seconds`, `Up Less than a second`. */
function upAtLeast(status: string): Pick<ListedContainer, 'upAtLeastMs'> {
  if (!status.includes('second')) return {}
  return { upAtLeastMs: Number(/(\d+) second/.exec(status)?.[1] ?? 0) * 1000 }
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

export function healthWord(text: string | undefined): ContainerHealth | undefined {
  return text === 'none' || text === 'starting' || text === 'healthy' || text === 'unhealthy' ? text : undefined
}

/** Engines before API 1.52 tell health only inside the status: `Up 2 days (healthy)`. */
function statusHealth(status: string): { readonly status: string; readonly health: ContainerHealth } {
  const match = /^(.*) \((?:health: )?(starting|healthy|unhealthy)\)$/.exec(status)
  const text = (match?.[1] ?? status).replace('About ', '')
  return { status: text, health: healthWord(match?.[2]) ?? 'none' }
}

/** Published ports by number, then address; a wildcard address shows only the port. */
function portsOf(ports: readonly Json[]): string {
  const published = ports.flatMap((port) => {
    const number = numberAt(port, 'PublicPort')
    const ip = textAt(port, 'IP') ?? ''
    return number === undefined || number === 0 ? [] : [{ number, ip: ip === '0.0.0.0' || ip === '::' ? '' : ip }]
  })
  const sorted = published.toSorted((a, b) => a.number - b.number || (a.ip < b.ip ? -1 : Number(a.ip > b.ip)))
  return [...new Set(sorted.map(({ number, ip }) => (ip === '' ? String(number) : `${ip.includes(':') ? `[${ip}]` : ip}:${number}`)))].join(
    ', ',
  )
}

/** More than any machine has: the engine sent a difference that went below zero. */
const MAX_MEMORY_BYTES = 100 * 1024 ** 4

export function parseContainerStats(stats: Json, takenAtMs: number): ContainerReading {
  const networks = membersAt(stats, 'networks').map(([, network]) => network)
  const total = (field: string): number => networks.reduce<number>((sum, network) => sum + (numberAt(network, field) ?? 0), 0)
  const reading: { -readonly [K in keyof ContainerReading]: ContainerReading[K] } = {
    sentBytes: total('tx_bytes'),
    receivedBytes: total('rx_bytes'),
    takenAtMs,
  }
  const cpuNs = numberAt(stats, 'cpu_stats', 'cpu_usage', 'total_usage')
  const systemCpuNs = numberAt(stats, 'cpu_stats', 'system_cpu_usage')
  const onlineCpus = numberAt(stats, 'cpu_stats', 'online_cpus')
  const readNs = parseTimeNs(textAt(stats, 'read'))
  const memoryBytes = memoryOf(stats)
  if (cpuNs !== undefined) reading.cpuNs = cpuNs
  if (systemCpuNs !== undefined) reading.systemCpuNs = systemCpuNs
  if (onlineCpus !== undefined) reading.onlineCpus = onlineCpus
  if (readNs !== undefined) reading.readNs = readNs
  if (memoryBytes !== undefined) reading.memoryBytes = memoryBytes
  return reading
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

/** Faster than any network a container has. */
const MAX_BYTES_PER_SECOND = 5_000_000_000

export function containerNetwork(
  previous: ContainerReading | undefined,
  current: ContainerReading,
): { readonly sentBytesPerSecond: number; readonly receivedBytesPerSecond: number } | undefined {
  const rate = (field: 'sentBytes' | 'receivedBytes'): number | undefined =>
    perSecond(previous && { value: previous[field], takenAtMs: previous.takenAtMs }, {
      value: current[field],
      takenAtMs: current.takenAtMs,
    })
  const sentBytesPerSecond = rate('sentBytes')
  const receivedBytesPerSecond = rate('receivedBytes')
  if (sentBytesPerSecond === undefined || receivedBytesPerSecond === undefined) return undefined
  return sentBytesPerSecond > MAX_BYTES_PER_SECOND || receivedBytesPerSecond > MAX_BYTES_PER_SECOND
    ? undefined
    : { sentBytesPerSecond, receivedBytesPerSecond }
}
