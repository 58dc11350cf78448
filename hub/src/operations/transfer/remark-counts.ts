import type { Remark } from './foreign-hub.ts'

const MOST_EXAMPLES = 3
/** Maximum length of an example, in characters. Names may be as long as the other hub allows. */
const LONGEST_EXAMPLE = 60

/** Counter of the reasons for which rows are changed or left out, with up to three different examples of each. */
export type RemarkCounts = {
  /** Counts a row. An empty example is not shown. */
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
