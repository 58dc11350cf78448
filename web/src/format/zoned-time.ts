/** Date and time of day without a time zone: year, month (1 to 12), day, hour and so on. */
export type WallTime = {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
}

const MINUTE_MS = 60_000

const formats = new Map<string, Intl.DateTimeFormat>()

function partsFormat(timeZone: string | undefined): Intl.DateTimeFormat {
  const key = timeZone ?? ''
  const known = formats.get(key)
  if (known !== undefined) return known
  const created = new Intl.DateTimeFormat('en-US', {
    calendar: 'gregory',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
    ...(timeZone === undefined ? {} : { timeZone }),
  })
  formats.set(key, created)
  return created
}

/** Returns date and time of day (year, month, …) at the time `at` (epoch ms) in a time zone; `undefined` = the browser's zone. */
export function wallTimeAt(at: number, timeZone: string | undefined): WallTime {
  const parts = new Map(
    partsFormat(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)] as const),
  )
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
  return { year: part('year'), month: part('month'), day: part('day'), hour: part('hour'), minute: part('minute') }
}

const asUtc = ({ year, month, day, hour, minute }: WallTime): number => Date.UTC(year, month - 1, day, hour, minute)

const DAY_MS = 86_400_000

/** Returns the UTC offset, in ms, of a time zone at the time `at` (epoch ms); positive when ahead of UTC. */
const offsetAt = (at: number, timeZone: string | undefined): number =>
  asUtc(wallTimeAt(at, timeZone)) - Math.floor(at / MINUTE_MS) * MINUTE_MS

/**
 * Converts a wall-clock time in a zone to epoch ms. Days beyond the month's end count into the next month. An hour that occurs twice gives
 * its first occurrence, a skipped one the moment of the change.
 */
export function epochOf(wall: WallTime, timeZone: string | undefined): number {
  const wanted = asUtc(wall)
  // No zone is a day away from UTC, so these moments lie before and after the wanted one.
  const offsets = [wanted - DAY_MS, wanted + DAY_MS].map((at) => offsetAt(at, timeZone))
  const found = offsets.map((offset) => wanted - offset).filter((at) => at + offsetAt(at, timeZone) === wanted)
  return found.length > 0 ? Math.min(...found) : changeBetween(wanted - Math.max(...offsets), wanted - Math.min(...offsets), timeZone)
}

/**
 * Returns the time, in epoch ms, with the same wall-clock time `days` earlier. For an hour that occurred twice it is the first occurrence;
 * `undefined` in a skipped hour.
 */
export function daysBefore(at: number, days: number, timeZone: string | undefined): number | undefined {
  const wall = wallTimeAt(at, timeZone)
  const before = epochOf({ ...wall, day: wall.day - days }, timeZone)
  const isThere = asUtc(wallTimeAt(before, timeZone)) === asUtc(wall) - days * DAY_MS
  return isThere ? before + (at % MINUTE_MS) : undefined
}

/**
 * Returns the time in epoch ms, a whole minute, at which a time zone's offset changes between two times. The two must have different
 * offsets, and one change between them.
 */
function changeBetween(beforeMs: number, afterMs: number, timeZone: string | undefined): number {
  const before = offsetAt(beforeMs, timeZone)
  let [low, high] = [beforeMs / MINUTE_MS, afterMs / MINUTE_MS]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle * MINUTE_MS, timeZone) === before) low = middle
    else high = middle
  }
  return high * MINUTE_MS
}
