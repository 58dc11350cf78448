/** Map from localStorage key to text, for texts that localStorage refused to store; they are kept in memory until the page is closed. */
const unsavedTexts = new Map<string, string>()

/** Returns a text from localStorage by its key, or from memory when storage is full or forbidden; `undefined` when there is none. */
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
