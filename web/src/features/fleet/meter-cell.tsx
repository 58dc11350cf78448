import { formatPercent } from '../../format/percent.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Meter } from '../../ui/meter.tsx'
import { Unknown } from './unknown.tsx'

/**
 * React component: content of a table cell with a percentage as number and bar; a dash if it is `undefined`. `faded` (an old value) makes
 * it grey. `label` names it for screen readers.
 */
export function MeterCell({ percent, label, faded }: { percent: number | undefined; label: string; faded: boolean }) {
  const formats = useFormats()
  if (percent === undefined)
    return (
      <span className="block w-13 text-right">
        <Unknown />
      </span>
    )
  const text = formatPercent(percent, formats)
  return (
    <span className="flex items-center gap-2.5">
      <span className="w-13 shrink-0 text-right">{text}</span>
      <span className="flex-1">
        <Meter percent={percent} label={label} text={text} faded={faded} />
      </span>
    </span>
  )
}
