/** Percent between two lines of progress when the output is not a terminal. */
const STEP_PERCENT = 5
const BAR_LENGTH = 30

/** Prints the progress of an import. `report` takes the number of finished rows; `end` finishes the line of the bar. */
export type ImportProgress = { readonly report: (doneRows: number) => void; readonly end: () => void }

type ProgressParts = {
  readonly totalRows: number
  /** True for a terminal, which shows a bar on one line. Other outputs get a line for every 5 percent. */
  readonly isInteractive: boolean
  readonly write: (text: string) => void
}

/** Creates the display of an import's progress. It never goes back, and prints only when the percentage has changed. */
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
