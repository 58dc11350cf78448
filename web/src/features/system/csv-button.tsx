import type { ChartDrawing } from '../../chart/chart-drawing.ts'
import { saveFile } from '../../ui/save-file.ts'
import * as words from '../../words/messages.js'
import { chartCsv, csvFileName } from './chart-csv.ts'

type CsvButtonProps = { drawing: ChartDrawing; system: string; title: string }

/**
 * React component: button that downloads the data `drawing` of a chart as a CSV file. `system` and `title` (names of system and chart) form
 * the file's name.
 */
export function CsvButton({ drawing, system, title }: CsvButtonProps) {
  return (
    <button
      type="button"
      aria-label={words.save_csv({ title })}
      data-tooltip={words.save_csv_hint()}
      onClick={() => saveFile(chartCsv(drawing), csvFileName(system, title), 'text/csv')}
      className="h-6 shrink-0 rounded-control px-1.5 text-small font-medium text-muted hover:bg-hover hover:text-text"
    >
      CSV
    </button>
  )
}
