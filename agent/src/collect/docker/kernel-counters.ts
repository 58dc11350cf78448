import type { Loop } from '../../runtime/deadline.ts'
import type { ProcSource } from '../../source/proc-source.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { ContainerReading, Readings } from './container-reading.ts'
import { controlGroupOf, countedReading, type ContainerProcess, type ControlGroup } from './control-group.ts'

/**
 * Functions that read containers' counters from kernel files, which costs a fraction of a request to Docker. A container is read so only
 * while its counters are trusted: they matched Docker's at a comparison every 10 min.
 */
export type KernelCounters = {
  /**
   * Returns the kernel's counters of those of the containers (ids) that are trusted; Docker must be queried for the others. `someEnded` is
   * true when the counters of a trusted container can no longer be read, since it has ended.
   */
  readonly read: (ids: readonly string[]) => { readonly readings: Readings; readonly someEnded: boolean }
  /**
   * Reads the kernel's counters of these containers, at most 100, except trusted and recently refused ones. Returns a function; call it
   * with Docker's readings, made after that. It reads the counters again, trusts a container whose Docker values lie between both readings,
   * and refuses others for 10 min.
   */
  readonly compare: (containers: readonly ContainerProcess[]) => (told: Readings) => void
  /**
   * Closes the open counter files of all containers except those with the given ids. Forgets for the others too that their kernel counters
   * did not match Docker's.
   */
  readonly keepOnly: (ids: ReadonlySet<string>) => void
}

type Opened = {
  /**
   * Id (number), chosen by the agent, of the container's set of open counter files: kernel files with its CPU, memory and I/O counters. It
   * is passed to `Runtime.countersRead`.
   */
  readonly number: number
  readonly container: ContainerProcess
  readonly group: ControlGroup
  /**
   * Set while the container's kernel counters are trusted: monotonic time in ms of the comparison with Docker, and the number of CPUs then.
   * Absent otherwise.
   */
  readonly trusted?: { readonly onlineCpus: number | undefined; readonly sinceMs: number }
}

/**
 * Maximum number of containers, 100, whose counter files stay open; for further ones, Docker is queried. Each has up to 5 open files, and a
 * process usually may open 1024.
 */
const MAX_OPEN = 100

/**
 * Interval in ms, 10 min, of comparisons of a container's kernel counters with Docker's. A trusted container is compared again, and a
 * refused one gets another try, because interfaces and CPUs change.
 */
const COMPARED_EVERY_MS = 10 * 60_000

export type KernelCountersParts = { readonly runtime: Runtime; readonly loop: Loop; readonly source: ProcSource }

export function createKernelCounters({ runtime, loop, source }: KernelCountersParts): KernelCounters {
  const opened = new Map<string, Opened>()
  const refused = new Map<string, { readonly pid: number; readonly sinceMs: number }>()
  const nowMs = (): number => runtime.clock().monotonicMs

  const giveUp = (id: string): void => {
    const one = opened.get(id)
    if (one !== undefined) runtime.countersClose(one.number)
    opened.delete(id)
  }

  const refuse = ({ id, pid }: ContainerProcess): void => {
    giveUp(id)
    refused.set(id, { pid, sinceMs: nowMs() })
  }

  const isCandidate = ({ id, pid }: ContainerProcess): boolean => {
    const before = refused.get(id)
    const isRefused = before?.pid === pid && nowMs() - before.sinceMs < COMPARED_EVERY_MS
    return !isRefused && !opened.has(id) && opened.size < MAX_OPEN
  }

  const open = (container: ContainerProcess): readonly Opened[] => {
    const group = controlGroupOf(source, container)
    const number = loop.freshId()
    if (group === undefined || !runtime.countersOpen(number, group.wanted)) {
      refuse(container)
      return []
    }
    const one = { number, container, group }
    opened.set(container.id, one)
    return [one]
  }

  const readNow = (some: readonly Opened[], takenAtMs = nowMs()): readonly (ContainerReading | undefined)[] => {
    if (some.length === 0) return []
    const numbers = runtime.countersRead(some.map(({ number }) => number))
    return some.map(({ group, trusted }, place) => countedReading(group, numbers[place], { takenAtMs, onlineCpus: trusted?.onlineCpus }))
  }

  /**
   * Returns those of the containers (ids) whose kernel counters matched Docker's less than 10 min before `atMs`, so that they may be used
   * without Docker. Closes the counter files of those that matched earlier.
   */
  const trustedAt = (ids: readonly string[], atMs: number): readonly Opened[] => {
    const found: Opened[] = []
    for (const id of ids) {
      const one = opened.get(id)
      if (one?.trusted === undefined) continue
      if (atMs - one.trusted.sinceMs < COMPARED_EVERY_MS) found.push(one)
      else giveUp(id)
    }
    return found
  }

  return {
    read: (ids) => {
      const atMs = nowMs()
      const trusted = trustedAt(ids, atMs)
      const readings = new Map<string, ContainerReading>()
      readNow(trusted, atMs).forEach((reading, place) => {
        const id = trusted[place]?.container.id ?? ''
        if (reading === undefined) giveUp(id)
        else readings.set(id, reading)
      })
      return { readings, someEnded: readings.size < trusted.length }
    },
    compare: (containers) => {
      const candidates = containers.flatMap((one) => (isCandidate(one) ? open(one) : []))
      const before = readNow(candidates)
      return (told) => {
        const after = readNow(candidates)
        candidates.forEach((one, place) => {
          const { container } = one
          const answer = told.get(container.id)
          if (answer === undefined) giveUp(container.id)
          else if (!isBetween(before[place], answer, after[place], container.hasOwnNetwork)) refuse(container)
          else opened.set(container.id, { ...one, trusted: { onlineCpus: answer.onlineCpus, sinceMs: nowMs() } })
        })
      }
    },
    keepOnly: (ids) => {
      for (const id of opened.keys()) if (!ids.has(id)) giveUp(id)
      for (const id of refused.keys()) if (!ids.has(id)) refused.delete(id)
    },
  }
}

const traffic = ['sentBytes', 'receivedBytes'] as const
const others = ['cpuNs', 'diskReadBytes', 'diskWrittenBytes'] as const

/**
 * Returns true when each of Docker's counters lies between the kernel's values read before and after it, and the memory values are alike.
 * As counters only grow, this must hold if both describe the same container. Network counters are compared only with `hasOwnNetwork`; a
 * counter may be missing in all three.
 */
function isBetween(
  before: ContainerReading | undefined,
  told: ContainerReading,
  after: ContainerReading | undefined,
  hasOwnNetwork: boolean,
): boolean {
  if (before?.cpuNs === undefined || after === undefined) return false
  const compared = hasOwnNetwork ? [...others, ...traffic] : others
  return compared.every((name) => isInOrder(before[name], told[name], after[name])) && isAlike(before.memoryBytes, told.memoryBytes)
}

function isInOrder(...[before, told, after]: readonly (number | undefined)[]): boolean {
  if (before === undefined || told === undefined || after === undefined) return before === told && told === after
  return before <= told && told <= after
}

/**
 * Returns true when the memory values of kernel and Docker differ by at most a quarter of the larger plus 4 MiB. True too when both are
 * unknown. Memory of another cgroup would differ more.
 */
const isAlike = (one: number | undefined, other: number | undefined): boolean =>
  one === undefined || other === undefined ? one === other : Math.abs(one - other) <= Math.max(one, other) / 4 + MEMORY_SLACK_BYTES

const MEMORY_SLACK_BYTES = 4 * 1024 * 1024
