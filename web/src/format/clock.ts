/** The page's clock is taken to be right when it differs from the hub's by less: an answer takes a while, and its date has whole seconds. */
const TOLERATED_MS = 5_000

/** The hub's time, epoch ms, when `performance.now()` was 0. That clock is never set, unlike the machine's, so that steps of the latter move nothing. */
let originMs = Date.now() - performance.now()

/** The time that everything on the pages goes by, epoch ms: the hub's, also where the browser's clock is wrong. */
export const clockNow = (): number => Math.round(originMs + performance.now())

/** A moment that the browser's clock told, as the hub's would have. */
export const fromBrowserClock = (at: number): number => at + clockNow() - Date.now()

/**
 * Sets the clock by the `Date` of an answer whose head has just come, `tookMs` after it was asked for. An answer that a cache may
 * have kept, or that took long, says what time it was and not what time it is: it changes nothing, and neither does one without a date.
 */
export function setClockBy(headers: Pick<Headers, 'get'>, tookMs: number): void {
  const hubMs = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(hubMs) || tookMs >= TOLERATED_MS || mayBeKept(headers)) return
  if (isNear(clockNow(), hubMs)) return
  // The browser's own clock is finer than a date in whole seconds.
  const nowMs = isNear(Date.now(), hubMs) ? Date.now() : hubMs
  originMs = nowMs - performance.now()
}

const isNear = (oneMs: number, otherMs: number): boolean => Math.abs(oneMs - otherMs) < TOLERATED_MS

/** RFC 9111: `Age` comes of a cache on the way, and `max-age` allows the browser's own. */
function mayBeKept(headers: Pick<Headers, 'get'>): boolean {
  return Number(headers.get('age') ?? 0) > 0 || /max-age=[1-9]/.test(headers.get('cache-control') ?? '')
}
