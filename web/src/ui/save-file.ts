/** Time in ms after the click on a download until its blob URL is revoked, because some browsers read it a moment later. */
const KEEP_MS = 60_000

/** Makes the browser download a text as a file with this name. `type` is the MIME type, such as `text/csv`. */
export function saveFile(text: string, fileName: string, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), KEEP_MS)
}
