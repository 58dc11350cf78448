/** A text remembered by this browser; storage that is full or forbidden remembers nothing and breaks nothing. */
export function readStored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** `undefined` takes it away. */
export function writeStored(key: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // Forgetting a sort order or a recent page is not worth a word to the person.
  }
}
