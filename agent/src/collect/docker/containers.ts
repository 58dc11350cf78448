import type { SkippedPart } from '@vedette/protocol/metrics/diagnosis'
import type { Sample } from '@vedette/protocol/metrics/sample'
import type { ProcSource } from '../../source/proc-source.ts'
import { matcherOf } from '../../text/glob.ts'
import { createBaselines } from '../baselines.ts'
import type { Collector, CollectorReport, Tick } from '../collector.ts'
import type { EngineClient, EngineKind, EngineParts } from './client.ts'
import { createContainerEvents } from './container-events.ts'
import { machineSize } from './container-limits.ts'
import { containerLists, type ContainerList, type DatedList } from './container-list.ts'
import { sameRun, type ContainerReading, type Readings } from './container-reading.ts'
import { containerSample, type ContainerState } from './container-sample.ts'
import type { ContainerProcess } from './control-group.ts'
import { addressText } from './engine-address.ts'
import { createInspections } from './inspections.ts'
import { createKernelCounters } from './kernel-counters.ts'
import { networkOwner, type ListedContainer } from './list.ts'
import { containerReading, statsMembers } from './stats.ts'

export type ContainerOptions = {
  /** List of patterns of the names of containers to leave out of samples; `*` is a wildcard. */
  readonly exclude: readonly string[]
  /**
   * Time limit in ms for the statistics of all containers of a sample. Containers whose response is later are in the sample without CPU,
   * memory and rates.
   */
  readonly budgetMs: number
}

/**
 * Returns the maximum number of concurrent requests for container statistics: 64 for Docker up to version 24, else 5. Such a Docker waits 1
 * s before each response, so all requests wait in parallel.
 */
const readingsAtOnce = ({ podman, majorVersion }: EngineKind): number => (podman || (majorVersion ?? MAJOR_OF_TODAY) > 24 ? 5 : 64)
const MAJOR_OF_TODAY = 25

export type ContainerParts = EngineParts & { readonly engine: EngineClient; readonly source: ProcSource }

/**
 * Fields of a sample that the agent reads from Docker or Podman: `containers` (state and use of each), and `containerEvents` (recent ends
 * and out-of-memory kills).
 */
export type ContainerFamilies = Required<Pick<Sample, 'containers'>> & Pick<Sample, 'containerEvents'>

export function containersCollector(parts: ContainerParts, options: ContainerOptions): Collector<ContainerFamilies> {
  const { runtime, engine } = parts
  const nowMs = (): number => runtime.clock().monotonicMs
  const baselines = createBaselines<Readings>()
  const inspections = createInspections(engine, nowMs, () => machineSize(parts.source))
  const kernel = createKernelCounters(parts)
  const isExcluded = matcherOf(options.exclude)
  const lists = containerLists(runtime, engine, isExcluded)
  const events = createContainerEvents(runtime, engine, isExcluded)
  let report = (): CollectorReport => ({})
  let latest: ContainerList | undefined

  const keepOnly = (ids: ReadonlySet<string>): void => {
    inspections.keepOnly(ids)
    kernel.keepOnly(ids)
  }

  /**
   * Requests statistics (CPU, memory, network, disk) of the containers with the given ids from Docker or Podman, for at most `budgetMs` ms.
   * Resolves to a map from container id to reading. A container without a valid response in time, such as one that is gone, has no entry.
   */
  const requestStats = async (ids: readonly string[], kind: EngineKind, budgetMs: number): Promise<Readings> => {
    const readings = new Map<string, ContainerReading>()
    if (ids.length === 0) return readings
    const paths = ids.map((id) => `/containers/${id}/stats?stream=0&one-shot=1`)
    const wanted = { members: statsMembers(kind.podman), atOnce: readingsAtOnce(kind), totalMs: budgetMs }
    const answers = await engine.getMembers(paths, wanted)
    ids.forEach((id, place) => {
      const answer = answers[place]
      if (answer?.kind === 'members') readings.set(id, containerReading(answer.values, answer.endedAtMs, kind.podman))
    })
    return readings
  }

  const askAndCompare = async (containers: readonly ListedContainer[], kind: EngineKind): Promise<Readings> => {
    const compare = kernel.compare(kind.podman ? [] : containers.flatMap(processOf))
    const told = await requestStats(containers.map(idOf), kind, options.budgetMs)
    compare(told)
    return told
  }

  const processOf = ({ id, networkMode }: ListedContainer): readonly ContainerProcess[] => {
    const pid = inspections.of(id)?.pid
    return pid === undefined ? [] : [{ id, pid, hasOwnNetwork: networkOwner(networkMode, []) === undefined }]
  }

  const samplesOf = (
    { consumer, kind, list, listedAtMs, previous }: SampleInputs,
    current: (one: ListedContainer) => ContainerReading | undefined,
  ): ContainerFamilies => {
    const { all, listed, skipped } = list
    const states = listed.map((one): ContainerState => {
      const inspection = inspections.of(one.id)
      // Podman's list has the same name for every network.
      const mode = kind.podman ? inspection?.networkMode : one.networkMode
      return {
        listed: one,
        inspected: inspection,
        previous: sameRun(one, previous?.get(one.id), listedAtMs),
        current: current(one),
        networkOf: networkOwner(mode, all),
      }
    })
    baselines.keep(consumer, nextBaseline(states))
    report = () => foundReport(kind, skipped, states)
    const containers = states.map(containerSample)
    const containerEvents = events.recent()
    return containerEvents === undefined ? { containers } : { containers, containerEvents }
  }

  const collectFrom = (consumer: number): ContainerFamilies | Promise<ContainerFamilies> => {
    const kind = engine.knownKind()
    const { readings, someEnded } = kernel.read((lists.last()?.listed ?? []).map(idOf))
    const holding = kind === undefined ? undefined : lists.validList(kind)
    const held = someEnded ? undefined : holding
    // Most samples need no request to the engine. They are returned without a promise, because one costs as much as all the numbers.
    if (kind !== undefined && held !== undefined && readings.size === held.list.listed.length) {
      return samplesOf({ ...held, consumer, kind, previous: baselines.of(consumer) }, ({ id }) => readings.get(id))
    }
    return collectAsking(consumer, readings, held)
  }

  const collectAsking = async (consumer: number, own: Readings, held: DatedList | undefined): Promise<ContainerFamilies> => {
    const startedAtMs = nowMs()
    // Taken before the first `await`, because another consumer may read at the same time.
    const previous = baselines.of(consumer)
    const kind = await engine.kind()
    const leftMs = (): number => Math.max(0, options.budgetMs - (nowMs() - startedAtMs))
    // Most known containers still run: their stats are requested in parallel with the list, those of new ones after it.
    const known = lists.last()?.listed ?? []
    const expected = new Set(known.map(idOf))
    const asked = askAndCompare(
      known.filter(({ id }) => !own.has(id)),
      kind,
    )
    const { list, listedAtMs } = held ?? (await lists.request())
    if (list !== latest) keepOnly(new Set(list.all.map(idOf)))
    latest = list
    events.update(list)
    const { listed } = list
    const isEarly = (one: ListedContainer): boolean => expected.has(one.id) && !mayHaveBegunSince(one, startedAtMs, listedAtMs)
    const others = listed.filter((one) => !isEarly(one)).map(idOf)
    const [early, later] = await Promise.all([
      asked,
      requestStats(others, kind, leftMs()),
      inspections.renew(listed, kind.podman, leftMs()),
    ])
    return samplesOf({ consumer, kind, list, listedAtMs, previous }, (one) =>
      isEarly(one) ? (own.get(one.id) ?? early.get(one.id)) : later.get(one.id),
    )
  }

  const collect = ({ consumer }: Tick): ContainerFamilies | undefined | Promise<ContainerFamilies> => {
    const address = engine.address()
    if (address === undefined) {
      report = () => ({ skipped: [{ what: 'containers', why: 'there is no socket of a container engine' }] })
      baselines.clear()
      keepOnly(new Set())
      events.reset()
      return undefined
    }
    const samples = collectFrom(consumer)
    if (!(samples instanceof Promise)) return samples
    return samples.catch((error: unknown) => {
      report = () => deniedReport(error, addressText(address))
      lists.clear()
      events.reset()
      throw error
    })
  }

  return { name: 'containers', collect, report: () => report() }
}

const idOf = ({ id }: { readonly id: string }): string => id

/**
 * Data for the containers of one sample: id of the requester, kind of engine, container list, and the previous readings of counters
 * (`undefined` at first).
 */
type SampleInputs = DatedList & {
  readonly consumer: number
  readonly kind: EngineKind
  readonly previous: Readings | undefined
}

/**
 * Returns true when a container may have started again after `sinceMs` (monotonic ms), by its minimum uptime in the list. Readings from
 * before could then belong to an earlier run.
 */
const mayHaveBegunSince = ({ upAtLeastMs }: ListedContainer, sinceMs: number, listedAtMs: number): boolean =>
  upAtLeastMs !== undefined && listedAtMs - upAtLeastMs >= sinceMs

/**
 * Returns the readings of counters, as a map from container id, to store for the rates of the next sample. A container without new counters
 * keeps its previous reading, so that its next rate covers a longer time. Containers that are not in `states` are dropped.
 */
function nextBaseline(states: readonly ContainerState[]): Readings {
  const readings = new Map<string, ContainerReading>()
  for (const { listed, previous, current } of states) {
    const latest = current ?? previous
    if (latest !== undefined) readings.set(listed.id, latest)
  }
  return readings
}

function foundReport({ podman }: EngineKind, skipped: readonly SkippedPart[], states: readonly ContainerState[]): CollectorReport {
  const silent = states.filter(({ current }) => current === undefined)
  const why = 'the engine did not tell them in time'
  return {
    found: `${podman ? 'Podman' : 'Docker'}: ${states.length} containers`,
    skipped: [...skipped, ...silent.map(({ listed }) => ({ what: `numbers of ${listed.name}`, why }))],
  }
}

function deniedReport(error: unknown, where: string): CollectorReport {
  if (!(error instanceof Error) || !/EACCES|EPERM|permission denied/i.test(error.message)) return {}
  return { remedy: `No permission on ${where}: usermod -aG docker $(id -un), then start the agent again` }
}
