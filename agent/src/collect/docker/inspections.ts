import type { ContainerHealth } from '@vedette/protocol/metrics/sample'
import { present } from '@vedette/protocol/wire/present'
import { numberAt, textAt, type Json } from '../../text/json.ts'
import type { EngineClient } from './client.ts'
import { healthWord, type ListedContainer } from './list.ts'

/** What only an inspection (`GET /containers/{id}/json`) tells of a container. */
export type Inspected = {
  readonly health?: ContainerHealth
  /** How often the restart policy started it again. */
  readonly restarts?: number
  readonly networkMode?: string
}

/** Each inspection costs a request and some kilobytes, and what it tells changes rarely: only with a new run, or health. */
export type Inspections = {
  /** What is known, asked for again when it is old; `undefined` when it cannot be asked. */
  readonly of: (container: ListedContainer, podman: boolean) => Promise<Inspected | undefined>
  /** Forgets all others. */
  readonly keepOnly: (ids: ReadonlySet<string>) => void
}

const KEPT_MS = 10 * 60_000
/** Podman's list tells no health. */
const HEALTH_KEPT_MS = 60_000
/** A container that is being restarted counts up. */
const YOUNG_KEPT_MS = 10_000

export function createInspections(engine: EngineClient, nowMs: () => number): Inspections {
  const known = new Map<string, { readonly inspected: Inspected | undefined; readonly askedAtMs: number }>()

  const ask = async (id: string): Promise<Inspected | undefined> => {
    try {
      return parseInspection((await engine.get(`/containers/${id}/json`)).value)
    } catch {
      // It ended in between, or a proxy lets nobody inspect: what the list says must do.
      return undefined
    }
  }

  return {
    of: async ({ id, upAtLeastMs }, podman) => {
      const before = known.get(id)
      const keptMs = upAtLeastMs !== undefined ? YOUNG_KEPT_MS : podman ? HEALTH_KEPT_MS : KEPT_MS
      if (before !== undefined && nowMs() - before.askedAtMs < keptMs) return before.inspected
      const askedAtMs = nowMs()
      const inspected = (await ask(id)) ?? before?.inspected
      known.set(id, { inspected, askedAtMs })
      return inspected
    },
    keepOnly: (ids) => {
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id)
    },
  }
}

export function parseInspection(inspection: Json): Inspected {
  const restarts = numberAt(inspection, 'RestartCount')
  return present<Inspected>({
    health: healthWord(textAt(inspection, 'State', 'Health', 'Status')),
    restarts: restarts !== undefined && restarts >= 0 ? restarts : undefined,
    networkMode: textAt(inspection, 'HostConfig', 'NetworkMode'),
  })
}
