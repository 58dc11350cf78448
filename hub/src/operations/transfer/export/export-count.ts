import type { TransferLine } from '../foreign-hub.ts'
import { remarkCounts } from '../remark-counts.ts'

/**
 * Counter of exported rows of one kind of data, such as `users`: written, changed or left out, with reasons and examples. `line` returns
 * the row for the table that the export prints.
 */
export type ExportCount = {
  readonly taken: () => void
  readonly changed: (reason: string, example: string) => void
  readonly leftOut: (reason: string, example: string) => void
  readonly line: () => TransferLine
}

/** Creates the counter of an export for one kind of data (`what`), such as `users`. */
export function countExport(what: string): ExportCount {
  let taken = 0
  let left = 0
  const changed = remarkCounts()
  const leftOut = remarkCounts()
  return {
    taken: () => void taken++,
    changed: changed.add,
    leftOut(reason, example) {
      left++
      leftOut.add(reason, example)
    },
    line: () => ({ what, found: taken + left, taken, present: 0, changed: changed.list(), leftOut: leftOut.list() }),
  }
}
