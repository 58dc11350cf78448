import type { ContainerEvent } from '@vedette/protocol/metrics/sample'
import type { Runtime } from '../../runtime/runtime.ts'
import { memberAt, parseJson, type Json } from '../../text/json.ts'
import { rfc3339Ns } from '../../text/rfc3339.ts'
import type { EngineClient } from './client.ts'
import type { ContainerList } from './container-list.ts'
import { engineEvents, exitCodeOf, joinedEvents, type EngineEvent } from './engine-events.ts'
import type { ListedContainer } from './list.ts'

/**
 * Tracker of ended and out-of-memory-killed containers. It queries the engine's events after a container ended, every 10 s while one has
 * run for less than 1 min, and every 10 min. Samples do not wait for the query, so events are in a later sample.
 */
export type ContainerEvents = {
  /**
   * Compares the new container list `list` with the previous one. When a container has ended, it queries the engine's events in the
   * background. It also does so every 10 min, and every 10 s while a container runs for less than 1 min. The first list, and a list during
   * a query, start none.
   */
  readonly update: (list: ContainerList) => void
  /**
   * Returns the container ends and out-of-memory kills that queries found in the last 10 min, at most 50, in the order of the queries;
   * `undefined` without any. An event is in several samples, because a sample can be lost.
   */
  readonly recent: () => readonly ContainerEvent[] | undefined
  /**
   * Discards the previous container list after Docker or Podman has gone or failed. The next list is then not compared, so no ends are
   * reported from it.
   */
  readonly reset: () => void
}

const ASKED_EVERY_MS = 10 * 60_000
/**
 * Minimum interval in ms, 10 s, of event queries to Docker or Podman while a container has run for less than a minute. Without it, every
 * container list would cause a query.
 */
const YOUNG_ASKED_EVERY_MS = 10_000

const REPEATED_MS = 10 * 60_000
/**
 * Maximum number of container events, 50, that the tracker stores; the oldest are dropped. A container that ends again and again keeps its
 * newest events.
 */
const MAX_EVENTS = 50

/**
 * Size limit in bytes, 512 KiB, of the response to a query of Docker's events; from a longer response no event is read. Docker stores 256
 * events of about 0.5 kB.
 */
const MAX_BYTES = 512 * 1024
const filters = encodeURIComponent(JSON.stringify({ type: ['container'], event: ['die', 'died', 'oom'] }))

/**
 * Maximum number of ended containers, 20, that one query of events inspects, to find out how they ended; the newest count. Docker may have
 * dropped the event, or a proxy refuses event queries.
 */
const MAX_INSPECTIONS = 20
const MAX_INSPECTION_BYTES = 1024 * 1024

type Named = Pick<ListedContainer, 'id' | 'name'>

/** Start and end of one query of Docker's events, in epoch ms. */
type Range = { readonly fromMs: number; readonly toMs: number }

export function createContainerEvents(runtime: Runtime, engine: EngineClient, isExcluded: (name: string) => boolean): ContainerEvents {
  let before: ReadonlyMap<string, Named> | undefined
  let gone: readonly Named[] = []
  let fromMs = 0
  let askedAtMs = 0
  let isAsking = false
  let kept: readonly { readonly event: ContainerEvent; readonly readAtMs: number }[] = []

  const ask = async (range: Range, ended: readonly Named[], known: ReadonlyMap<string, Named>): Promise<void> => {
    const told = (await eventsIn(range)).filter((event) => !isExcluded(event.name) && !isShortJob(event, known))
    const withoutEvent = ended.filter(({ id }) => !told.some((one) => one.id === id && one.kind === 'ended'))
    const inspected = await statesOf(withoutEvent, range)
    const events = [...joinedEvents(nameAsListed(told, known)), ...inspected]
    const { monotonicMs } = runtime.clock()
    kept = [...kept, ...events.map((event) => ({ event, readAtMs: monotonicMs }))].slice(-MAX_EVENTS)
  }

  const eventsIn = async (range: Range): Promise<readonly EngineEvent[]> => {
    // The range begins 1 ns late, as the engine includes both ends.
    const [since, until] = [`${seconds(range.fromMs)}000001`, `${seconds(range.toMs)}000000`]
    const end = await engine.getWhole(`/events?since=${since}&until=${until}&stream=false&filters=${filters}`, MAX_BYTES)
    return end.kind === 'answer' && end.status === 200 ? engineEvents(runtime.bytes.fromUtf8(end.body)) : []
  }

  const statesOf = async (containers: readonly Named[], range: Range): Promise<readonly ContainerEvent[]> => {
    const found: ContainerEvent[] = []
    for (const { id, name } of containers) {
      const end = await engine.getWhole(`/containers/${id}/json`, MAX_INSPECTION_BYTES)
      // A removed container has no state any more.
      if (end.kind === 'answer' && end.status === 200) found.push(...endOf(name, parseJson(runtime.bytes.fromUtf8(end.body)), range))
    }
    return found
  }

  return {
    update: (list) => {
      const { monotonicMs, wallMs } = runtime.clock()
      const now = new Map(list.listed.map((one) => [one.id, one]))
      const first = before === undefined
      const known: ReadonlyMap<string, Named> = new Map([...(before ?? []), ...now])
      const ended = before === undefined ? [] : [...before.values()].filter(({ id }) => !now.has(id))
      // Limited, because each one may need an inspection and an engine may be slow.
      gone = [...gone, ...ended].slice(-MAX_INSPECTIONS)
      before = now
      if (first) {
        fromMs = wallMs
        askedAtMs = monotonicMs
        return
      }
      const sinceMs = monotonicMs - askedAtMs
      const isYoung = sinceMs >= YOUNG_ASKED_EVERY_MS && list.listed.some(({ upAtLeastMs }) => upAtLeastMs !== undefined)
      if (isAsking || (gone.length === 0 && !isYoung && sinceMs < ASKED_EVERY_MS)) return
      const range = { fromMs, toMs: wallMs }
      const asked = gone
      gone = []
      fromMs = wallMs
      askedAtMs = monotonicMs
      // After a step of the clock the range is unknown.
      if (range.toMs <= range.fromMs) return
      isAsking = true
      void ask(range, asked, known).finally(() => {
        isAsking = false
      })
    },
    recent: () => {
      if (kept.length === 0) return undefined
      const sinceMs = runtime.clock().monotonicMs - REPEATED_MS
      kept = kept.filter(({ readAtMs }) => readAtMs > sinceMs)
      return kept.length === 0 ? undefined : kept.map(({ event }) => event)
    },
    reset: () => {
      before = undefined
      gone = []
    },
  }
}

/** Returns a time in epoch ms as text in seconds with three decimals, as Docker's query parameters take it: `1700000000.123`. */
const seconds = (ms: number): string => (ms / 1000).toFixed(3)

/**
 * Returns true for the end of a container that is not in `known` and exited with 0. `known` has the containers of the last two container
 * lists by id. Most such ends are of jobs that start every minute, so they are not reported.
 */
const isShortJob = ({ id, exitCode }: EngineEvent, known: ReadonlyMap<string, Named>): boolean => exitCode === 0 && !known.has(id)

/**
 * Returns a list with the one event "ended" that the inspection of the container named `container` shows. Empty when it runs, its state is
 * unknown, or it ended before `fromMs` or after `toMs` (epoch ms).
 */
function endOf(container: string, inspection: Json | undefined, { fromMs, toMs }: Range): readonly ContainerEvent[] {
  const state = memberAt(inspection, 'State')
  const atMs = Math.trunc((rfc3339Ns(memberAt(state, 'FinishedAt')) ?? 0) / 1_000_000)
  if (memberAt(state, 'Running') !== false || atMs < fromMs || atMs > toMs) return []
  const exitCode = exitCodeOf(memberAt(state, 'ExitCode'))
  const outOfMemory = memberAt(state, 'OOMKilled') === true
  return [{ atMs, container, outOfMemory, ...(exitCode === undefined ? {} : { exitCode }) }]
}

/**
 * Returns the events with the container names replaced by those in the container list `known` (map by id), where it has them. While Docker
 * Compose replaces a container, the names in events have a prefix.
 */
const nameAsListed = (events: readonly EngineEvent[], known: ReadonlyMap<string, Named>): readonly EngineEvent[] =>
  events.map((event) => ({ ...event, name: known.get(event.id)?.name ?? event.name }))
