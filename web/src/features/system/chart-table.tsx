import { useRef } from 'react'
import { formatOnAxis } from '../../chart/axis.ts'
import type { ChartDrawing } from '../../chart/chart-drawing.ts'
import { layoutOf } from '../../chart/drawing-layout.ts'
import { formatTime } from '../../format/time.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { spreadText } from '../../chart/tooltip-model.ts'
import { ScrollBox } from '../../ui/scroll-box.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import * as words from '../../words/messages.js'
import type { Source } from './chart-spec.ts'
import { sourceWords } from './sources.ts'

const ROW_PIXELS = 25

/** The numbers of a chart, newest first, below where they come from. */
export function ChartTable({ drawing, title, source }: { drawing: ChartDrawing; title: string; source: Source | undefined }) {
  const formats = useFormats()
  const box = useRef<HTMLElement>(null)
  const { axis } = layoutOf(drawing)
  const indexes = drawing.times.map((_, index) => index).toReversed()
  return (
    <ScrollBox label={words.numbers_of({ title })} box={box} className="h-full border border-border">
      <table className="w-full border-collapse text-small" aria-rowcount={indexes.length + 1}>
        {source !== undefined && <caption className="px-2 py-1 text-left text-muted">{sourceWords[source]()}</caption>}
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
        <VirtualList as="tbody" rows={indexes} rowPixels={ROW_PIXELS} box={box}>
          {(index) => (
            <tr key={index} aria-rowindex={drawing.times.length - index + 1} className="h-6.25 border-t border-border">
              <th scope="row" className="px-2 text-left font-normal whitespace-nowrap text-muted">
                {formatTime(drawing.times[index] ?? 0, 'dayAndTime', formats)}
              </th>
              {drawing.lines.map((line) => {
                const value = line.values[index]
                return (
                  <td key={line.key} className="px-2 text-right whitespace-nowrap">
                    {value === null || value === undefined ? '–' : formatOnAxis(value, axis, formats, drawing.startsAtZero)}
                    <Spread text={spreadText(line, index, axis, formats)} />
                  </td>
                )
              })}
            </tr>
          )}
        </VirtualList>
      </table>
    </ScrollBox>
  )
}

const Spread = ({ text }: { text: string | undefined }) => text !== undefined && <span className="text-muted">, {text}</span>
