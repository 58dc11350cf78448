const MOST_KEYS = 100

/**
 * Returns a function that takes a key. It returns true for the first call with the key, and false later and after 100 keys. Used to log an
 * event once.
 */
export function firstTime(): (key: string) => boolean {
  const known = new Set<string>()
  return (key) => {
    const isNew = known.size < MOST_KEYS && !known.has(key)
    if (isNew) known.add(key)
    return isNew
  }
}
