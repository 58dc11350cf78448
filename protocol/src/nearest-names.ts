/** Maximum length of a mistyped word, 64 UTF-16 units, for which similar names are suggested; a longer one gets none. */
const LONGEST_WORD = 64

/** Maximum number of similar names that are suggested for a mistyped word: 3. */
const MOST_NAMES = 3

/**
 * Returns a list of up to 3 of the `names` that a mistyped word probably meant, nearest first, compared without case. A name may differ by
 * one letter per three letters of the word, and by at least one. Empty for a word above 64 UTF-16 units.
 */
export function nearestNames(word: string, names: readonly string[]): readonly string[] {
  if (word.length > LONGEST_WORD) return []
  const most = Math.max(1, Math.floor(word.length / 3))
  const near = names.flatMap((name) => {
    const changes = changesBetween(word.toLowerCase(), name.toLowerCase())
    return changes <= most ? [{ name, changes }] : []
  })
  // Several options may share a name.
  const found = near.toSorted((one, other) => one.changes - other.changes).map(({ name }) => name)
  return [...new Set(found)].slice(0, MOST_NAMES)
}

/**
 * Returns the end of an error message about a mistyped word, such as `; did you mean --listen?`; empty when none of the `names` is similar.
 */
export function didYouMean(word: string, names: readonly string[]): string {
  const near = nearestNames(word, names)
  if (near.length === 0) return ''
  const others = near.slice(0, -1).join(', ')
  return `; did you mean ${others === '' ? '' : `${others} or `}${near.at(-1)}?`
}

/** Returns the number of UTF-16 units to add, remove or replace between two words: the Levenshtein distance. */
function changesBetween(from: string, to: string): number {
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const replaced = (last[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1)
      current.push(Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, replaced))
    }
    last = current
  }
  return last[to.length] ?? 0
}
