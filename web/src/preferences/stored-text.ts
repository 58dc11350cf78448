/** A text remembered by this browser; storage that is full or forbidden remembers nothing and breaks nothing. */
export function readStored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

export function writeStored(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch {
    // Forgetting a sort order or a recent page is not worth a word to the person.
  }
}
