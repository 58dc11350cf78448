import type { Remark, TransferLine } from '../foreign-hub.ts'

const MOST_EXAMPLES = 3

/** Counter of the rows of one kind of data that were taken, changed or left out. */
export type RemarkCount = {
  readonly taken: () => void
  readonly changed: (reason: string, example: string) => void
  readonly leftOut: (reason: string, example: string) => void
  readonly line: () => TransferLine
}

/** Creates the counter of the rows of one kind of data, such as `users`. */
export function countRemarks(what: string): RemarkCount {
  let taken = 0
  let left = 0
  const changed = new Map<string, Remark>()
  const leftOut = new Map<string, Remark>()
  const add = (remarks: Map<string, Remark>, reason: string, example: string): void => {
    const { count, examples } = remarks.get(reason) ?? { count: 0, examples: [] }
    remarks.set(reason, { reason, count: count + 1, examples: count < MOST_EXAMPLES ? [...examples, example] : examples })
  }
  return {
    taken: () => void taken++,
    changed: (reason, example) => add(changed, reason, example),
    leftOut(reason, example) {
      left++
      add(leftOut, reason, example)
    },
    line: () => ({ what, found: taken + left, taken, present: 0, changed: [...changed.values()], leftOut: [...leftOut.values()] }),
  }
}
