/** A cell of CSV (RFC 4180). Names come from systems: one that a spreadsheet would take for a formula is told to be text. */
export function textCell(text: string): string {
  const guarded = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}
