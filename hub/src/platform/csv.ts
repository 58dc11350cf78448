/**
 * Returns a value as CSV field (RFC 4180), quoted if needed. A text that a spreadsheet would run as a formula, such as `=1+1`, gets a
 * leading apostrophe.
 */
export function csvField(value: unknown): string {
  if (typeof value === 'number') return String(value)
  const text = String(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
