import type { ContainerHealth, ContainerSample } from '@vedette/protocol/metrics/sample'
import { matchesGlob } from '../../text/glob.ts'
import { textAt } from '../../text/json.ts'
import { createBaselines } from '../baselines.ts'
import type { Collector, Tick } from '../collector.ts'
import type { EngineClient, EngineKind } from './client.ts'
import {
  containerCpuPercent,
  containerNetwork,
  healthWord,
  parseContainerList,
  parseContainerStats,
  sameRun,
  type ContainerReading,
  type ListedContainer,
} from './stats.ts'

export type ContainerOptions = {
  /** Names that are left out; `*` stands for anything. */
  readonly exclude: readonly string[]
  readonly nowMs: () => number
}

/** One container as listed, with what two readings of its counters tell. */
export function containerSample(
  listed: ListedContainer,
  previous: ContainerReading | undefined,
  current: ContainerReading | undefined,
  podman: boolean,
): ContainerSample {
  const { id, name, image, status, health, ports } = listed
  const cpuPercent = current && containerCpuPercent(previous, current, podman)
  return {
    id,
    name,
    image,
    status,
    health,
    ports,
    ...(cpuPercent === undefined ? {} : { cpuPercent }),
    ...(current?.memoryBytes === undefined ? {} : { memoryBytes: current.memoryBytes }),
    ...(current && containerNetwork(previous, current)),
  }
}

/** Engines up to 24 answer a reading on their own one-second beat, so all wait for it together; later ones a few at a time. */
const readingsAtOnce = ({ podman, majorVersion }: EngineKind): number => (podman || (majorVersion ?? 0) > 24 ? 5 : 50)

/** Podman tells health only in an inspection; it changes rarely, and each costs a request. */
const HEALTH_KEPT_MS = 60_000

type Readings = ReadonlyMap<string, ContainerReading>

export function containersCollector(engine: EngineClient, options: ContainerOptions): Collector<readonly ContainerSample[]> {
  const baselines = createBaselines<Readings>()
  const healthById = new Map<string, { readonly health: ContainerHealth; readonly askedAtMs: number }>()

  const read = async ({ id }: ListedContainer): Promise<ContainerReading | undefined> => {
    try {
      const { value } = await engine.get(`/containers/${id}/stats?stream=0&one-shot=1`)
      return parseContainerStats(value, options.nowMs())
    } catch {
      // It ended between the list and this reading, or the engine is slow: the container stays, without numbers.
      return undefined
    }
  }

  const inspectHealth = async (listed: ListedContainer): Promise<ListedContainer> => {
    const known = healthById.get(listed.id)
    if (known !== undefined && options.nowMs() - known.askedAtMs < HEALTH_KEPT_MS) return { ...listed, health: known.health }
    try {
      const { value } = await engine.get(`/containers/${listed.id}/json`)
      const health = healthWord(textAt(value, 'State', 'Health', 'Status')) ?? listed.health
      healthById.set(listed.id, { health, askedAtMs: options.nowMs() })
      return { ...listed, health }
    } catch {
      return listed
    }
  }

  const collect = async ({ consumer }: Tick): Promise<readonly ContainerSample[]> => {
    const kind = await engine.kind()
    const { value } = await engine.get('/containers/json')
    const listed = parseContainerList(value).filter(({ name }) => !options.exclude.some((pattern) => matchesGlob(pattern, name)))
    const listedAtMs = options.nowMs()
    const previous = baselines.of(consumer)
    const readings = new Map<string, ContainerReading>()
    const samples = await inTurns(listed, readingsAtOnce(kind), async (one) => {
      const known = kind.podman && one.health === 'none' ? await inspectHealth(one) : one
      const current = await read(one)
      if (current !== undefined) readings.set(one.id, current)
      return containerSample(known, sameRun(one, previous?.get(one.id), listedAtMs), current, kind.podman)
    })
    baselines.keep(consumer, readings)
    const running = new Set(listed.map(({ id }) => id))
    for (const id of healthById.keys()) if (!running.has(id)) healthById.delete(id)
    return samples
  }

  return { name: 'containers', collect }
}

/** Answers in the order of the items, with at most `atOnce` at work. */
async function inTurns<T, R>(items: readonly T[], atOnce: number, work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = []
  const queue = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  return results
}
