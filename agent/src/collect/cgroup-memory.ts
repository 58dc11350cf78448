import type { MemorySample, SwapSample } from '@vedette/protocol/metrics/sample'
import type { ProcSource } from '../source/proc-source.ts'
import { SourceUnreadable } from '../source/source-unreadable.ts'
import { columns, parseCounter } from '../text/columns.ts'

/**
 * Memory of the control group (cgroup) that limits a container guest such as LXC. Source: kernel Documentation/admin-guide/cgroup-v2.rst,
 * cgroup-v1/memory.rst.
 */
export type CgroupMemory = {
  readonly limitBytes: number
  /** Number of bytes of all memory charged to the control group, page cache included. */
  readonly chargedBytes: number
  /** Page cache of the control group that the kernel can reclaim at once (`inactive_file`), in bytes. */
  readonly inactiveFileBytes: number
  readonly fileBytes: number
  readonly sharedBytes: number
  /**
   * Swap use and limit of the control group in bytes; absent where swap is not counted. `limitBytes` is `undefined` without a swap limit.
   */
  readonly swap?: { readonly limitBytes: number | undefined; readonly usedBytes: number }
}

type Version = {
  readonly root: string
  /**
   * Function that takes the second field (`controllers`) of a line of /proc/1/cgroup and returns true when the line is that of the memory
   * cgroup. The field contains `memory` for cgroup v1 and is empty for v2.
   */
  readonly controller: (controllers: string) => boolean
  readonly limit: string
  readonly usage: string
  readonly inactiveFile: string
  readonly file: string
  readonly shared: string
  readonly swap: (files: GroupFiles) => CgroupMemory['swap']
}

type GroupFiles = {
  readonly bytesIn: (file: string) => number | undefined
  /**
   * Returns the value in bytes of one line, such as `inactive_file`, of the cgroup's file memory.stat; `name` is the line's first word.
   * `undefined` when there is no such line.
   */
  readonly statistic: (name: string) => number | undefined
}

const versions: readonly Version[] = [
  {
    root: 'fs/cgroup',
    controller: (controllers) => controllers === '',
    limit: 'memory.max',
    usage: 'memory.current',
    inactiveFile: 'inactive_file',
    file: 'file',
    shared: 'shmem',
    swap: ({ bytesIn }) => {
      const usedBytes = bytesIn('memory.swap.current')
      return usedBytes === undefined ? undefined : { usedBytes, limitBytes: bytesIn('memory.swap.max') }
    },
  },
  {
    root: 'fs/cgroup/memory',
    controller: (controllers) => controllers.split(',').includes('memory'),
    limit: 'memory.limit_in_bytes',
    usage: 'memory.usage_in_bytes',
    inactiveFile: 'total_inactive_file',
    file: 'total_cache',
    shared: 'total_shmem',
    // cgroup v1 limits memory and swap together. Their use comes from one file, because it would change between two reads.
    swap: ({ bytesIn, statistic }) => {
      const usedBytes = statistic('total_swap')
      const both = bytesIn('memory.memsw.limit_in_bytes')
      const memory = bytesIn('memory.limit_in_bytes')
      const limitBytes = both === undefined || memory === undefined ? undefined : Math.max(0, both - memory)
      return usedBytes === undefined ? undefined : { usedBytes, limitBytes }
    },
  },
]

/**
 * Returns limit and use of memory of a container guest such as LXC. It reads the cgroup with the lowest limit: that of the guest's first
 * process or one of its parents. `undefined` without a limit; throws `SourceUnreadable` when a limited cgroup's files lack a value or are
 * malformed.
 */
export function readGuestMemory(source: ProcSource): CgroupMemory | undefined {
  const groups = source.tryProc('1/cgroup') ?? ''
  const all = versions.flatMap((version) => foldersOf(version, groups).flatMap((folder) => readGroup(source, version, folder) ?? []))
  const [tightest] = all.toSorted((a, b) => a.limitBytes - b.limitBytes)
  return tightest
}

/**
 * Returns the list of paths, relative to the /sys root, of the folder of the first process's memory cgroup and of its parents, outermost
 * first. `groups` is the text of /proc/1/cgroup. Steps `..`, which occur in the host's view, are left out.
 */
function foldersOf(version: Version, groups: string): readonly string[] {
  const line = groups.split('\n').find((one) => version.controller(one.split(':', 2)[1] ?? '-'))
  const path = line?.split(':').slice(2).join(':') ?? '/'
  const parts = path.split('/').filter((part) => part !== '' && part !== '..')
  return [...parts.keys(), parts.length].map((depth) => [version.root, ...parts.slice(0, depth)].join('/'))
}

function readGroup(source: ProcSource, version: Version, folder: string): CgroupMemory | undefined {
  const bytesIn = (file: string): number | undefined => {
    const text = source.trySys(`${folder}/${file}`)?.trim()
    if (text !== undefined && !isNumberOrMax(text)) throw new SourceUnreadable(`Cannot parse "/sys/${folder}/${file}": it is not a number`)
    return parseLimit(text)
  }
  const limitBytes = bytesIn(version.limit)
  if (limitBytes === undefined) return undefined
  const chargedBytes = bytesIn(version.usage)
  const lines = (source.trySys(`${folder}/memory.stat`) ?? '').split('\n').map(columns)
  const statistics = new Map(lines.map(([name, value]) => [name, value]))
  const statistic = (name: string): number | undefined => {
    const text = statistics.get(name)
    const value = parseCounter(text)
    if (text !== undefined && value === undefined) {
      throw new SourceUnreadable(`Cannot parse "/sys/${folder}/memory.stat": "${name}" has no number of 0 or more`)
    }
    return value
  }
  const inactiveFileBytes = statistic(version.inactiveFile)
  // Without these two, the numbers would be the machine's or would count the cache as used.
  if (chargedBytes === undefined || inactiveFileBytes === undefined) {
    throw new SourceUnreadable(`Cannot read the memory of the control group in "/sys/${folder}"`)
  }
  const swap = version.swap({ bytesIn, statistic })
  return {
    limitBytes,
    chargedBytes,
    inactiveFileBytes,
    fileBytes: statistic(version.file) ?? 0,
    sharedBytes: statistic(version.shared) ?? 0,
    ...(swap === undefined ? {} : { swap }),
  }
}

const isNumberOrMax = (text: string): boolean => text === 'max' || parseCounter(text) !== undefined

/**
 * Returns the number of bytes in the text of a cgroup's file, such as a memory limit. `undefined` for a missing text, for no limit (`max`),
 * and above 2^60, since cgroup v1 writes nearly 2^63 for unlimited.
 */
function parseLimit(text: string | undefined): number | undefined {
  const bytes = parseCounter(text?.trim())
  return bytes === undefined || bytes > 2 ** 60 ? undefined : bytes
}

/**
 * Returns the memory sample of a container guest: size and use of its cgroup `group`. If the limit is 0 or not below the machine's memory,
 * `machine` is returned unchanged. Used bytes are limited to 0 up to that size, and cached bytes to the rest.
 */
export function guestMemory(machine: MemorySample, group: CgroupMemory): MemorySample {
  if (group.limitBytes >= machine.totalBytes || group.limitBytes <= 0) return machine
  const totalBytes = group.limitBytes
  const usedBytes = within(totalBytes, group.chargedBytes - group.inactiveFileBytes)
  const cacheBytes = within(totalBytes - usedBytes, group.fileBytes - group.sharedBytes)
  return { totalBytes, usedBytes, usedPercent: (usedBytes / totalBytes) * 100, cacheBytes }
}

export function guestSwap(machine: SwapSample | undefined, { swap }: CgroupMemory): SwapSample | undefined {
  if (machine === undefined || swap === undefined) return machine
  const totalBytes = Math.min(machine.totalBytes, swap.limitBytes ?? machine.totalBytes)
  return { totalBytes, usedBytes: within(totalBytes, swap.usedBytes) }
}

const within = (limit: number, bytes: number): number => Math.min(limit, Math.max(0, bytes))
