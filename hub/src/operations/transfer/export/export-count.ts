import type { TransferLine } from '../foreign-hub.ts'
import { remarkCounts } from '../remark-counts.ts'

/** Counter of the rows of one kind of data that are written, changed or left out. */
export type ExportCount = {
  readonly taken: () => void
  readonly changed: (reason: string, example: string) => void
  readonly leftOut: (reason: string, example: string) => void
  readonly line: () => TransferLine
}

/** Creates the counter of the rows of one kind of data, such as `users`. */
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
