import type { Remark } from './foreign-hub.ts'

const MOST_EXAMPLES = 3
/** Maximum length in characters (60) of an example in an import's preview, such as the name of a system. Longer ones are cut. */
const LONGEST_EXAMPLE = 60

/**
 * Counter of the reasons why an import or export changes or leaves out rows. `add` counts a row under a reason; `list` returns each reason
 * with its count and up to three examples.
 */
export type RemarkCounts = {
  /** Counts a row under a reason why it is changed or left out. `example` names the row for the preview; an empty one is not shown. */
  readonly add: (reason: string, example: string) => void
  readonly list: () => readonly Remark[]
}

export function remarkCounts(): RemarkCounts {
  const counts = new Map<string, { count: number; readonly examples: string[] }>()
  return {
    add(reason, example) {
      let counted = counts.get(reason)
      if (counted === undefined) counts.set(reason, (counted = { count: 0, examples: [] }))
      counted.count++
      const { examples } = counted
      if (examples.length >= MOST_EXAMPLES) return
      const text = Array.from(example.slice(0, 2 * LONGEST_EXAMPLE))
        .slice(0, LONGEST_EXAMPLE)
        .join('')
      if (text !== '' && !examples.includes(text)) examples.push(text)
    },
    list: () => [...counts].map(([reason, { count, examples }]) => ({ reason, count, examples: [...examples] })),
  }
}
