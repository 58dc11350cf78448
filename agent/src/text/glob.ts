/** Names by pattern: `*` stands for any run of characters, `?` for one. Compared in time linear in both for one star. */
export function matchesGlob(pattern: string, name: string): boolean {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/\*+/g, '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${source}$`, 's').test(name)
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
