import type { ChartMark } from '../../chart/chart-marks.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import * as words from '../../words/messages.js'
import { markTime } from './chart-summary.ts'

/** The marks of the charts in words, in the order they began. */
export function HappeningsList({ marks }: { marks: readonly ChartMark[] }) {
  const formats = useFormats()
  if (marks.length === 0) return null
  return (
    <section aria-label={words.happenings()} className="mt-3.5 flex flex-wrap items-baseline gap-x-4 gap-y-1 text-note text-muted">
      <h2 className="font-semibold">{words.happenings()}</h2>
      <ul className="contents">
        {marks.map((mark) => (
          <li key={`${mark.label} ${mark.fromMs}`} className="flex items-center gap-1.5">
            <span className="size-2 rounded-full" style={{ background: `var(${mark.colour})` }} />
            <span className="text-text">{mark.label}</span> {markTime(mark, formats)}
          </li>
        ))}
      </ul>
    </section>
  )
}
