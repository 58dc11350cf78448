import { containerPoints, pointsOf, systemPoints, type SeriesPoints, type StoredKind } from '@vedette/protocol/metrics/series'
import type { Sample } from '@vedette/protocol/metrics/sample'
import { decodeDocument } from '@vedette/protocol/wire/document-decode'
import { fromDocumentJson } from '@vedette/protocol/wire/document-json'
import { readContainerStatsJson, readStatsJson, type Json, type JsonObject } from '@vedette/protocol/wire/stats-json'
import { statsPeakPoints } from '@vedette/protocol/wire/stats-peaks'
import { isJsonObject, parseJson } from '../../../platform/json.ts'
import { withinBounds } from '../../../samples/sample-bounds.ts'

/**
 * Values decoded from one row of the imported hub's history, in base units such as bytes and percent. `points` has averages or a sample,
 * `peaks` the maximums. `unreadable` counts values that cannot be read.
 */
export type DecodedStats = {
  readonly points: SeriesPoints
  /** Maximums of the series for which an imported row of averages has them; empty for a sample. They are values like `points`. */
  readonly peaks: SeriesPoints
  readonly unreadable: number
}

const NO_POINTS: SeriesPoints = { things: [], fields: [], values: [] }

/** Largest accepted absolute value in imported history, 2^64, as for agents' samples. A larger value is left out. */
const LARGEST = 2 ** 64

/**
 * Decodes the JSON text in the column `stats` of an imported row to values. `undefined` if it is not JSON of that kind (system,
 * containers). Values that are null, text or impossible are left out.
 */
export function decodeStats(text: string, kind: StoredKind): DecodedStats | undefined {
  try {
    const json = parseJson(text)
    if (kind === 'containers') return Array.isArray(json) ? decodeContainers(json as readonly Json[]) : undefined
    return isJsonObject(json) ? decodeSystem(json) : undefined
  } catch (error) {
    // A RangeError means that the JSON nests so deep that it overflows the stack.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined
    throw error
  }
}

function decodeSystem(stats: JsonObject): DecodedStats {
  const { sample, problems } = decodeSample({ stats: withLegacyDiskRates(stats) })
  const points = boundedPoints(sample, systemPoints)
  const peaks = statsPeakPoints(stats)
  if (problems === 0) return { points, peaks, unreadable: 0 }
  return { points: completed(points, pointsOf(readStatsJson(stats))), peaks, unreadable: problems }
}

function decodeContainers(stats: readonly Json[]): DecodedStats {
  const { sample, problems } = decodeSample({ container: stats })
  const points = boundedPoints(sample, ({ containers = [] }) => containerPoints(containers))
  if (problems === 0) return { points, peaks: NO_POINTS, unreadable: 0 }
  return { points: completed(points, pointsOf(readContainerStatsJson(stats))), peaks: NO_POINTS, unreadable: problems }
}

function decodeSample(document: JsonObject): { readonly sample: Sample; readonly problems: number } {
  const decoded = decodeDocument(fromDocumentJson(document) ?? new Map())
  return decoded.ok ? { sample: decoded.sample, problems: decoded.problems.length } : { sample: {}, problems: 1 }
}

/**
 * Limits up to which an imported sample needs no size check: `points`, 5000 values, and `name`, 500 characters for a name such as a disk's.
 * {@link withinBounds} copies a larger sample with limited values.
 */
const ORDINARY = { points: 5000, name: 500 }

/**
 * Converts an imported sample to its series and values by `pointsOfSample`, within the limits for agents' samples. Only a sample beyond
 * them is first copied with limited values.
 */
function boundedPoints(sample: Sample, pointsOfSample: (sample: Sample) => SeriesPoints): SeriesPoints {
  const points = pointsOfSample(sample)
  return isOrdinary(points) ? points : pointsOfSample(withinBounds(sample))
}

function isOrdinary({ things, fields, values }: SeriesPoints): boolean {
  if (values.length > ORDINARY.points) return false
  let last: string | undefined
  for (let at = 0; at < values.length; at++) {
    const thing = things[at] ?? ''
    if (thing !== last && (thing.length > ORDINARY.name || thing.includes('\0') || !thing.isWellFormed())) return false
    last = thing
    if ((values[at] ?? 0) > 100 && fields[at]?.endsWith('Percent') === true) return false
  }
  return true
}

/**
 * Returns imported `stats` of a sample without the rates `rb` and `wb` (bytes/s) of old agents' additional disks. Those agents sent only
 * `r` and `w` (MiB/s); the other hub stored 0 for the former, which would be taken as the rate.
 */
function withLegacyDiskRates(stats: JsonObject): JsonObject {
  const { efs } = stats
  if (!isJsonObject(efs)) return stats
  const isLegacy = (disk: Json): disk is JsonObject =>
    isJsonObject(disk) && disk['rb'] === 0 && disk['wb'] === 0 && ('r' in disk || 'w' in disk)
  if (!Object.values(efs).some(isLegacy)) return stats
  const legacy = (disk: Json): Json => {
    if (!isLegacy(disk)) return disk
    const { rb: _read, wb: _written, ...rest } = disk
    return rest
  }
  return { ...stats, efs: Object.fromEntries(Object.entries(efs).map(([name, disk]) => [name, legacy(disk)])) }
}

/**
 * Adds to `points` the values of series that only `others` has, and returns the result. `others` was decoded from the same sample without
 * its bad values, because one bad value removes a whole list, such as all load averages.
 */
function completed(points: SeriesPoints, others: SeriesPoints): SeriesPoints {
  const known = new Set(points.things.map((thing, at) => `${thing}\0${points.fields[at]}`))
  const places = others.values.flatMap((value, at) => {
    const isPossible = Math.abs(value) <= LARGEST && (value >= 0 || others.fields[at] === 'celsius')
    return isPossible && !known.has(`${others.things[at]}\0${others.fields[at]}`) ? [at] : []
  })
  const added = <T>(list: readonly T[], more: readonly T[]): T[] => [...list, ...places.flatMap((at) => more[at] ?? [])]
  return {
    things: added(points.things, others.things),
    fields: added(points.fields, others.fields),
    values: added(points.values, others.values),
  }
}
