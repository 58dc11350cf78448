const formats = new Map<string | undefined, Intl.DateTimeFormat>()

/** The Gregorian year of epoch ms by the clocks of a time zone; without a zone, the browser's. */
export function yearAt(at: number, timeZone: string | undefined): number {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('en', { calendar: 'gregory', year: 'numeric', ...(timeZone && { timeZone }) })
  formats.set(timeZone, format)
  return Number(format.format(at))
}
