/** Wall clocks of IANA time zones. */

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const DAY_MINUTES = 1440
/** Days looked at for one on which clocks show a time: a change of the clocks skips a time on one day, a change of the zone on two. */
const NEAR_DAYS = 7

const formats = new Map<string, Intl.DateTimeFormat>()

function formatIn(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
    formats.set(zone, format)
  }
  return format
}

/** Minutes since midnight by the clocks of a zone, 0–1439. */
export function minuteOfDay(atMs: number, zone: string): number {
  if (zone === 'UTC') return modulo(Math.floor(atMs / MINUTE_MS), DAY_MINUTES)
  const [hours = 0, minutes = 0] = formatIn(zone).format(atMs).split(':').map(Number)
  return hours * 60 + minutes
}

/** A moment in the week before `nowMs` at which the clocks of a zone show a minute of the day (0–1439), epoch ms. */
export function momentAt(minute: number, zone: string, nowMs: number): number {
  const midnightMs = Math.floor(nowMs / DAY_MS) * DAY_MS
  for (let day = 0; day < NEAR_DAYS; day += 1) {
    const wantedMs = midnightMs - day * DAY_MS + minute * MINUTE_MS
    // The clocks are at most a day away from UTC, and may change between the first guess and the second.
    const guessMs = wantedMs - difference(wantedMs, minute, zone)
    const foundMs = guessMs - difference(guessMs, minute, zone)
    if (minuteOfDay(foundMs, zone) === minute) return foundMs
  }
  throw new RangeError(`Cannot find minute ${minute} of the day in ${zone}`)
}

/** By how much the clocks are past a minute of the day, from minus to plus half a day, in ms. */
function difference(atMs: number, minute: number, zone: string): number {
  const past = modulo(minuteOfDay(atMs, zone) - minute + DAY_MINUTES / 2, DAY_MINUTES) - DAY_MINUTES / 2
  return past * MINUTE_MS
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by

/** The zone if this hub knows it. */
export function knownZone(name: unknown): string | undefined {
  if (typeof name !== 'string' || name === '') return undefined
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return name
  } catch {
    return undefined
  }
}
