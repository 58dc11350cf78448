import type { ContainerHealth } from '@vedette/protocol/metrics/sample'
import type { Member, MembersAnswer } from '../../runtime.ts'
import type { EngineClient } from './client.ts'
import { healthWord, type ListedContainer } from './list.ts'

/** What only an inspection (`GET /containers/{id}/json`) tells of a container. */
export type Inspected = {
  readonly health: ContainerHealth | undefined
  /** How often the restart policy started it again. */
  readonly restarts: number | undefined
  readonly networkMode: string | undefined
  /** Number of its first process, as the machine has it. */
  readonly pid: number | undefined
}

/** Each inspection costs a request and some kilobytes, and what it tells changes rarely: only with a new run, or health. */
export type Inspections = {
  /** Asks for what is not known or old. */
  readonly renew: (containers: readonly ListedContainer[], podman: boolean, budgetMs: number) => Promise<void>
  /** What is known; `undefined` when it could not be asked. */
  readonly of: (id: string) => Inspected | undefined
  /** Forgets all others. */
  readonly keepOnly: (ids: ReadonlySet<string>) => void
}

const KEPT_MS = 10 * 60_000
/** Podman's list tells no health. */
const HEALTH_KEPT_MS = 60_000
/** A container that is being restarted counts up. */
const YOUNG_KEPT_MS = 10_000

const AT_ONCE = 5

const members = ['State.Health.Status', 'RestartCount', 'HostConfig.NetworkMode', 'State.Pid']

export function createInspections(engine: EngineClient, nowMs: () => number): Inspections {
  const known = new Map<string, { readonly inspected: Inspected | undefined; readonly askedAtMs: number }>()

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
      // It ended in between, or a proxy lets nobody inspect: what was known and the list says must do.
      ids.forEach((id, place) => known.set(id, { inspected: inspectedOf(answers[place]) ?? known.get(id)?.inspected, askedAtMs }))
    },
    of: (id) => known.get(id)?.inspected,
    keepOnly: (ids) => {
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id)
    },
  }
}

function inspectedOf(answer: MembersAnswer | undefined): Inspected | undefined {
  if (answer?.kind !== 'members') return undefined
  const [health, restarts, networkMode, pid] = answer.values
  return {
    health: healthWord(textOf(health)),
    restarts: typeof restarts === 'number' && restarts >= 0 ? restarts : undefined,
    networkMode: textOf(networkMode),
    pid: typeof pid === 'number' ? pid : undefined,
  }
}

const textOf = (value: Member | undefined): string | undefined => (typeof value === 'string' ? value : undefined)
