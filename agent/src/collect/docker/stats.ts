import type { Member } from '../../runtime/runtime.ts'
import { rfc3339Ns } from '../../text/rfc3339.ts'
import { usedMemory, type ContainerReading } from './container-reading.ts'

/** List of the paths of the JSON members to read from Docker's response to `GET /containers/{id}/stats`. */
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

/**
 * Builds a container reading from the values of Docker's stats response, in the order of the paths in `statsMembers`. `takenAtMs` is the
 * monotonic time of the response.
 */
export function containerReading(values: readonly Member[], takenAtMs: number, podman: boolean): ContainerReading {
  return {
    source: podman ? 'podman' : 'docker',
    cpuNs: numberOf(values[0]),
    // Podman's `system_cpu_usage` is that of the container's own control group, not of the machine.
    clockNs: podman ? rfc3339Ns(values[11]) : numberOf(values[1]),
    onlineCpus: numberOf(values[2]),
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

/**
 * Returns the bytes that a container has read or written: the sum of the amounts of one operation in `io_service_bytes_recursive`;
 * `undefined` without numbers. Operations are `Read`/`Write` (cgroup v1) or `read`/`write` (v2).
 */
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
