import { formatAmount } from '../../format/bytes.ts'
import type { Formats } from '../../format/formats.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { scaleFor } from '../../chart/drawing-layout.ts'
import type { ChartUnit } from '../../chart/chart-drawing.ts'
import * as words from '../../words/messages.js'
import type { CardDrawing } from './chart-spec.ts'

/**
 * React component: latest value of a chart in large type on the chart's card. In a chart in bytes whose total is known, such as memory, the
 * total follows: `3.2 of 16 GB`.
 */
export function Headline({ drawing: { headline, unit, top } }: { drawing: CardDrawing }) {
  const formats = useFormats()
  if (headline === undefined) return null
  const { number, name } = inUnit(headline, unit, formats)
  const whole = unit === 'bytes' && top !== undefined ? inUnit(top, unit, formats) : undefined
  return (
    <p className="text-value font-semibold tracking-tight whitespace-nowrap">
      {number}{' '}
      <span className="text-small font-normal tracking-normal text-muted">
        {name}
        {whole !== undefined && ` ${words.of_total({ total: whole.name === name ? whole.number : `${whole.number} ${whole.name}` })}`}
      </span>
    </p>
  )
}

function inUnit(value: number, unit: ChartUnit, formats: Formats): { readonly number: string; readonly name: string } {
  if (unit === 'percent') return { number: formatAmount(Math.round(value * 10) / 10, formats), name: '%' }
  const scale = scaleFor(unit, value)
  return { number: formatAmount(value / scale.divisor, formats), name: scale.unit }
}
