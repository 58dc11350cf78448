/** `YYYY-MM-DD HH:MM:SS.sssZ` in UTC: the text of every date in the records API. It sorts like the time it names. */
export function recordDate(atMs: number): string {
  return new Date(atMs).toISOString().replace('T', ' ')
}

const LAYOUT = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?$/

/**
 * The same for a date as clients write it: with a space or a `T`, with or without fraction and zone, or a day alone. Times
 * without seconds, numbers and anything else are `""`.
 */
export function normalDate(text: string): string {
  const [, day, time = '00:00:00', fraction = '', zone = 'Z'] = LAYOUT.exec(text.trim()) ?? []
  if (day === undefined) return ''
  const atMs = Date.parse(`${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}${zone}`)
  return Number.isNaN(atMs) ? '' : recordDate(atMs)
}
