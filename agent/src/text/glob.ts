/**
 * Returns true when a name matches a pattern: `*` stands for any characters, `?` for one. Its time is at most proportional to the product
 * of both lengths.
 */
export function matchesGlob(pattern: string, name: string): boolean {
  let at = 0
  let star: number | undefined
  let resumeAt = 0
  for (let read = 0; read < name.length;) {
    const wanted = pattern[at]
    if (wanted === '*') {
      star = at++
      resumeAt = read
    } else if (wanted === '?' || wanted === name[read]) {
      at++
      read++
    } else if (star !== undefined) {
      at = star + 1
      read = ++resumeAt
    } else return false
  }
  return /^\**$/.test(pattern.slice(at))
}

const WILDCARD = /[*?]/

/**
 * Returns a function that takes a name and returns true when it matches one of the patterns. Patterns without a wildcard are compared as
 * whole texts.
 */
export function matcherOf(patterns: readonly string[]): (name: string) => boolean {
  const plain = new Set(patterns.filter((pattern) => !WILDCARD.test(pattern)))
  const globs = patterns.filter((pattern) => WILDCARD.test(pattern))
  return (name) => plain.has(name) || globs.some((pattern) => matchesGlob(pattern, name))
}

/**
 * Filter of names, parsed from a list of patterns such as `eth*,wlan0`. Mode `only`: names that match a pattern; mode `except` (the list
 * begins with `-`): all other names.
 */
export type NameFilter = { readonly mode: 'only' | 'except'; readonly patterns: readonly string[] }

export function parseNameFilter(text: string): NameFilter {
  const mode = text.startsWith('-') ? 'except' : 'only'
  const list = mode === 'except' ? text.slice(1) : text
  return {
    mode,
    patterns: list
      .split(',')
      .map((pattern) => pattern.trim())
      .filter((pattern) => pattern !== ''),
  }
}

export const isListed = (filter: NameFilter, name: string): boolean => filter.patterns.some((pattern) => matchesGlob(pattern, name))
