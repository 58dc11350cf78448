import type { StoredKind } from '@vedette/protocol/metrics/series'
import { rolledUp } from '../../../history/model/roll-up.ts'
import { joinTables, type SeriesTable } from '../../../history/model/series-table.ts'
import { bucketMs, bucketStart, DAY_MS, type Tier } from '../../../history/model/tier.ts'
import { decodeStats, type DecodedStats } from './decode-stats.ts'
import { minutesOf, pairsOf, parseRowTime, tensOf, type AverageType } from './row-time.ts'
import { rowsWhere, tableOf, type TableRow } from './row-table.ts'
import type { RowCounts } from './row-counts.ts'

const TEN_MS = bucketMs['10m']
const TWO_HOURS_MS = bucketMs['2h']

/** Earliest accepted time of an imported history row, in epoch ms: the start of 2015. Rows with an earlier time are left out as invalid. */
const EARLIEST_MS = Date.UTC(2015, 0)

/**
 * Minimum interval in ms (30 s) between two imported samples of one system; closer ones are left out. The other hub stores about one sample
 * a minute, so closer ones are repeats.
 */
const CLOSEST_MS = 30_000

/**
 * Row of the imported hub's table `system_stats` or `container_stats`: type (such as `10m`), time `created` and JSON text `stats`. All
 * values are untrusted.
 */
export type StatsRow = { readonly type: unknown; readonly created: unknown; readonly stats: unknown }

/**
 * Times (epoch ms) at which this hub already has data of one system and kind (`system`, `containers`): of samples, and of 10-minute and
 * 2-hour buckets. Imported rows never replace them.
 */
export type PresentTimes = { readonly samples: readonly number[]; readonly tens: ReadonlySet<number>; readonly hours: ReadonlySet<number> }

export type Arrangement = {
  readonly kind: StoredKind
  readonly nowMs: number
  /**
   * Full hour in epoch ms at which imported averages end. Those of later intervals are left out, because this hub computes them from
   * samples.
   */
  readonly untilMs: number
  readonly present: PresentTimes
  /**
   * Returns true if this hub's retention would delete data of that tier (resolution) and time (epoch ms) at once. Such rows are not
   * imported.
   */
  readonly isExpired: (tier: Tier, atMs: number) => boolean
  readonly counts: RowCounts
}

/**
 * Imported rows of one system and kind, by the resolution under which this hub stores them: `samples`, `tens` (10-minute buckets) and
 * `hours` (2-hour buckets). No time occurs twice within one list.
 */
export type ArrangedRows = {
  readonly samples: readonly TableRow[]
  readonly tens: readonly TableRow[]
  readonly hours: readonly TableRow[]
}

type Taking = Arrangement & {
  readonly samples: TableRow[]
  readonly tens: Map<number, TableRow>
  readonly hours: Map<number, TableRow>
  /** Set of the starts (epoch ms) of the 10-minute buckets in which imported samples of ended hours lie. */
  readonly sampled: Set<number>
}

/**
 * Decides which imported rows of one system and kind are imported and into which tier (resolution) they go: finest first, and only to times
 * without data. Counts each row, with the reason if it is left out. Returns the imported rows by tier.
 */
export function arrangeRows(rows: readonly StatsRow[], arrangement: Arrangement): ArrangedRows {
  const taking: Taking = { ...arrangement, samples: [], tens: new Map(), hours: new Map(), sampled: new Set() }
  const timed = timedRows(rows, arrangement)
  for (const row of timed.get('1m') ?? []) takeSample(taking, row)
  for (const type of ['10m', '20m'] as const) for (const row of timed.get(type) ?? []) takeTens(taking, type, row)
  for (const type of ['120m', '480m'] as const) for (const row of timed.get(type) ?? []) takePairs(taking, type, row)
  return { samples: taking.samples, tens: [...taking.tens.values()], hours: [...taking.hours.values()] }
}

type TimedRow = { readonly atMs: number; readonly text: string; readonly created: string }

function timedRows(rows: readonly StatsRow[], { nowMs, counts }: Arrangement): ReadonlyMap<string, readonly TimedRow[]> {
  const timed = new Map<string, TimedRow[]>()
  for (const { type, created, stats } of rows) {
    const name = String(type)
    const example = String(created)
    counts.found(name)
    const atMs = parseRowTime(created)
    if (!counts.isType(name)) counts.leftOut(name, 'unknown type', name)
    else if (atMs === undefined) counts.leftOut(name, 'its time cannot be read', example)
    else if (atMs > nowMs) counts.leftOut(name, 'its time is in the future', example)
    else if (atMs < EARLIEST_MS) counts.leftOut(name, 'its time is before 2015', example)
    else if (typeof stats !== 'string') counts.leftOut(name, 'its values cannot be read', example)
    else {
      const list = timed.get(name)
      const row = { atMs, text: stats, created: example }
      if (list === undefined) timed.set(name, [row])
      else list.push(row)
    }
  }
  for (const list of timed.values()) list.sort((a, b) => a.atMs - b.atMs)
  return timed
}

function takeSample(taking: Taking, row: TimedRow): void {
  const { samples, counts, present, sampled, untilMs } = taking
  const { atMs, created } = row
  if (taking.isExpired('1m', atMs)) counts.leftOut('1m', 'older than this hub keeps it', created)
  else if (isNearAny(present.samples, atMs)) counts.present('1m')
  else if (atMs - (samples.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) < CLOSEST_MS)
    counts.leftOut('1m', 'a second one of the same time', created)
  else {
    const decoded = decode(taking, '1m', row)
    if (decoded === undefined) return
    counts.taken('1m', decoded)
    samples.push({ atMs, ...decoded, count: undefined })
    if (atMs < untilMs) sampled.add(bucketStart(atMs, TEN_MS))
  }
}

function takeTens(taking: Taking, type: '10m' | '20m', row: TimedRow): void {
  const { tens, present, sampled, untilMs } = taking
  const isDoubled = (start: number): boolean => type === '10m' && tens.has(start)
  const isCovered = (start: number): boolean => start + TEN_MS > untilMs || tens.has(start) || (type === '20m' && sampled.has(start))
  const starts = tensOf(type, row.atMs)
  take(taking, type, row, {
    tier: '10m',
    starts,
    isPresent: (start) => present.tens.has(start),
    isDoubled,
    isCovered,
    into: tens,
  })
}

function takePairs(taking: Taking, type: '120m' | '480m', row: TimedRow): void {
  const { tens, hours, present, sampled, untilMs } = taking
  const today = bucketStart(untilMs, DAY_MS)
  const tensIn = (pair: number): number => {
    let found = 0
    for (let start = pair; start < pair + TWO_HOURS_MS; start += TEN_MS)
      if (tens.has(start) || sampled.has(start) || present.tens.has(start)) found++
    return found
  }
  // Until a day is over, this hub computes 2 hours from any 10 minutes of them.
  const enough = (pair: number): number => (type === '480m' || pair >= today ? 1 : TWO_HOURS_MS / TEN_MS)
  const isDoubled = (pair: number): boolean => type === '120m' && hours.has(pair)
  const isCovered = (pair: number): boolean => pair + TWO_HOURS_MS > untilMs || hours.has(pair) || tensIn(pair) >= enough(pair)
  take(taking, type, row, {
    tier: '2h',
    starts: pairsOf(type, row.atMs),
    isPresent: (pair) => present.hours.has(pair),
    isDoubled,
    isCovered,
    into: hours,
  })
}

/**
 * Decision data for one imported row of averages: the resolution (`10m` or `2h`) and `starts`, the buckets (epoch ms) that it may fill. A
 * bucket stays unfilled if `isPresent`, `isDoubled` or `isCovered` returns true. Rows go to `into`.
 */
type Buckets = {
  readonly tier: '10m' | '2h'
  readonly starts: readonly number[]
  readonly isPresent: (start: number) => boolean
  readonly isDoubled: (start: number) => boolean
  readonly isCovered: (start: number) => boolean
  readonly into: Map<number, TableRow>
}

function take(taking: Taking, type: AverageType, row: TimedRow, buckets: Buckets): void {
  const { counts } = taking
  const { starts, tier, isPresent, isDoubled, isCovered, into } = buckets
  const kept = starts.filter((start) => !taking.isExpired(tier, start))
  const absent = kept.filter((start) => !isPresent(start))
  const free = absent.filter((start) => !isCovered(start))
  if (kept.length === 0) return counts.leftOut(type, 'older than this hub keeps it', row.created)
  if (absent.length === 0) return counts.present(type)
  if (absent.some(isDoubled)) return counts.leftOut(type, 'a second one of the same time', row.created)
  if (free.length === 0) return counts.leftOut(type, 'finer data of the same time is taken', row.created)
  const decoded = decode(taking, type, row)
  if (decoded === undefined) return
  counts.taken(type, decoded)
  const count = minutesOf(type) / starts.length
  for (const start of free) into.set(start, { atMs: start, ...decoded, count })
}

function decode({ kind, counts }: Taking, type: string, { text, created }: TimedRow): DecodedStats | undefined {
  const decoded = decodeStats(text, kind)
  if (decoded === undefined) counts.leftOut(type, 'its values cannot be read', created)
  else if (decoded.points.values.length === 0) counts.leftOut(type, 'it has no values', created)
  else return decoded
  return undefined
}

/** Returns true if a list of ascending sample times (epoch ms) has one less than 30 s from `atMs`. An imported sample then repeats it. */
function isNearAny(times: readonly number[], atMs: number): boolean {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) <= atMs - CLOSEST_MS) low = middle + 1
    else high = middle
  }
  const next = times[low]
  return next !== undefined && next - atMs < CLOSEST_MS
}

/**
 * Imported data of one system and kind as one table per resolution: `samples`, `tens` (10-minute buckets) and `hours` (2-hour buckets). No
 * bucket ends after `untilMs`.
 */
export type ArrangedTables = { readonly samples: SeriesTable; readonly tens: SeriesTable; readonly hours: SeriesTable }

/**
 * Builds the history tables of an import from the rows that were assigned to tiers (resolutions). Buckets without a row are computed from
 * finer data: 10 min from samples of ended hours, 2 h of ended days from 10 min. Buckets that are stored here or expired are not.
 */
export function tablesOfRows(
  rows: ArrangedRows,
  { untilMs, present, isExpired }: Pick<Arrangement, 'untilMs' | 'present' | 'isExpired'>,
): ArrangedTables {
  const samples = tableOf(rows.samples)
  const rowTens = tableOf(rows.tens)
  const tenStarts = new Set(rowTens.times)
  const isUnfilled = (atMs: number): boolean => {
    const start = bucketStart(atMs, TEN_MS)
    return atMs < untilMs && !tenStarts.has(start) && !present.tens.has(start) && !isExpired('10m', start)
  }
  const tens = joinTables([rolledUp(rowsWhere(samples, isUnfilled), TEN_MS), rowTens])
  const rowHours = tableOf(rows.hours)
  const pairStarts = new Set(rowHours.times)
  const today = bucketStart(untilMs, DAY_MS)
  const isOpenPair = (atMs: number): boolean => {
    const pair = bucketStart(atMs, TWO_HOURS_MS)
    return pair < today && !pairStarts.has(pair) && !present.hours.has(pair) && !isExpired('2h', pair)
  }
  return { samples, tens, hours: joinTables([rolledUp(rowsWhere(tens, isOpenPair), TWO_HOURS_MS), rowHours]) }
}
