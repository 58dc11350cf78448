/** Smallest step between two printed lines of an import's progress when the output is not a terminal: 5 percent. */
const STEP_PERCENT = 5
const BAR_LENGTH = 30

/**
 * Display of an import's progress on standard output. `report` takes the number of rows that are imported so far; `end` ends the line of
 * the progress bar.
 */
export type ImportProgress = { readonly report: (doneRows: number) => void; readonly end: () => void }

type ProgressParts = {
  readonly totalRows: number
  /** True for a terminal, which shows a progress bar on one line. Other outputs get a line at most every 5 percent. */
  readonly isInteractive: boolean
  readonly write: (text: string) => void
}

/** Creates the display of an import's progress. The percentage never decreases, and is printed only when it has changed. */
export function importProgress({ totalRows, isInteractive, write }: ProgressParts): ImportProgress {
  let shown = -1
  return {
    report(doneRows) {
      const percent = totalRows === 0 ? 100 : Math.min(100, Math.floor((doneRows / totalRows) * 100))
      const next = isInteractive ? percent : percent - (percent % STEP_PERCENT)
      if (next <= shown) return
      shown = next
      write(isInteractive ? `\r${barOf(next)}` : `${next} %\n`)
    },
    end() {
      if (isInteractive && shown >= 0) write('\n')
    },
  }
}

function barOf(percent: number): string {
  const full = Math.round((percent / 100) * BAR_LENGTH)
  return `[${'#'.repeat(full)}${' '.repeat(BAR_LENGTH - full)}] ${String(percent).padStart(3)} %`
}
