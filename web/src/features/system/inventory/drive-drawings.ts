import type { Drive } from '../../../api/inventory.ts'
import { latestOf, type SeriesFrame } from '../../../chart/series-frame.ts'
import { withLineStyles } from '../../../chart/chart-drawing.ts'
import { seriesColour } from '../../../chart/series-colour.ts'
import { compareNames } from '../../../format/compare.ts'
import type { CardDrawing } from '../chart-spec.ts'

const looks = {
  celsius: { unit: 'celsius', startsAtZero: false },
  wearPercent: { unit: 'percent', startsAtZero: true },
} as const

/**
 * Returns the data of the chart of the drives' temperature or wear (`field`), with a line for each drive that has such values. `undefined`
 * when none has. The headline is the highest of the latest values.
 */
export function driveDrawing(frame: SeriesFrame, field: 'celsius' | 'wearPercent', drives: readonly Drive[]): CardDrawing | undefined {
  const suffix = `.${field}`
  const lines = [...frame.series]
    .filter(([key]) => key.endsWith(suffix))
    .map(([key, values]) => {
      const label = nameOf(key.slice('drive.'.length, -suffix.length), drives)
      return { key, label, colour: seriesColour(label), values }
    })
    .toSorted((a, b) => compareNames(a.label, b.label))
  if (lines.length === 0) return undefined
  const latest = lines.flatMap(({ key }) => latestOf(frame, key) ?? [])
  const headline = latest.length === 0 ? undefined : Math.max(...latest)
  return withLineStyles({ ...looks[field], times: frame.times, lines, isStacked: false, headline })
}

/**
 * Returns the device name of a drive, such as `sda`, for the `id` in a series key. The id is the drive's serial number, or its device name
 * if it has none. For a drive that was removed, `id` itself is returned.
 */
const nameOf = (id: string, drives: readonly Drive[]): string => drives.find(({ serial, name }) => (serial ?? name) === id)?.name ?? id
