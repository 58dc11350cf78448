import { splitKey } from '@vedette/protocol/metrics/series'
import { containerIdentity } from './container-identity.ts'
import { type SeriesColumn, type Stretch, extremesOf, unknownNumbers } from './stretch.ts'

/** Buckets in which a container may have two names, each time it gets another one: it was renamed within one of them, and late data may touch the next. */
const SHARED_BUCKETS = 2

/**
 * Series of containers that were made anew under another name of the same identity, under the latest of their names. Two
 * that ran at the same time are two.
 */
export function joinRenamed(stretch: Stretch): Stretch {
  const columns = Map.groupBy(stretch.series, ({ key }) => splitKey(key)[0])
  const identities = Map.groupBy(columns.keys(), containerIdentity)
  if (identities.size === columns.size) return stretch
  const series = [...identities.values()].flatMap((names) => {
    const own = names.map((name) => ({ name, columns: columns.get(name) ?? [] }))
    return joinedNames(own, stretch.times.length) ?? own.flatMap((one) => one.columns)
  })
  return { times: stretch.times, series: series.toSorted((a, b) => (a.key < b.key ? -1 : 1)) }
}

type Named = { readonly name: string; readonly columns: readonly SeriesColumn[] }

/** One container's series; `undefined` when it is not one. */
function joinedNames(named: readonly Named[], length: number): readonly SeriesColumn[] | undefined {
  const placed = named.map((one) => ({ ...one, places: placesOf(one.columns, length) }))
  // Of two in one bucket the one that was first seen later came after the other.
  const all = placed.toSorted((a, b) => a.places.indexOf(1) - b.places.indexOf(1))
  const [first, ...others] = all
  if (first === undefined || others.length === 0) return undefined
  let shared = 0
  let latest = first.name
  for (let at = 0; at < length; at++) {
    const here = all.filter(({ places }) => places[at] === 1)
    if (here.length > 1) shared += 1
    latest = here.at(-1)?.name ?? latest
  }
  const isOfBuckets = first.columns.some(({ extremes }) => extremes !== undefined)
  if (shared > (isOfBuckets ? SHARED_BUCKETS * others.length : 0)) return undefined
  const fields = Map.groupBy(
    all.flatMap(({ columns }) => columns),
    ({ key }) => splitKey(key)[1],
  )
  return [...fields].map(([field, parts]) => merged(`${latest}.${field}`, parts, length))
}

/** 1 where anything is known. */
function placesOf(columns: readonly SeriesColumn[], length: number): Uint8Array {
  const places = new Uint8Array(length)
  for (const { average } of columns) for (let at = 0; at < length; at++) if (!Number.isNaN(average[at] ?? Number.NaN)) places[at] = 1
  return places
}

/** Of a bucket that several know, each counts for the samples it saw. */
function merged(key: string, parts: readonly SeriesColumn[], length: number): SeriesColumn {
  const average = unknownNumbers(length)
  const extremes = { minimum: unknownNumbers(length), maximum: unknownNumbers(length), count: unknownNumbers(length) }
  for (const part of parts) addTo({ key, average, extremes }, part)
  return parts.every((part) => part.extremes === undefined) ? { key, average } : { key, average, extremes }
}

function addTo({ average, extremes: { minimum, maximum, count } }: Required<SeriesColumn>, part: SeriesColumn): void {
  const extremes = extremesOf(part)
  for (const [at, value] of part.average.entries()) {
    if (Number.isNaN(value)) continue
    const [before, own] = [known(count[at], 0), known(extremes.count[at], 1)]
    average[at] = (known(average[at], 0) * before + value * own) / (before + own)
    minimum[at] = Math.min(known(minimum[at], value), known(extremes.minimum[at], value))
    maximum[at] = Math.max(known(maximum[at], value), known(extremes.maximum[at], value))
    count[at] = before + own
  }
}

const known = (value: number | undefined, otherwise: number): number => (value === undefined || Number.isNaN(value) ? otherwise : value)
