import { showToast } from './toasts.ts'

const COPIED_TOAST_MS = 1_500

export type CopyWords = { readonly copied: string; readonly askManually: string }

/**
 * Copies text to the clipboard and shows a toast; `words` are its texts. Where the browser forbids that, as without HTTPS, a prompt shows
 * the text for manual copying.
 */
export async function copyText(text: string, words: CopyWords): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // Also reached when `navigator.clipboard` does not exist.
    prompt(words.askManually, text)
    return
  }
  showToast({ title: words.copied, durationMs: COPIED_TOAST_MS })
}
