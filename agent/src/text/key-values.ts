/**
 * Parses lines of `Name:   value`, as in /proc/meminfo, or `NAME=value` into a map from name to value (text). The first of equal names
 * wins; lines without the separator are skipped.
 */
export function parseKeyValues(text: string, separator: ':' | '='): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const line of text.split('\n')) {
    const at = line.indexOf(separator)
    if (at === -1) continue
    const name = line.slice(0, at).trim()
    if (!values.has(name)) values.set(name, line.slice(at + 1).trim())
  }
  return values
}

/** Returns a value without the quotes around it, if any, as a shell would remove them in os-release(5). */
export const withoutQuotes = (text: string): string => (/^(["']).*\1$/.test(text) ? text.slice(1, -1) : text)
