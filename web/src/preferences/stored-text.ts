/** Map from key to text with what localStorage refused to store; it is kept in memory until the page is closed. */
const unsavedTexts = new Map<string, string>()

/** Reads a text from localStorage by its key, or from memory when storage is full or forbidden; `undefined` when there is none. */
export function readStored(key: string): string | undefined {
  try {
    return unsavedTexts.get(key) ?? localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

export function writeStored(key: string, text: string): void {
  unsavedTexts.delete(key)
  try {
    localStorage.setItem(key, text)
  } catch {
    unsavedTexts.set(key, text)
  }
}
