import { useRef } from 'react'
import { formatOnAxis } from '../../chart/axis.ts'
import type { ChartDrawing } from '../../chart/chart-drawing.ts'
import { layoutOf } from '../../chart/drawing-layout.ts'
import { formatTime } from '../../format/time.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { spreadText } from '../../chart/tooltip-model.ts'
import { cn } from '../../ui/cn.ts'
import { ScrollBox } from '../../ui/scroll-box.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import * as words from '../../words/messages.js'
import type { Source } from './chart-spec.ts'
import { sourceWords } from './sources.ts'
import { COLUMN_PIXELS, useNearColumns } from './use-near-columns.ts'

const ROW_PIXELS = 25

/**
 * React component: table of a chart's values, newest time first, with a column for each line. Its caption says where the agent reads the
 * data `source`. Only rows and columns in view are rendered.
 */
export function ChartTable({ drawing, title, source }: { drawing: ChartDrawing; title: string; source: Source | undefined }) {
  const formats = useFormats()
  const box = useRef<HTMLElement>(null)
  const { axis } = layoutOf(drawing)
  const { lines } = drawing
  const { first, end } = useNearColumns(box, lines.length)
  const isPart = end - first < lines.length
  const drawn = lines.slice(first, end)
  const columnStyle = isPart ? { minWidth: COLUMN_PIXELS, maxWidth: COLUMN_PIXELS } : undefined
  const columnClass = cn('px-2 text-right whitespace-nowrap', isPart && 'truncate')
  const spaceBefore = first > 0 && <td aria-hidden="true" style={{ minWidth: first * COLUMN_PIXELS }} />
  const spaceAfter = end < lines.length && <td aria-hidden="true" style={{ minWidth: (lines.length - end) * COLUMN_PIXELS }} />
  const indexes = drawing.times.map((_, index) => index).toReversed()
  return (
    <ScrollBox label={words.numbers_of({ title })} box={box} className="h-full border border-border">
      <table className="w-full border-collapse text-small" aria-rowcount={indexes.length + 1} aria-colcount={lines.length + 1}>
        {source !== undefined && <caption className="px-2 py-1 text-left text-muted">{sourceWords[source]()}</caption>}
        <thead className="sticky top-0 bg-surface">
          <tr>
            <th scope="col" className="px-2 py-1 text-left font-medium">
              {words.time()}
            </th>
            {spaceBefore}
            {drawn.map(({ key, label }, at) => (
              <th
                key={key}
                scope="col"
                aria-colindex={first + at + 2}
                data-tooltip={isPart ? label : undefined}
                className={cn(columnClass, 'py-1 font-medium')}
                style={columnStyle}
              >
                {label}
              </th>
            ))}
            {spaceAfter}
          </tr>
        </thead>
        <VirtualList as="tbody" rows={indexes} rowPixels={ROW_PIXELS} box={box}>
          {(index) => (
            <tr key={index} aria-rowindex={drawing.times.length - index + 1} className="h-6.25 border-t border-border">
              <th scope="row" className="px-2 text-left font-normal whitespace-nowrap text-muted">
                {formatTime(drawing.times[index] ?? 0, 'dayAndTime', formats)}
              </th>
              {spaceBefore}
              {drawn.map((line, at) => {
                const value = line.values[index]
                return (
                  <td key={line.key} aria-colindex={first + at + 2} className={columnClass} style={columnStyle}>
                    {value === null || value === undefined ? '–' : formatOnAxis(value, axis, formats, drawing.startsAtZero)}
                    <Spread text={spreadText(line, index, axis, formats)} />
                  </td>
                )
              })}
              {spaceAfter}
            </tr>
          )}
        </VirtualList>
      </table>
    </ScrollBox>
  )
}

const Spread = ({ text }: { text: string | undefined }) => text !== undefined && <span className="text-muted">, {text}</span>
