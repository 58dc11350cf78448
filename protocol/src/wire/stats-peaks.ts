import type { SeriesPoints } from '../metrics/series.ts'
import { ownValue } from '../own-value.ts'
import type { Json, JsonObject } from './stats-json.ts'
import { GIBIBYTE, MEBIBYTE } from './units.ts'

/**
 * Place of a maximum in the JSON `stats` of a record: its key, and the index if the value is a list. `field` is the series' field; the
 * number times `factor` is in the series' unit.
 */
type PeakPlace = { readonly key: string; readonly index?: number; readonly field: string; readonly factor: number }

const activityPeaks: readonly PeakPlace[] = [
  'readPercent',
  'writePercent',
  'utilisationPercent',
  'readAwaitMs',
  'writeAwaitMs',
  'weightedPercent',
].map((field, index) => ({ key: 'diosm', index, field, factor: 1 }))

const pair = (key: string, fields: readonly [string, string]): readonly PeakPlace[] =>
  fields.map((field, index) => ({ key, index, field, factor: 1 }))

const diskFields = ['readBytesPerSecond', 'writtenBytesPerSecond'] as const
const networkFields = ['sentBytesPerSecond', 'receivedBytesPerSecond'] as const

/**
 * Object from the measured thing of a series key, such as `cpu`, to places of its maximums in the JSON `stats` of a record. If a field has
 * two places, the later is more exact and wins.
 */
const places: Readonly<Record<string, readonly PeakPlace[]>> = {
  cpu: [{ key: 'cpum', field: 'busyPercent', factor: 1 }],
  memory: [{ key: 'mm', field: 'usedBytes', factor: GIBIBYTE }],
  disk: [
    { key: 'drm', field: diskFields[0], factor: MEBIBYTE },
    { key: 'dwm', field: diskFields[1], factor: MEBIBYTE },
    ...pair('diom', diskFields),
    ...activityPeaks,
  ],
  network: [
    { key: 'nsm', field: networkFields[0], factor: MEBIBYTE },
    { key: 'nrm', field: networkFields[1], factor: MEBIBYTE },
    ...pair('bm', networkFields),
  ],
}

const filesystemPlaces: readonly PeakPlace[] = [
  { key: 'rm', field: diskFields[0], factor: MEBIBYTE },
  { key: 'wm', field: diskFields[1], factor: MEBIBYTE },
  { key: 'rbm', field: diskFields[0], factor: 1 },
  { key: 'wbm', field: diskFields[1], factor: 1 },
  ...activityPeaks,
]

/** Highest accepted value of a maximum in the JSON `stats`, 2^64, as for numbers in samples of agents; larger ones are ignored. */
const LARGEST = 2 ** 64

/**
 * Reads the maximums (`cpum`, `bm` and others) in the `stats` of a `system_stats` record that averages several minutes. Returns them as
 * three parallel lists (thing, field, number in base units). Missing, invalid or impossibly large ones are left out.
 */
export function statsPeakPoints(stats: JsonObject): SeriesPoints {
  const points = { things: new Array<string>(), fields: new Array<string>(), values: new Array<number>() }
  function add(thing: string, holder: JsonObject, of: readonly PeakPlace[]): void {
    for (const { key, index, field, factor } of of) {
      const found = ownValue(holder, key)
      const value = index === undefined ? found : elementOf(found, index)
      if (typeof value !== 'number' || !(Math.abs(value) <= LARGEST)) continue
      points.things.push(thing)
      points.fields.push(field)
      points.values.push(value * factor)
    }
  }
  for (const [thing, of] of Object.entries(places)) add(thing, stats, of)
  for (const [name, disk] of Object.entries(ownValue(stats, 'efs') ?? {}) as [string, Json][])
    // entries of JSON are JSON
    if (isObject(disk)) add(`filesystem.${name}`, disk, filesystemPlaces)
  return points
}

const elementOf = (list: Json | undefined, index: number): Json | undefined =>
  Array.isArray(list) ? (list as readonly Json[])[index] : undefined

const isObject = (value: Json): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
