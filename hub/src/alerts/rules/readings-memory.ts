import type { StoredKind } from '@vedette/protocol/metrics/series'
import type { History } from '../../history/model/history.ts'
import type { SeriesTable } from '../../history/model/series-table.ts'
import { sampledKind, storedOf, type LevelKind, type Reading } from '../judging/alert-kinds.ts'
import type { Readings, SystemRules, Threshold } from '../judging/judgement.ts'

/**
 * In-memory cache of the values of each system's last minutes, by alert kind, from which alerts compute averages. It is filled from the
 * history at a hub start and for new rules.
 */
export type ReadingsMemory = {
  /**
   * Adds the values of a new sample and returns all cached values of the system and alert kind. A value with an already cached time
   * replaces it. `undefined` if the sample is older than the last one.
   */
  readonly note: (of: ReadingKey, reading: Reading, nowMs: number) => Readings | undefined
  /**
   * Loads the past values that the alert rules of the systems need from the history into the cache. Systems whose rules need no average are
   * skipped.
   */
  readonly recall: (bySystem: ReadonlyMap<string, SystemRules>, nowMs: number) => Promise<void>
  readonly forget: (system: string) => void
}

/**
 * Key of cached values: system id and alert kind. `atMs` is the time of the new values in epoch ms. `minutes` says for how long values are
 * cached: the longest averaging time of the rules.
 */
type ReadingKey = { readonly system: string; readonly kind: string; readonly minutes: number; readonly atMs: number }

type StoredReadings = { times: number[]; readonly targets: Map<string, number[]> }

const MINUTE_MS = 60_000
/** Time in ms (2 min) by which cached values outlive the averaging minutes, so that an average always reaches back to its first minute. */
const MORE_MS = 2 * MINUTE_MS
/**
 * Maximum number of systems in one history query that fills the cache of recent values: 100. Further systems are loaded by further queries.
 */
const SYSTEMS_AT_ONCE = 100

export function readingsMemory(history: Pick<History, 'read'>): ReadingsMemory {
  const bySystem = new Map<string, Map<string, StoredReadings>>()

  function keptOf(system: string, kind: string): StoredReadings {
    let byKind = bySystem.get(system)
    if (byKind === undefined) bySystem.set(system, (byKind = new Map()))
    let kept = byKind.get(kind)
    if (kept === undefined) byKind.set(kind, (kept = { times: [], targets: new Map() }))
    return kept
  }

  async function recall(wanted: ReadonlyMap<string, SystemRules>, nowMs: number): Promise<void> {
    for (const stored of ['system', 'containers'] as const) {
      const averaging = [...wanted].filter(([, rules]) => longestOf(rules, stored) > 1)
      for (let first = 0; first < averaging.length; first += SYSTEMS_AT_ONCE)
        await recallSome(new Map(averaging.slice(first, first + SYSTEMS_AT_ONCE)), stored, nowMs)
    }
  }

  async function recallSome(some: ReadonlyMap<string, SystemRules>, stored: StoredKind, nowMs: number): Promise<void> {
    const longest = Math.max(...[...some.values()].map((rules) => longestOf(rules, stored)))
    const window = { fromMs: nowMs - longest * MINUTE_MS - MORE_MS, toMs: nowMs + 1 }
    for (const { system, table } of await history.read({ systems: [...some.keys()], kind: stored, tier: '1m', window }))
      for (const name of some.get(system)?.keys() ?? []) {
        const kind = sampledKind(name)
        if (kind !== undefined && storedOf(kind) === stored) merge(system, kind, table)
      }
  }

  function merge(system: string, kind: LevelKind, table: SeriesTable): void {
    const kept = keptOf(system, kind.name)
    const known = readingsOf(kind, table)
    // Readings that arrived while the history was read are newer, and stay.
    const before = table.times.findIndex((time) => time >= (kept.times[0] ?? Number.POSITIVE_INFINITY))
    const count = before === -1 ? table.times.length : before
    const rest = kept.times.length
    for (const target of new Set([...known.targets.keys(), ...kept.targets.keys()])) {
      const old = Array.from({ length: count }, (_, at) => known.targets.get(target)?.[at] ?? Number.NaN)
      kept.targets.set(target, [...old, ...(kept.targets.get(target) ?? unknown(rest))])
    }
    kept.times = [...table.times.slice(0, count), ...kept.times]
  }

  return {
    note({ system, kind, minutes, atMs }, reading, nowMs) {
      const kept = keptOf(system, kind)
      // Readings in the future were stored before the clock was set back. Their time is unknown.
      while ((kept.times.at(-1) ?? 0) > nowMs) dropLast(kept)
      if ((kept.times.at(-1) ?? 0) > atMs) return undefined
      if (kept.times.at(-1) === atMs) dropLast(kept)
      append(kept, atMs, reading)
      dropBefore(kept, nowMs - minutes * MINUTE_MS - MORE_MS)
      return kept
    },
    recall,
    forget: (system) => void bySystem.delete(system),
  }
}

function append(kept: StoredReadings, atMs: number, reading: Reading): void {
  const length = kept.times.push(atMs)
  for (const [target, values] of kept.targets) values.push(reading.get(target) ?? Number.NaN)
  for (const [target, value] of reading) if (!kept.targets.has(target)) kept.targets.set(target, [...unknown(length - 1), value])
}

function dropLast(kept: StoredReadings): void {
  kept.times.pop()
  for (const values of kept.targets.values()) values.pop()
}

function dropBefore(kept: StoredReadings, fromMs: number): void {
  let stale = 0
  while ((kept.times[stale] ?? fromMs) < fromMs) stale += 1
  if (stale === 0) return
  kept.times.splice(0, stale)
  for (const [target, values] of kept.targets) {
    values.splice(0, stale)
    if (values.every(Number.isNaN)) kept.targets.delete(target)
  }
}

const unknown = (length: number): number[] => Array.from({ length }, () => Number.NaN)

/**
 * Returns the number of minutes of past values that a threshold rule averages. If it has two thresholds with their own minutes, the longer
 * time counts.
 */
export const longestMinutes = ({ minutes, warning }: Threshold): number => Math.max(minutes, warning?.minutes ?? 0)

/**
 * Returns the longest averaging time, in minutes, among the rules whose values are stored in history series of the kind `stored` (`system`
 * or `containers`). At least 1.
 */
function longestOf(rules: SystemRules, stored: StoredKind): number {
  const looking = [...rules].filter(([name]) => {
    const kind = sampledKind(name)
    return kind !== undefined && storedOf(kind) === stored
  })
  return Math.max(1, ...looking.flatMap(([, some]) => some.map(longestMinutes)))
}

/**
 * Converts history series of a system to the values of one alert kind. The result has a list of times, and lists of values by target in the
 * unit of the alert kind. A target that needs two series, such as sent and received bytes, is left out if one is missing.
 */
export function readingsOf(kind: LevelKind, { times, series }: SeriesTable): Readings {
  const columns = series.flatMap(({ key, average }) => {
    const target = kind.targetOf(key)
    return target === undefined ? [] : [{ target, average }]
  })
  const targets = new Map<string, ArrayLike<number>>()
  for (const [target, some] of Map.groupBy(columns, (column) => column.target)) {
    if (some.length < (kind.parts ?? 1)) continue
    targets.set(
      target,
      times.map((_, at) => some.reduce((sum, { average }) => sum + (average[at] ?? Number.NaN), 0) * kind.scale),
    )
  }
  return { times, targets }
}
