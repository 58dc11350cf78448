/** Texts that the browser would not store: they hold for as long as the page is open. */
const unstored = new Map<string, string>()

/** A text remembered by this browser. Storage that is full or forbidden breaks nothing. */
export function readStored(key: string): string | undefined {
  try {
    return unstored.get(key) ?? localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

export function writeStored(key: string, text: string): void {
  unstored.delete(key)
  try {
    localStorage.setItem(key, text)
  } catch {
    unstored.set(key, text)
  }
}
