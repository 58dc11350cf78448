const MOST_KEYS = 100

/** True for the first call with a key. Keys beyond the first 100 count as known. For a log line of which one is enough. */
export function firstTime(): (key: string) => boolean {
  const known = new Set<string>()
  return (key) => {
    const isNew = known.size < MOST_KEYS && !known.has(key)
    if (isNew) known.add(key)
    return isNew
  }
}
