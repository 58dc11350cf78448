import type { CounterPlace } from '../runtime.ts'

/**
 * Returns one number for each entry of `wanted`, which is the word `after` and an `offset`. The number is `offset` words after that word in
 * a line of `text`, summed over all matching lines. It is `null` where no line matches.
 */
export function countedNumbers(text: string, wanted: readonly CounterPlace[]): (number | null)[] {
  const lines = text.split('\n').map((line) => line.split(/[ \t\r:=]+/).filter((word) => word !== ''))
  return wanted.map(({ after, offset }) => {
    const numbers = lines.flatMap((words) => {
      const at = after === '' ? -1 : words.findIndex((word) => isMeant(word, after))
      const word = after !== '' && at === -1 ? undefined : words[at + offset]
      return word !== undefined && /^\d+$/.test(word) ? [Number(word)] : []
    })
    return numbers.length === 0 ? null : numbers.reduce((sum, one) => sum + one)
  })
}

function isMeant(word: string, after: string): boolean {
  if (!after.endsWith('#')) return word === after
  const name = after.slice(0, -1)
  return word.startsWith(name) && /^\d+$/.test(word.slice(name.length))
}
