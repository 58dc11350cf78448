const MOST_KEYS = 100

/**
 * Creates a function that returns true for its first call with a key and false for later calls with that key. After 100 different keys it
 * returns false for every key. Used to log an event once.
 */
export function firstTime(): (key: string) => boolean {
  const known = new Set<string>()
  return (key) => {
    const isNew = known.size < MOST_KEYS && !known.has(key)
    if (isNew) known.add(key)
    return isNew
  }
}
