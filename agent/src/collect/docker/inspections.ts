import type { ContainerHealth } from '@vedette/protocol/metrics/sample'
import type { Member, MembersAnswer } from '../../runtime/runtime.ts'
import type { EngineClient } from './client.ts'
import { containerLimits, limitMembers, type ContainerLimits, type MachineSize } from './container-limits.ts'
import { healthWord, type ListedContainer } from './list.ts'

/**
 * Facts from a container's inspection (`GET /containers/{id}/json`) that the container list lacks: limits, health, restart count, network
 * mode and PID.
 */
export type InspectedFacts = ContainerLimits & {
  readonly health: ContainerHealth | undefined
  /** Number of times that Docker or Podman restarted the container by its restart policy; `undefined` when unknown. */
  readonly restarts: number | undefined
  readonly networkMode: string | undefined
  /** PID of the container's first process, in the machine's PID namespace; `undefined` when unknown. */
  readonly pid: number | undefined
}

/**
 * Cache of container inspections (`GET /containers/{id}/json`). An inspection costs a request and several kB, and changes only when the
 * container restarts or its health changes.
 */
export type Inspections = {
  /**
   * Requests the missing and expired inspections of the given containers from Docker or Podman, within `budgetMs` ms, and caches them.
   * After a failure, the previous inspection stays until the next expiry; the promise does not reject.
   */
  readonly renew: (containers: readonly ListedContainer[], podman: boolean, budgetMs: number) => Promise<void>
  /**
   * Returns facts from the container's cached inspection, by container id, even if it has expired; `undefined` while no request for it has
   * succeeded.
   */
  readonly of: (id: string) => InspectedFacts | undefined
  /** Removes the cached inspections of all containers except those with the given ids. */
  readonly keepOnly: (ids: ReadonlySet<string>) => void
}

const KEPT_MS = 10 * 60_000
/** Cache time in ms, 60 s, of inspections by Podman. It is shorter than Docker's because Podman's container list has no health. */
const HEALTH_KEPT_MS = 60_000
/**
 * Cache time in ms, 10 s, of inspections of containers that started within the last minute. It is short because their restart count may
 * still grow.
 */
const YOUNG_KEPT_MS = 10_000

const AT_ONCE = 5

const members = ['State.Health.Status', 'RestartCount', 'HostConfig.NetworkMode', 'State.Pid', ...limitMembers]

export function createInspections(engine: EngineClient, nowMs: () => number, machine: () => MachineSize): Inspections {
  const known = new Map<string, { readonly inspected: InspectedFacts | undefined; readonly askedAtMs: number }>()

  const isOld = ({ id, upAtLeastMs }: ListedContainer, podman: boolean, atMs: number): boolean => {
    const before = known.get(id)
    const keptMs = upAtLeastMs !== undefined ? YOUNG_KEPT_MS : podman ? HEALTH_KEPT_MS : KEPT_MS
    return before === undefined || atMs - before.askedAtMs >= keptMs
  }

  return {
    renew: async (containers, podman, budgetMs) => {
      const askedAtMs = nowMs()
      const ids = containers.filter((one) => isOld(one, podman, askedAtMs)).map(({ id }) => id)
      if (ids.length === 0) return
      const paths = ids.map((id) => `/containers/${id}/json`)
      const answers = await engine.getMembers(paths, { members, atOnce: AT_ONCE, totalMs: budgetMs })
      const size = machine()
      // On a failure (the container ended, or a proxy forbids inspections) the last known inspection is kept.
      ids.forEach((id, place) => known.set(id, { inspected: inspectedOf(answers[place], size) ?? known.get(id)?.inspected, askedAtMs }))
    },
    of: (id) => known.get(id)?.inspected,
    keepOnly: (ids) => {
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id)
    },
  }
}

function inspectedOf(answer: MembersAnswer | undefined, machine: MachineSize): InspectedFacts | undefined {
  if (answer?.kind !== 'members') return undefined
  const [health, restarts, networkMode, pid, ...limits] = answer.values
  return {
    health: healthWord(textOf(health)),
    restarts: typeof restarts === 'number' && restarts >= 0 ? restarts : undefined,
    networkMode: textOf(networkMode),
    pid: typeof pid === 'number' ? pid : undefined,
    ...containerLimits(limits, machine),
  }
}

const textOf = (value: Member | undefined): string | undefined => (typeof value === 'string' ? value : undefined)
