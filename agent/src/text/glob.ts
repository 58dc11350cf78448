/**
 * Names by pattern: `*` stands for any run of characters, `?` for one. Never takes more steps than the product of both
 * lengths: only the last star is ever tried again.
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

/** Whether a name matches one of these patterns. Patterns without a wildcard, as most are, are compared as a whole. */
export function matcherOf(patterns: readonly string[]): (name: string) => boolean {
  const plain = new Set(patterns.filter((pattern) => !WILDCARD.test(pattern)))
  const globs = patterns.filter((pattern) => WILDCARD.test(pattern))
  return (name) => plain.has(name) || globs.some((pattern) => matchesGlob(pattern, name))
}

/** A list such as `eth*,wlan0`, or with a leading `-` everything but these. */
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
