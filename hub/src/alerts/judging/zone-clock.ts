const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const DAY_MINUTES = 1440
/** Number of days back that are searched for a moment with a given time of day: 7. A clock change may skip that time on one day. */
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

/** Returns the minutes since midnight of a time (epoch ms) in an IANA time zone, 0 to 1439. */
export function minuteOfDay(atMs: number, zone: string): number {
  if (zone === 'UTC') return modulo(Math.floor(atMs / MINUTE_MS), DAY_MINUTES)
  const [hours = 0, minutes = 0] = formatIn(zone).format(atMs).split(':').map(Number)
  return hours * 60 + minutes
}

/**
 * Returns a time in epoch ms at which clocks in an IANA time zone show the given minute of the day (0 to 1439). It is within about a day of
 * `nowMs`, or up to a week earlier if a clock change skips it. Throws a RangeError if there is none.
 */
export function momentAt(minute: number, zone: string, nowMs: number): number {
  const midnightMs = Math.floor(nowMs / DAY_MS) * DAY_MS
  for (let day = 0; day < NEAR_DAYS; day += 1) {
    const wantedMs = midnightMs - day * DAY_MS + minute * MINUTE_MS
    // The zone is at most 1 day away from UTC. Its offset may differ between the first guess and the second.
    const guessMs = wantedMs - difference(wantedMs, minute, zone)
    const foundMs = guessMs - difference(guessMs, minute, zone)
    if (minuteOfDay(foundMs, zone) === minute) return foundMs
  }
  throw new RangeError(`Cannot find minute ${minute} of the day in ${zone}`)
}

/**
 * Returns how far the time of day of `atMs` in an IANA time zone is past the time of day `minute` (0 to 1439). In ms, from −12 h to +12 h.
 */
function difference(atMs: number, minute: number, zone: string): number {
  const past = modulo(minuteOfDay(atMs, zone) - minute + DAY_MINUTES / 2, DAY_MINUTES) - DAY_MINUTES / 2
  return past * MINUTE_MS
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by

/**
 * Returns `name` if it is a time zone that this runtime supports: an IANA name such as `Europe/Berlin`, or an offset such as `+02:00`.
 * `undefined` for any other value.
 */
export function knownZone(name: unknown): string | undefined {
  if (typeof name !== 'string' || name === '') return undefined
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return name
  } catch {
    return undefined
  }
}
