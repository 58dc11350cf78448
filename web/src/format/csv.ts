/**
 * Returns a text as a CSV cell (RFC 4180), in quotes where needed. A text that a spreadsheet would run as a formula is prefixed with `'`.
 */
export function textCell(text: string): string {
  const guarded = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}
