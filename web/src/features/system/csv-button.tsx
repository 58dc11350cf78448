import type { ChartDrawing } from '../../chart/chart-drawing.ts'
import * as words from '../../words/messages.js'
import { chartCsv, csvFileName } from './chart-csv.ts'

type CsvButtonProps = { drawing: ChartDrawing; system: string; title: string }

/** Saves the numbers of the table as a file. */
export function CsvButton({ drawing, system, title }: CsvButtonProps) {
  return (
    <button
      type="button"
      aria-label={words.save_csv({ title })}
      data-tooltip={words.save_csv_hint()}
      onClick={() => saveText(chartCsv(drawing), csvFileName(system, title))}
      className="h-6 shrink-0 rounded-control px-1.5 text-small font-medium text-muted hover:bg-hover hover:text-text"
    >
      CSV
    </button>
  )
}

/** Browsers read the text when the link is pressed, some of them a moment later. */
const KEEP_MS = 60_000

function saveText(text: string, fileName: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), KEEP_MS)
}
