import { splitKey } from '@vedette/protocol/metrics/series'
import { containerIdentity } from './container-identity.ts'
import { type SeriesColumn, type SeriesTable, extremesOf, unknownNumbers } from './series-table.ts'

/**
 * Maximum number of buckets (10 min or 2 h) with values of several names of a renamed container: 2 per additional name. Names that overlap
 * more, or at all in single samples, count as different containers.
 */
const SHARED_BUCKETS = 2

/**
 * Returns the history table with the series of renamed containers merged: `project_web_1` and `project-web-1` are one container. The merged
 * series get the latest name. Names that run at the same time stay separate.
 */
export function joinRenamed(table: SeriesTable): SeriesTable {
  const columns = Map.groupBy(table.series, ({ key }) => splitKey(key)[0])
  const identities = Map.groupBy(columns.keys(), containerIdentity)
  if (identities.size === columns.size) return table
  const series = [...identities.values()].flatMap((names) => {
    const own = names.map((name) => ({ name, columns: columns.get(name) ?? [] }))
    return joinedNames(own, table.times.length) ?? own.flatMap((one) => one.columns)
  })
  return { times: table.times, series: series.toSorted((a, b) => (a.key < b.key ? -1 : 1)) }
}

type NamedColumns = { readonly name: string; readonly columns: readonly SeriesColumn[] }

/**
 * Merges the series of containers with the same identity but other names to one series per field (such as CPU), under the latest name.
 * `undefined` if there is only one name, or containers of two names ran at the same time.
 */
function joinedNames(named: readonly NamedColumns[], length: number): readonly SeriesColumn[] | undefined {
  const placed = named.map((one) => ({ ...one, places: placesOf(one.columns, length) }))
  // If two names share a bucket, the name that appears later is the newer one.
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

/**
 * Returns an array with a number for each row (time) of a history table of `length` rows. It is 1 if any of the columns has a value there,
 * otherwise 0.
 */
function placesOf(columns: readonly SeriesColumn[], length: number): Uint8Array {
  const places = new Uint8Array(length)
  for (const { average } of columns) for (let at = 0; at < length; at++) if (!Number.isNaN(average[at] ?? Number.NaN)) places[at] = 1
  return places
}

/**
 * Merges the columns of one field (such as memory) of a renamed container into the series `key` with `length` values. If several columns
 * have a value in a bucket, the result is their average, weighted by sample count.
 */
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
