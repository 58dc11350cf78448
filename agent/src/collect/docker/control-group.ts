import type { ProcSource } from '../../source/proc-source.ts'
import type { CounterFile, CounterNumbers, WantedCounters } from '../../runtime/runtime.ts'
import { usedMemory, type ContainerReading } from './container-reading.ts'

/**
 * Where to read one container's counters: paths of its cgroup's files with the numbers to read in each, and the unit of the CPU counter.
 */
export type ControlGroup = {
  readonly wanted: WantedCounters
  /** Factor from the unit of the cgroup's CPU time counter to ns: 1 for cgroup v1, 1000 for v2. */
  readonly cpuUnitNs: number
}

export type ContainerProcess = {
  /** First 12 hexadecimal digits of the id of the container whose counters are read. */
  readonly id: string
  /** PID of the container's first process, in the machine's PID namespace. */
  readonly pid: number
  /** False when the container shares the network of its host or of another container, so that it has no network counters of its own. */
  readonly hasOwnNetwork: boolean
}

type Version = {
  /**
   * List of the names of the cgroup controllers whose files are read, as in /proc/PID/cgroup, such as `memory`. cgroup v2 has one entry,
   * the empty name.
   */
  readonly controllers: readonly string[]
  readonly cpuUnitNs: number
  /**
   * List of the counter files in a cgroup's folder, each with the places of the numbers to read from it. `countedReading` takes all these
   * numbers in this order.
   */
  readonly files: readonly { readonly controller: string; readonly name: string; readonly wanted: CounterFile['wanted'] }[]
}

const only = [{ after: '', offset: 1 }]
const next = (...words: readonly string[]) => words.map((after) => ({ after, offset: 1 }))
const memoryStatistics = next('inactive_file', 'total_inactive_file', 'cache')

/**
 * List of the cgroup versions, v1 and v2, each with its counter files. Sources: kernel Documentation/admin-guide/cgroup-v1 (cpuacct.rst,
 * memory.rst, blkio-controller.rst) and cgroup-v2.rst.
 */
const versions: readonly Version[] = [
  {
    controllers: ['cpuacct', 'memory', 'blkio'],
    cpuUnitNs: 1,
    files: [
      { controller: 'cpuacct', name: 'cpuacct.usage', wanted: only },
      { controller: 'memory', name: 'memory.usage_in_bytes', wanted: only },
      { controller: 'memory', name: 'memory.stat', wanted: memoryStatistics },
      { controller: 'blkio', name: 'blkio.throttle.io_service_bytes_recursive', wanted: next('Read', 'Write') },
    ],
  },
  {
    controllers: [''],
    cpuUnitNs: 1000,
    files: [
      { controller: '', name: 'cpu.stat', wanted: next('usage_usec') },
      { controller: '', name: 'memory.current', wanted: only },
      { controller: '', name: 'memory.stat', wanted: memoryStatistics },
      { controller: '', name: 'io.stat', wanted: next('rbytes', 'wbytes') },
    ],
  },
]

/**
 * Counter file net/dev of a process, proc_pid_net(5), with the numbers to read: received and sent bytes. Only interfaces `eth0`, `eth1` and
 * so on count, because traffic may pass a second interface too.
 */
const network: CounterFile = { path: 'net/dev', wanted: [1, 9].map((offset) => ({ after: 'eth#', offset })) }

/**
 * Returns the paths of a container's cgroup counter files, with the numbers to read in each. `undefined` unless /proc/PID/cgroup of its PID
 * names the container's id. Without the host's PID namespace, the PID belongs to another process.
 */
export function controlGroupOf(source: ProcSource, { id, pid, hasOwnNetwork }: ContainerProcess): ControlGroup | undefined {
  const groups = groupsOf(source.tryProc(`${pid}/cgroup`) ?? '')
  const folderOf = (controller: string): string | undefined => folderIn(groups.get(controller), id)
  const version = versions.find(({ controllers }) => controllers.every((one) => folderOf(one) !== undefined))
  if (version === undefined) return undefined
  const files = version.files.map(({ controller, name, wanted }): CounterFile => {
    const steps = ['fs/cgroup', controller, folderOf(controller), name].filter((step) => step !== '')
    return { path: source.paths.sys(steps.join('/')), wanted }
  })
  return {
    cpuUnitNs: version.cpuUnitNs,
    wanted: { processFolder: source.paths.proc(String(pid)), files: hasOwnNetwork ? [...files, network] : files },
  }
}

/**
 * Parses /proc/PID/cgroup into a map from controller to the cgroup's path. A cgroup v1 system may also have a v2 group without controllers.
 */
function groupsOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split('\n').flatMap((line) => {
      const [, controllers = '', ...path] = line.split(':')
      return path.length === 0 ? [] : controllers.split(',').map((one) => [one, path.join(':')] as const)
    }),
  )
}

/**
 * Returns the path of a container's cgroup: the part of `path` (from /proc/PID/cgroup) up to the step with the full container id, without
 * leading slash. `id` is its first 12 digits. `undefined` if no step contains it, or for a path with `..`.
 */
function folderIn(path: string | undefined, id: string): string | undefined {
  const steps = path?.split('/').slice(1) ?? []
  const own = steps.findIndex((step) => FULL_ID.exec(step)?.[0].startsWith(id))
  return own === -1 || steps.includes('..') ? undefined : steps.slice(0, own + 1).join('/')
}

/** Regular expression that matches a full container id, alone or inside a systemd unit name such as `docker-ID.scope`. */
const FULL_ID = /[0-9a-f]{64}/

/**
 * Builds a container's reading (counters at one moment) from the numbers in its cgroup's files. `undefined` when they could not be read, as
 * after the container's end.
 */
export function countedReading(
  { cpuUnitNs }: ControlGroup,
  numbers: CounterNumbers | undefined,
  { takenAtMs, onlineCpus }: Pick<ContainerReading, 'takenAtMs' | 'onlineCpus'>,
): ContainerReading | undefined {
  if (numbers === null || numbers === undefined) return undefined
  const known = (place: number): number | undefined => numbers[place] ?? undefined
  const cpu = known(0)
  return {
    source: 'kernel',
    cpuNs: cpu === undefined ? undefined : cpu * cpuUnitNs,
    clockNs: takenAtMs * NS_PER_MS,
    onlineCpus,
    memoryBytes: usedMemory(known(1), known(2) || known(3) || known(4) || 0),
    diskReadBytes: known(5),
    diskWrittenBytes: known(6),
    receivedBytes: known(7),
    sentBytes: known(8),
    takenAtMs,
  }
}

const NS_PER_MS = 1_000_000
