/** A CSV field (RFC 4180). A text that a spreadsheet would read as a formula gets a leading apostrophe. */
export function csvField(value: unknown): string {
  if (typeof value === 'number') return String(value)
  const text = String(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
