import { valuesOf, type SeriesValues, type StoredKind, type SeriesKey } from '@vedette/protocol/metrics/series'
import { toContainerStatsJson, toStatsJson, type Json, containerStatsJsonOf, statsJsonOf } from '@vedette/protocol/wire/stats-json'
import type { Clock } from '../../platform/clock.ts'
import type { RecordEvent } from '../../platform/events/event-bus.ts'
import { normalDate, recordDate, type StoredRecord } from '../../records/model/stored-record.ts'
import type { Narrowing, RecordSource } from '../../records/model/record-source.ts'
import type { AppendedSample, History } from '../model/history.ts'
import { roundToStep } from '../model/precision.ts'
import { rolledUp } from '../model/roll-up.ts'
import type { SeriesTable } from '../model/series-table.ts'
import { bucketMs, bucketStart, type Tier, type Window } from '../model/tier.ts'

const HOUR_MS = 3_600_000

/**
 * Properties of the record types `1m` to `480m` of `system_stats` and `container_stats`: tier (resolution), interval in ms, and first
 * `letter` of record ids. `listedMs`: how far back, in ms, a list without a lower bound on `created` goes.
 */
const recordTypes = {
  '1m': { tier: '1m', sizeMs: 60_000, listedMs: HOUR_MS, letter: 'a' },
  '10m': { tier: '10m', sizeMs: bucketMs['10m'], listedMs: 12 * HOUR_MS, letter: 'b' },
  '20m': { tier: '10m', sizeMs: 2 * bucketMs['10m'], listedMs: 24 * HOUR_MS, letter: 'c' },
  '120m': { tier: '2h', sizeMs: bucketMs['2h'], listedMs: 7 * 24 * HOUR_MS, letter: 'd' },
  '480m': { tier: '2h', sizeMs: 4 * bucketMs['2h'], listedMs: 30 * 24 * HOUR_MS, letter: 'e' },
} as const satisfies Readonly<Record<string, { tier: Tier; sizeMs: number; listedMs: number; letter: string }>>

type RecordType = keyof typeof recordTypes
const typeNames = Object.keys(recordTypes) as readonly RecordType[] // Object.keys forgets the key type of a constant object

/** List of the record types of `system_stats` that are buckets (`10m` to `480m`), each with its bucket length in ms. */
export const rolledUpTypes = typeNames.filter((type) => type !== '1m').map((type) => ({ type, sizeMs: recordTypes[type].sizeMs }))

/**
 * Number of base-36 digits of the time (epoch ms) at the end of a `system_stats` or `container_stats` record id: 9. They reach to the year
 * 5188.
 */
const ID_TIME_WIDTH = 9

/**
 * Creates the record source of `system_stats` or `container_stats`, by `kind`. It builds records of five types, `1m`, `10m`, `20m`, `120m`
 * and `480m`, from the history.
 */
export function statsRecords(history: History, kind: StoredKind, clock: Clock): RecordSource {
  async function load(narrowing: Narrowing): Promise<readonly StoredRecord[]> {
    const types = narrowing.type === undefined ? typeNames : typeNames.filter((name) => name === narrowing.type)
    const lists = await Promise.all(types.map((type) => loadType(type, narrowing)))
    return lists.flat()
  }

  async function loadType(type: RecordType, narrowing: Narrowing): Promise<readonly StoredRecord[]> {
    const { tier, sizeMs } = recordTypes[type]
    const window = windowOf(type, narrowing, clock.now())
    const found = await history.read({ ...(narrowing.systems && { systems: narrowing.systems }), kind, tier, window })
    const records = found.flatMap(({ system, table }) => {
      // These averages are not stored. The full precision returns the average of equal buckets unchanged.
      const points = sizeMs === bucketMs[tier] ? table : rolledUp(table, sizeMs, roundToStep)
      const stats = statsOf(type, kind, points)
      return points.times.map((atMs, at) => ({ atMs, record: new StatsRecord(type, { system, atMs, at }, stats) }))
    })
    const over = records.filter(({ atMs }) => type === '1m' || atMs + sizeMs <= clock.now())
    return (found.length > 1 ? over.toSorted((a, b) => a.atMs - b.atMs) : over).map(({ record }) => record)
  }

  async function loadOne(id: string): Promise<StoredRecord | undefined> {
    const address = parseId(id)
    if (address === undefined) return undefined
    const created = recordDate(address.createdMs)
    const found = await load({ systems: [address.system], type: address.type, createdFrom: created, createdTo: created })
    return found.find((record) => record.id === id)
  }

  return { load, loadOne }
}

/**
 * Returns the record of type `1m` that shows a new sample of a system, in the format of `system_stats` or, for the kind `containers`,
 * `container_stats`. `values` maps series key to value.
 */
export function sampleRecord(system: string, kind: StoredKind, atMs: number, values: SeriesValues): StoredRecord {
  const created = recordDate(atMs)
  const stats = kind === 'containers' ? toContainerStatsJson(values) : toStatsJson(values)
  return { id: toId(system, '1m', atMs), system, type: '1m', stats, created, updated: created }
}

const collectionOfKind = { system: 'system_stats', containers: 'container_stats' } as const

/**
 * Returns the record events (action `create`) of a new sample, one for each kind (`system`, `containers`) for which the sample has values.
 */
export function sampleEvents({ system, atMs, kinds }: AppendedSample): readonly RecordEvent[] {
  return (['system', 'containers'] as const).flatMap((kind) => {
    const points = kinds[kind]
    return points === undefined ? [] : [new SampleEvent(kind, { system, atMs, points })]
  })
}

/**
 * Record event (action `create`) of a new sample. It builds its `record` (of `system_stats` or `container_stats`) when a listener first
 * reads it, because most samples have no listener.
 */
export class SampleEvent implements RecordEvent {
  readonly action = 'create'
  readonly collection: string
  readonly sample: NonNullable<RecordEvent['sample']>
  declare readonly hub?: string
  readonly #kind: StoredKind
  #record: StoredRecord | undefined

  constructor(kind: StoredKind, sample: NonNullable<RecordEvent['sample']>, hub?: string) {
    this.collection = collectionOfKind[kind]
    this.sample = sample
    if (hub !== undefined) this.hub = hub
    this.#kind = kind
  }

  get record(): StoredRecord {
    const { system, atMs, points } = this.sample
    return (this.#record ??= sampleRecord(system, this.#kind, atMs, valuesOf(points)))
  }
}

/**
 * Returns the time range of the history that can have records with the given bounds of `created`, possibly more. Records of averages have
 * the end of their interval as `created`, so the range begins one interval earlier.
 */
function windowOf(type: RecordType, { createdFrom, createdTo }: Narrowing, nowMs: number): Window {
  const { sizeMs, listedMs } = recordTypes[type]
  const lead = type === '1m' ? 0 : sizeMs
  const fromMs = toMs(createdFrom) ?? nowMs - listedMs
  const lastMs = toMs(createdTo) ?? Number.MAX_SAFE_INTEGER - 1
  return { fromMs: bucketStart(fromMs - lead, type === '1m' ? 1 : sizeMs), toMs: lastMs + 1 }
}

/** Parses a date from a client's filter, such as `2026-01-10 12:00:00.000Z`, to epoch ms; `undefined` for an absent or invalid date. */
function toMs(date: string | undefined): number | undefined {
  const normal = date === undefined ? '' : normalDate(date)
  return normal === '' ? undefined : Date.parse(normal.replace(' ', 'T'))
}

/**
 * Position of one value in a system's history table: `at` is the index in the table's times. `atMs` is the sample time or the bucket's
 * start, in epoch ms.
 */
type Point = { readonly system: string; readonly atMs: number; readonly at: number }

type StatsOf = (at: number) => Json

/**
 * Returns a function from index `at` of a history table to the field `stats` of the record for that time. It caches its last result,
 * because a filter reads the field several times.
 */
function statsOf(type: RecordType, kind: StoredKind, points: SeriesTable): StatsOf {
  const numbers = statsNumbers(kind, points, type !== '1m')
  let last: { readonly at: number; readonly stats: Json } | undefined
  return (at) => {
    if (last?.at !== at) last = { at, stats: statsAt(numbers, at) }
    return last.stats
  }
}

/**
 * Record of `system_stats` or `container_stats`. It builds the field `stats` only on access, because lists are filtered and sorted by other
 * fields.
 */
class StatsRecord {
  readonly [field: string]: Json
  readonly id: string
  readonly system: string
  readonly type: RecordType
  readonly created: string
  readonly updated: string
  readonly #stats: StatsOf
  readonly #at: number

  constructor(type: RecordType, { system, atMs, at }: Point, stats: StatsOf) {
    const createdMs = type === '1m' ? atMs : atMs + recordTypes[type].sizeMs
    this.id = toId(system, type, createdMs)
    this.system = system
    this.type = type
    this.created = recordDate(createdMs)
    this.updated = this.created
    this.#stats = stats
    this.#at = at
  }

  get stats(): Json {
    return this.#stats(this.#at)
  }
}

const toId = (system: string, type: RecordType, createdMs: number): string =>
  `${system}${recordTypes[type].letter}${createdMs.toString(36).padStart(ID_TIME_WIDTH, '0')}`

function parseId(id: string): { readonly system: string; readonly type: RecordType; readonly createdMs: number } | undefined {
  const letter = id.at(-ID_TIME_WIDTH - 1)
  const type = typeNames.find((name) => recordTypes[name].letter === letter)
  const createdMs = Number.parseInt(id.slice(-ID_TIME_WIDTH), 36)
  const system = id.slice(0, -ID_TIME_WIDTH - 1)
  return type === undefined || system === '' || Number.isNaN(createdMs) ? undefined : { system, type, createdMs }
}

/**
 * Values of a history table from which the field `stats` of records is built. `keys` and `values` are parallel lists; each array has a
 * value for each time, NaN for unknown. `maxima` has the maximums, only for buckets of the kind `system`.
 */
export type StatsNumbers = {
  readonly kind: StoredKind
  readonly keys: readonly SeriesKey[]
  readonly values: readonly Float64Array[]
  readonly maxima?: readonly Float64Array[]
}

export function statsNumbers(kind: StoredKind, { series }: SeriesTable, isOfBuckets: boolean): StatsNumbers {
  const keys = series.map(({ key }) => key)
  const averages = series.map(({ average }) => average)
  if (kind === 'containers' || !isOfBuckets) return { kind, keys, values: averages }
  const maxima = series.map(({ average, extremes }) => extremes?.maximum ?? average)
  // A counter shows its value at the end of the bucket, which is its maximum.
  const values = series.map(({ key, average }, index) => (key.endsWith('BytesTotal') ? (maxima[index] ?? average) : average))
  return { kind, keys, values, maxima }
}

/** Builds the field `stats` of a `system_stats` or `container_stats` record from the values at the index `at` of each series' array. */
export function statsAt({ kind, keys, values, maxima }: StatsNumbers, at: number): Json {
  const of = (columns: readonly Float64Array[]) => (index: number) => columns[index]?.[at] ?? Number.NaN
  return kind === 'containers' ? containerStatsJsonOf(keys, of(values)) : statsJsonOf(keys, of(values), maxima && of(maxima))
}
