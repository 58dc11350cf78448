import { axisFor, formatOnAxis } from '../../chart/axis.ts'
import type { ChartDrawing } from '../../chart/chart-drawing.ts'
import { extentOf, plotColumns } from '../../chart/plot-columns.ts'
import { formatTime } from '../../format/time.ts'
import * as words from '../../words/messages.js'

/** The numbers of a chart, newest first. */
export function ChartTable({ drawing, title }: { drawing: ChartDrawing; title: string }) {
  const axis = axisFor(drawing, extentOf(plotColumns(drawing)))
  const indexes = drawing.times.map((_, index) => index).toReversed()
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls has to be reachable by keyboard
    <section aria-label={words.numbers_of({ title })} tabIndex={0} className="h-full overflow-auto rounded-control border border-border">
      <table className="w-full border-collapse text-small">
        <thead className="sticky top-0 bg-surface">
          <tr>
            <th scope="col" className="px-2 py-1 text-left font-medium">
              {words.time()}
            </th>
            {drawing.lines.map(({ key, label }) => (
              <th key={key} scope="col" className="px-2 py-1 text-right font-medium whitespace-nowrap">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {indexes.map((index) => (
            <tr key={index} className="border-t border-border">
              <th scope="row" className="px-2 py-1 text-left font-normal whitespace-nowrap text-muted">
                {formatTime(drawing.times[index] ?? 0, 'dayAndTime')}
              </th>
              {drawing.lines.map(({ key, values }) => {
                const value = values[index]
                return (
                  <td key={key} className="px-2 py-1 text-right whitespace-nowrap">
                    {value === null || value === undefined ? '–' : formatOnAxis(value, axis, drawing.startsAtZero)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
