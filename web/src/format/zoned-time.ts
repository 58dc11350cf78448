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

/** What the clocks of a time zone say at `at`; without a zone, those of the browser. */
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

/**
 * Epoch ms of a wall time in a time zone. Days beyond a month's end count into the next. Of an hour that the clocks have twice it
 * is one of both, of one that they leave out the one beside it.
 */
export function epochOf(wall: WallTime, timeZone: string | undefined): number {
  const wanted = asUtc(wall)
  const offsetAt = (at: number): number => asUtc(wallTimeAt(at, timeZone)) - Math.floor(at / MINUTE_MS) * MINUTE_MS
  const near = wanted - offsetAt(wanted)
  return wanted - offsetAt(near)
}
