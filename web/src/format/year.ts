const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns the Gregorian year at a time in epoch ms, in a time zone; `undefined` = the browser's zone. */
export function yearAt(at: number, timeZone: string | undefined): number {
  // Avoids `Intl` here, because the first format of a page takes 11 ms.
  if (timeZone === undefined) return new Date(at).getFullYear()
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en', { calendar: 'gregory', year: 'numeric', timeZone })
  formats.set(timeZone, format)
  return Number(format.format(at))
}
