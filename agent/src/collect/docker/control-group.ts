import type { ProcSource } from '../../source/proc-source.ts'
import type { CounterFile, CounterNumbers, WantedCounters } from '../../runtime.ts'
import { usedMemory, type ContainerReading } from './container-reading.ts'

/** One container whose control group is known. */
export type ControlGroup = {
  readonly wanted: WantedCounters
  /** Of the file that tells its CPU time. */
  readonly cpuUnitNs: number
}

export type ContainerProcess = {
  /** First 12 digits of the container's id. */
  readonly id: string
  /** Its first process, by its number in the machine. */
  readonly pid: number
  /** Not that of the machine or of another container. */
  readonly hasOwnNetwork: boolean
}

type Version = {
  /** Whose groups are needed, as /proc/PID/cgroup names them; that of version 2 has no name. */
  readonly controllers: readonly string[]
  readonly cpuUnitNs: number
  /** In the order in which `countedReading` takes their numbers. */
  readonly files: readonly { readonly controller: string; readonly name: string; readonly wanted: CounterFile['wanted'] }[]
}

const only = [{ after: '', offset: 1 }]
const next = (...words: readonly string[]) => words.map((after) => ({ after, offset: 1 }))
const memoryStatistics = next('inactive_file', 'total_inactive_file', 'cache')

/** Kernel Documentation/admin-guide/cgroup-v1: cpuacct.rst, memory.rst, blkio-controller.rst; and cgroup-v2.rst. */
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

/** Bytes received and sent, proc_pid_net(5). Engines give a container's own interfaces these names; what it makes itself carries the same traffic again. */
const network: CounterFile = { path: 'net/dev', wanted: [1, 9].map((offset) => ({ after: 'eth#', offset })) }

/**
 * Where the kernel counts what a container uses. `undefined` where that cannot be seen from here, as from within another container without the
 * machine's processes: there the number belongs to no process, or to one that is not of this container.
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

/** The process's group by controller. With version 1 the second version has a group too, without any controller. */
function groupsOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split('\n').flatMap((line) => {
      const [, controllers = '', ...path] = line.split(':')
      return path.length === 0 ? [] : controllers.split(',').map((one) => [one, path.join(':')] as const)
    }),
  )
}

/** The container's own group, which its processes may have divided further; without the first slash. */
function folderIn(path: string | undefined, id: string): string | undefined {
  const steps = path?.split('/').slice(1) ?? []
  const own = steps.findIndex((step) => FULL_ID.exec(step)?.[0].startsWith(id))
  return own === -1 || steps.includes('..') ? undefined : steps.slice(0, own + 1).join('/')
}

/** Bare, or as systemd's units have it: `docker-ID.scope`. */
const FULL_ID = /[0-9a-f]{64}/

/** `undefined` when it is over. */
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
