import type { Skipped } from '@vedette/protocol/metrics/diagnosis'
import type { ContainerSample } from '@vedette/protocol/metrics/sample'
import type { Bytes, Runtime } from '../../runtime.ts'
import { SourceUnreadable } from '../../source/source-unreadable.ts'
import { matcherOf } from '../../text/glob.ts'
import { isList } from '../../text/json.ts'
import { createBaselines } from '../baselines.ts'
import type { Collector, CollectorReport, Tick } from '../collector.ts'
import { parseAnswer, type EngineClient, type EngineKind } from './client.ts'
import { sameRun, type ContainerReading } from './container-reading.ts'
import { containerSample, type ContainerState } from './container-sample.ts'
import { addressText } from './engine-address.ts'
import { createInspections } from './inspections.ts'
import { listedContainer, namedContainers, networkOwner, type ListedContainer } from './list.ts'
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

/** More make a sample that no hub keeps. */
const MAX_CONTAINERS = 1000

type Readings = ReadonlyMap<string, ContainerReading>

const LIST_PATH = '/containers/json'

type Named = Pick<ListedContainer, 'id' | 'name'>

/** The list as the engine told it, and what it says. */
type List = {
  /** Absent where it is too long to be kept. */
  readonly body: Bytes | undefined
  readonly all: readonly Named[]
  readonly listed: readonly ListedContainer[]
  readonly skipped: readonly Skipped[]
}

/** Of some hundred containers. */
const MAX_KEPT_LIST_BYTES = 128 * 1024

export type ContainerParts = { readonly runtime: Runtime; readonly engine: EngineClient }

export function containersCollector({ runtime, engine }: ContainerParts, options: ContainerOptions): Collector<readonly ContainerSample[]> {
  const nowMs = (): number => runtime.clock().monotonicMs
  const baselines = createBaselines<Readings>()
  const inspections = createInspections(engine, nowMs)
  const isExcluded = matcherOf(options.exclude)
  let report: CollectorReport = {}
  let list: List | undefined

  /** One that is gone by then, or that a slow engine does not tell in time, stays without numbers. */
  const read = async (ids: readonly string[], kind: EngineKind, budgetMs: number): Promise<Readings> => {
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

  const parseList = (body: Bytes): List => {
    const value = parseAnswer(LIST_PATH, runtime.bytes.fromUtf8(body))
    if (!isList(value)) throw new SourceUnreadable('Cannot parse the list of containers: it is no list')
    const named = namedContainers(value)
    const included = named.filter(({ name }) => !isExcluded(name))
    const listed = included.slice(0, MAX_CONTAINERS).map(listedContainer)
    const all = named.map(({ id, name }) => ({ id, name }))
    inspections.keepOnly(new Set(all.map(({ id }) => id)))
    return { body: body.length <= MAX_KEPT_LIST_BYTES ? body : undefined, all, listed, skipped: skippedOf(named, included) }
  }

  /** Engines say the same for minutes and hours: then it is taken apart once. */
  const readList = async (): Promise<List> => {
    const { body } = await engine.getBody(LIST_PATH)
    if (list?.body === undefined || !runtime.bytes.equal(list.body, body)) list = parseList(body)
    return list
  }

  const collectFrom = async (consumer: number): Promise<readonly ContainerSample[]> => {
    const startedAtMs = nowMs()
    // Of before: another consumer may read at the same time.
    const previous = baselines.of(consumer)
    const kind = await engine.kind()
    const leftMs = (): number => Math.max(0, options.budgetMs - (nowMs() - startedAtMs))
    // Those that were there before are mostly there still: they are read beside the list, and the others after it.
    const expected = new Set(list?.listed.map(({ id }) => id))
    const early = read([...expected], kind, leftMs())
    const { all, listed, skipped } = await readList()
    const listedAtMs = nowMs()
    const isEarly = (one: ListedContainer): boolean => expected.has(one.id) && !mayHaveBegunSince(one, startedAtMs, listedAtMs)
    const others = listed.filter((one) => !isEarly(one)).map(({ id }) => id)
    const [readings, later] = await Promise.all([early, read(others, kind, leftMs()), inspections.renew(listed, kind.podman, leftMs())])
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
      return undefined
    }
    try {
      return await collectFrom(consumer)
    } catch (error) {
      report = deniedReport(error, addressText(address))
      list = undefined
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

function skippedOf(all: readonly Named[], included: readonly Named[]): readonly Skipped[] {
  const kept = new Set(included)
  const excluded = all.filter((one) => !kept.has(one)).map(({ name }) => ({ what: name, why: 'EXCLUDE_CONTAINERS names it' }))
  const beyond = included.length - MAX_CONTAINERS
  return beyond <= 0 ? excluded : [...excluded, { what: `${beyond} containers`, why: `more than ${MAX_CONTAINERS}` }]
}

function deniedReport(error: unknown, where: string): CollectorReport {
  if (!(error instanceof Error) || !/EACCES|EPERM|permission denied/i.test(error.message)) return {}
  return { remedy: `No permission on ${where}: usermod -aG docker $(id -un), then start the agent again` }
}
