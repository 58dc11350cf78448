import { BITS_PER_BYTE } from '../format/bytes.ts'
import type { Column } from '../format/column.ts'
import type { Formats } from '../format/formats.ts'
import { fahrenheitOf } from '../format/temperature.ts'
import type { ChartDrawing, ChartUnit } from './chart-drawing.ts'

type Units = Pick<Formats, 'temperature' | 'network' | 'disk'>

type Conversion = { readonly unit: ChartUnit; readonly convert: (value: number) => number }

function conversionOf({ unit, flow }: Pick<ChartDrawing, 'unit' | 'flow'>, chosen: Units): Conversion | undefined {
  if (unit === 'celsius' && chosen.temperature === 'fahrenheit') return { unit: 'fahrenheit', convert: fahrenheitOf }
  if (unit === 'bytesPerSecond' && flow !== undefined && chosen[flow] === 'bits')
    return { unit: 'bitsPerSecond', convert: (value) => value * BITS_PER_BYTE }
  return undefined
}

/** The same drawing in the units a person chose: the axis steps in them, and every number of it is in them. */
export function inChosenUnits<T extends ChartDrawing & { readonly headline: number | undefined }>(drawing: T, chosen: Units): T {
  const conversion = conversionOf(drawing, chosen)
  if (conversion === undefined) return drawing
  const { unit, convert } = conversion
  const column = (values: Column): Column => values.map((value) => (value === null ? null : convert(value)))
  const lines = drawing.lines.map((line) => ({
    ...line,
    values: column(line.values),
    ...(line.extremes === undefined
      ? {}
      : { extremes: { minimum: column(line.extremes.minimum), maximum: column(line.extremes.maximum) } }),
  }))
  return { ...drawing, unit, lines, headline: drawing.headline === undefined ? undefined : convert(drawing.headline) }
}
