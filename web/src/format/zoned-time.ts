/** A time as clocks on a wall say it; months from 1. */
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

/** Wall-clock time of a time zone at `at`; without a zone, of the browser's. */
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

/** By how much the clocks of a zone are ahead of UTC, ms. */
const offsetAt = (at: number, timeZone: string | undefined): number =>
  asUtc(wallTimeAt(at, timeZone)) - Math.floor(at / MINUTE_MS) * MINUTE_MS

/**
 * Epoch ms of a wall time in a time zone. Days beyond a month's end count into the next. Of an hour that the clocks have twice it
 * is the first, of one that they leave out the moment of the change: a day whose midnight is left out begins there.
 */
export function epochOf(wall: WallTime, timeZone: string | undefined): number {
  const wanted = asUtc(wall)
  // No zone is a day away from UTC, so these two moments lie before and after the wanted one.
  const offsets = [wanted - DAY_MS, wanted + DAY_MS].map((at) => offsetAt(at, timeZone))
  const found = offsets.map((offset) => wanted - offset).filter((at) => at + offsetAt(at, timeZone) === wanted)
  return found.length > 0 ? Math.min(...found) : changeBetween(wanted - Math.max(...offsets), wanted - Math.min(...offsets), timeZone)
}

/**
 * The moment at which the clocks of a zone said the same, `days` before `at`: over a change of the clocks that is not a multiple of 24 h.
 * It lies in the first pass of an hour that they had twice; `undefined` in an hour that they left out.
 */
export function daysBefore(at: number, days: number, timeZone: string | undefined): number | undefined {
  const wall = wallTimeAt(at, timeZone)
  const before = epochOf({ ...wall, day: wall.day - days }, timeZone)
  const isThere = asUtc(wallTimeAt(before, timeZone)) === asUtc(wall) - days * DAY_MS
  return isThere ? before + (at % MINUTE_MS) : undefined
}

/** The moment between two others at which the clocks change, to the minute. */
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
