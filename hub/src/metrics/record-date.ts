/** `YYYY-MM-DD HH:MM:SS.sssZ`, the text of every date in the records API; it sorts like the time it names. */
export function toRecordDate(atMs: number): string {
  return new Date(atMs).toISOString().replace('T', ' ')
}

/** Epoch milliseconds of such a text, also when it is cut short after the day, minute or second; `undefined` for anything else. */
export function parseRecordDate(text: string): number | undefined {
  const match = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d)?(\.\d{1,3})?)?Z?$/.exec(text)
  if (match === null) return undefined
  const [, day = '', minute = '00:00', second = ':00', fraction = '.000'] = match
  const atMs = Date.parse(`${day}T${minute}${second}${fraction.padEnd(4, '0')}Z`)
  return Number.isNaN(atMs) ? undefined : atMs
}
