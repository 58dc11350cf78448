/** Browsers read the content when the link is pressed, some of them a moment later. */
const KEEP_MS = 60_000

/** Offers a text as a file to save. */
export function saveFile(text: string, fileName: string, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), KEEP_MS)
}
