import { showToast } from './toasts.ts'

const COPIED_TOAST_MS = 1_500

export type CopyWords = { readonly copied: string; readonly askManually: string }

/** Copies text and says so; without a secure context the browser forbids it, and the text is shown to be copied by hand. */
export async function copyText(text: string, words: CopyWords): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // Also reached where `navigator.clipboard` does not exist at all.
    prompt(words.askManually, text)
    return
  }
  showToast({ title: words.copied, durationMs: COPIED_TOAST_MS })
}
