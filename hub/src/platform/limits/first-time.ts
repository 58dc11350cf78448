const MOST_KEYS = 100

/**
 * Returns a function that returns true for the first call with each key, and false afterwards and after 100 keys. Used to log a repeated
 * event only once.
 */
export function firstTime(): (key: string) => boolean {
  const known = new Set<string>()
  return (key) => {
    const isNew = known.size < MOST_KEYS && !known.has(key)
    if (isNew) known.add(key)
    return isNew
  }
}
