import type { ContainerSample } from '@vedette/protocol/metrics/sample'
import type { ProcSource } from '../../source/proc-source.ts'
import { matcherOf } from '../../text/glob.ts'
import { createBaselines } from '../baselines.ts'
import type { Collector, CollectorReport, Tick } from '../collector.ts'
import type { EngineClient, EngineKind, EngineParts } from './client.ts'
import { containerLists, type ContainerList } from './container-list.ts'
import { sameRun, type ContainerReading, type Readings } from './container-reading.ts'
import { containerSample, type ContainerState } from './container-sample.ts'
import { addressText } from './engine-address.ts'
import { createInspections } from './inspections.ts'
import { createKernelCounters } from './kernel-counters.ts'
import { networkOwner, type ListedContainer } from './list.ts'
import { containerReading, statsMembers } from './stats.ts'

export type ContainerOptions = {
  /** Names that are left out; `*` stands for anything. */
  readonly exclude: readonly string[]
  /** For the whole reading: what did not come until then is left out, the rest is told. */
  readonly budgetMs: number
}

/** Engines up to 24 answer a reading on their own one-second beat, so all wait for it together; later ones a few at a time. */
const readingsAtOnce = ({ podman, majorVersion }: EngineKind): number => (podman || (majorVersion ?? MAJOR_OF_TODAY) > 24 ? 5 : 64)
const MAJOR_OF_TODAY = 25

export type ContainerParts = EngineParts & { readonly engine: EngineClient; readonly source: ProcSource }

export function containersCollector(parts: ContainerParts, options: ContainerOptions): Collector<readonly ContainerSample[]> {
  const { runtime, engine } = parts
  const nowMs = (): number => runtime.clock().monotonicMs
  const baselines = createBaselines<Readings>()
  const inspections = createInspections(engine, nowMs)
  const kernel = createKernelCounters(parts)
  const lists = containerLists(runtime, engine, matcherOf(options.exclude))
  let report: CollectorReport = {}
  let latest: ContainerList | undefined

  const keepOnly = (ids: ReadonlySet<string>): void => {
    inspections.keepOnly(ids)
    kernel.keepOnly(ids)
  }

  /** One that is gone by then, or that a slow engine does not tell in time, stays without numbers. */
  const askFor = async (ids: readonly string[], kind: EngineKind, budgetMs: number): Promise<Readings> => {
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

  /** Of those that ran before: the kernel's own where they can be had, the others from the engine. */
  const readEarly = (known: readonly ListedContainer[], kind: EngineKind) => {
    const ids = known.map(({ id }) => id)
    if (kind.podman) return { someEnded: false, readings: askFor(ids, kind, options.budgetMs) }
    const { readings, someEnded } = kernel.read(ids)
    if (readings.size === ids.length) return { someEnded, readings: Promise.resolve(readings) }
    return {
      someEnded,
      readings: askAndCompare(
        known.filter(({ id }) => !readings.has(id)),
        readings,
        kind,
      ),
    }
  }

  const askAndCompare = async (asked: readonly ListedContainer[], readings: Readings, kind: EngineKind): Promise<Readings> => {
    const compare = kernel.compare(
      asked.flatMap(({ id, networkMode }) => {
        const pid = inspections.of(id)?.pid
        return pid === undefined ? [] : [{ id, pid, hasOwnNetwork: networkOwner(networkMode, []) === undefined }]
      }),
    )
    const told = await askFor(
      asked.map(({ id }) => id),
      kind,
      options.budgetMs,
    )
    compare(told)
    return new Map([...readings, ...told])
  }

  const collectFrom = async (consumer: number): Promise<readonly ContainerSample[]> => {
    const startedAtMs = nowMs()
    // Of before: another consumer may read at the same time.
    const previous = baselines.of(consumer)
    const kind = await engine.kind()
    const leftMs = (): number => Math.max(0, options.budgetMs - (nowMs() - startedAtMs))
    // Those that were there before are mostly there still: they are read beside the list, and the others after it.
    const known = lists.last()?.listed ?? []
    const expected = new Set(known.map(({ id }) => id))
    const early = readEarly(known, kind)
    const list = await lists.read(kind, early.someEnded)
    const { all, listed, skipped } = list
    if (list !== latest) keepOnly(new Set(all.map(({ id }) => id)))
    latest = list
    const listedAtMs = nowMs()
    const isEarly = (one: ListedContainer): boolean => expected.has(one.id) && !mayHaveBegunSince(one, startedAtMs, listedAtMs)
    const others = listed.filter((one) => !isEarly(one)).map(({ id }) => id)
    const [readings, later] = await Promise.all([
      early.readings,
      askFor(others, kind, leftMs()),
      inspections.renew(listed, kind.podman, leftMs()),
    ])
    const states = listed.map((one): ContainerState => {
      const inspection = inspections.of(one.id)
      // Podman's list calls every network by one name.
      const mode = kind.podman ? inspection?.networkMode : one.networkMode
      return {
        listed: one,
        inspected: inspection,
        previous: sameRun(one, previous?.get(one.id), listedAtMs),
        current: (isEarly(one) ? readings : later).get(one.id),
        networkOf: networkOwner(mode, all),
      }
    })
    baselines.keep(consumer, nextBaseline(states))
    const silent = states.filter(({ current }) => current === undefined)
    report = {
      found: `${kind.podman ? 'Podman' : 'Docker'}: ${listed.length} containers`,
      skipped: [
        ...skipped,
        ...silent.map(({ listed }) => ({ what: `numbers of ${listed.name}`, why: 'the engine did not tell them in time' })),
      ],
    }
    return states.map(containerSample)
  }

  const collect = async ({ consumer }: Tick): Promise<readonly ContainerSample[] | undefined> => {
    const address = engine.address()
    if (address === undefined) {
      report = { skipped: [{ what: 'containers', why: 'there is no socket of a container engine' }] }
      baselines.clear()
      keepOnly(new Set())
      return undefined
    }
    try {
      return await collectFrom(consumer)
    } catch (error) {
      report = deniedReport(error, addressText(address))
      lists.forget()
      throw error
    }
  }

  return { name: 'containers', collect, report: () => report }
}

/** A reading of before the list then counts another run. */
const mayHaveBegunSince = ({ upAtLeastMs }: ListedContainer, sinceMs: number, listedAtMs: number): boolean =>
  upAtLeastMs !== undefined && listedAtMs - upAtLeastMs >= sinceMs

/** One whose counters did not come keeps the older ones: the next rate covers the longer time. Those gone are forgotten. */
function nextBaseline(states: readonly ContainerState[]): Readings {
  const readings = new Map<string, ContainerReading>()
  for (const { listed, previous, current } of states) {
    const latest = current ?? previous
    if (latest !== undefined) readings.set(listed.id, latest)
  }
  return readings
}

function deniedReport(error: unknown, where: string): CollectorReport {
  if (!(error instanceof Error) || !/EACCES|EPERM|permission denied/i.test(error.message)) return {}
  return { remedy: `No permission on ${where}: usermod -aG docker $(id -un), then start the agent again` }
}
