import type { ContainerSample } from '@vedette/protocol/metrics/sample'
import { splitKey } from '@vedette/protocol/metrics/series'
import type { History } from '../../history/model/history.ts'
import { containerIdentity } from '../../history/model/container-identity.ts'
import type { SeriesTable } from '../../history/model/series-table.ts'
import { DAY_MS } from '../../history/model/tier.ts'
import { identifiedContainers } from '../judging/identified-containers.ts'

/**
 * In-memory record of the containers that each system ran recently. A container that ran for 24 h is expected to run on; times without
 * samples of its system do not count.
 */
export type RunningContainers = {
  /**
   * Records in memory that a sample of the system (by id) at `atMs` (epoch ms) had these containers. Call it for every sample that lists
   * containers.
   */
  readonly note: (system: string, containers: readonly ContainerSample[], atMs: number) => void
  readonly expected: (system: string) => readonly string[]
  readonly isLooping: (system: string, identity: string) => boolean
  /**
   * Returns true for a recorded container (by identity) that is running, or that has been missing for less than 90 s and may be recreated.
   * False if no sample of it is recorded.
   */
  readonly isJustGone: (system: string, identity: string, nowMs: number) => boolean
  /**
   * Loads from the history which containers ran on these systems (ids) in the last 2 days, and records them in memory. Needed after a
   * restart of the hub.
   */
  readonly recall: (systems: readonly string[], nowMs: number) => Promise<void>
  readonly forget: (system: string) => void
}

type ContainerMemory = {
  sinceMs: number
  lastMs: number
  /** Time in epoch ms of the first sample that lacked the container. `undefined` while it runs. */
  missedMs: number | undefined
  /**
   * List of the restart counts that Docker reported for the container, each with the time (epoch ms) of the first sample that had it. It
   * covers the last 10 minutes; its first entry may be older.
   */
  readonly restarts: { atMs: number; readonly count: number }[]
}

const EXPECTED_AFTER_MS = DAY_MS
/**
 * Time without a sample of a container, in ms (20 min), after which the container is removed from memory unless it is expected to run.
 * Shorter gaps count as running.
 */
const BRIEF_MS = 20 * 60_000
/**
 * Time, in ms, after which a missing container that should be running is removed from memory, and its alert ends without a notification: 7
 * days.
 */
export const FORGOTTEN_AFTER_MS = 7 * DAY_MS
/** Time, in ms (90 s), for which a missing container counts as possibly being recreated: the first 2 samples without it. */
const JUST_GONE_MS = 90_000
const LOOP_MS = 10 * 60_000
const LOOP_RESTARTS = 3
/**
 * Time range, in ms, of the history from which the record of running containers is rebuilt: 2 days. It finds 24 h of running despite gaps.
 */
const RECALLED_MS = 2 * DAY_MS
const BUCKET_MS = 10 * 60_000

export function runningContainers(history: Pick<History, 'read'>): RunningContainers {
  const bySystem = new Map<string, Map<string, ContainerMemory>>()

  function keptOf(system: string): Map<string, ContainerMemory> {
    let kept = bySystem.get(system)
    if (kept === undefined) bySystem.set(system, (kept = new Map()))
    return kept
  }

  return {
    note(system, containers, atMs) {
      const kept = keptOf(system)
      const all = identifiedContainers(containers)
      noteInterval(kept, new Set(all.map(({ identity }) => identity)), { fromMs: atMs, toMs: atMs })
      for (const { identity, container } of all) {
        const one = kept.get(identity)
        if (container.restarts !== undefined && one !== undefined) noteRestarts(one, container.restarts, atMs)
      }
    },
    expected: (system) => [...(bySystem.get(system) ?? [])].flatMap(([identity, one]) => (isExpected(one) ? [identity] : [])),
    isLooping: (system, identity) => isLooping(bySystem.get(system)?.get(identity)),
    isJustGone(system, identity, nowMs) {
      const one = bySystem.get(system)?.get(identity)
      return one !== undefined && (one.missedMs === undefined || nowMs - one.missedMs < JUST_GONE_MS)
    },
    async recall(systems, nowMs) {
      if (systems.length === 0) return
      const window = { fromMs: nowMs - RECALLED_MS, toMs: nowMs + 1 }
      const isWanted = (key: string): boolean => key.endsWith('.memoryBytes') || key.endsWith('.cpuPercent')
      for (const { system, table } of await history.read({ systems, kind: 'containers', tier: '10m', window, isWanted })) {
        const learned = rebuiltRecord(table)
        // Containers noted while the history was read are newer; they only get an earlier start time.
        for (const [identity, one] of keptOf(system)) {
          const before = learned.get(identity)
          learned.set(identity, before === undefined ? one : { ...one, sinceMs: Math.min(one.sinceMs, before.sinceMs) })
        }
        bySystem.set(system, learned)
      }
    },
    forget: (system) => void bySystem.delete(system),
  }
}

/**
 * Rebuilds the record of a system's containers from its history in 10-minute buckets. Returns a map from container identity to first and
 * last time seen and missing since when. A container with a value in a bucket ran all of it.
 */
function rebuiltRecord({ times, series }: SeriesTable): Map<string, ContainerMemory> {
  const kept = new Map<string, ContainerMemory>()
  const columns = [...Map.groupBy(series, ({ key }) => containerIdentity(splitKey(key)[0]))]
  times.forEach((fromMs, at) => {
    const isKnown = ({ average }: SeriesTable['series'][number]): boolean => !Number.isNaN(average[at] ?? Number.NaN)
    const present = new Set(columns.flatMap(([identity, some]) => (some.some(isKnown) ? [identity] : [])))
    noteInterval(kept, present, { fromMs, toMs: fromMs + BUCKET_MS })
  })
  return kept
}

function noteInterval(
  kept: Map<string, ContainerMemory>,
  present: ReadonlySet<string>,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): void {
  for (const identity of present) {
    const one = kept.get(identity)
    if (one === undefined) kept.set(identity, { sinceMs: fromMs, lastMs: toMs, missedMs: undefined, restarts: [] })
    else {
      one.lastMs = toMs
      // An earlier time means that the clock was set back since.
      one.sinceMs = Math.min(one.sinceMs, fromMs)
      one.missedMs = undefined
    }
  }
  for (const [identity, one] of kept) {
    if (present.has(identity)) continue
    one.missedMs = Math.min(one.missedMs ?? fromMs, fromMs)
    if (toMs - one.missedMs > (isExpected(one) ? FORGOTTEN_AFTER_MS : BRIEF_MS)) kept.delete(identity)
  }
}

const isExpected = ({ sinceMs, lastMs }: ContainerMemory): boolean => lastMs - sinceMs >= EXPECTED_AFTER_MS

function noteRestarts({ restarts }: ContainerMemory, count: number, atMs: number): void {
  const last = restarts.at(-1)
  // A recreated container counts its restarts from 0.
  if (last !== undefined && count < last.count) restarts.length = 0
  // If the clock was set back since, these entries age from now on.
  for (const one of restarts) one.atMs = Math.min(one.atMs, atMs)
  if (count !== last?.count) restarts.push({ atMs, count })
  while ((restarts[1]?.atMs ?? atMs) < atMs - LOOP_MS) restarts.shift()
}

function isLooping(one: ContainerMemory | undefined): boolean {
  const first = one?.restarts[0]
  const last = one?.restarts.at(-1)
  return first !== undefined && last !== undefined && last.count - first.count >= LOOP_RESTARTS
}
