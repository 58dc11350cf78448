/**
 * Difference in ms, 5,000, below which the dashboard's clock may differ from the hub's without being corrected. A response takes time, and
 * its `Date` header has whole seconds only.
 */
const TOLERATED_MS = 5_000

/**
 * Time of the hub, in epoch ms, when the browser's monotonic clock (`performance.now()`) was 0. The sum of both is the hub's time now,
 * whatever the browser's wall clock shows.
 */
let originMs = Date.now() - performance.now()

/** Returns the current time of the hub in epoch ms, as estimated from its responses. Before the first response it is the browser's time. */
export const clockNow = (): number => Math.round(originMs + performance.now())

/** Returns the hub's time, in epoch ms, for a time `at` of the browser's clock (`Date.now()`). */
export const fromBrowserClock = (at: number): number => at + clockNow() - Date.now()

/**
 * Corrects the dashboard's clock, which follows the hub's time, by the `Date` header of a response, if it is wrong by 5 s or more. The
 * browser's own clock is used where it is less than 5 s off that header. Responses without a date, from a cache, or that took 5 s or more
 * (`tookMs`) are ignored.
 */
export function setClockBy(headers: Pick<Headers, 'get'>, tookMs: number): void {
  const hubMs = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(hubMs) || tookMs >= TOLERATED_MS || mayBeKept(headers)) return
  if (isNear(clockNow(), hubMs)) return
  // The browser's own clock is more precise than a date in whole seconds.
  const nowMs = isNear(Date.now(), hubMs) ? Date.now() : hubMs
  originMs = nowMs - performance.now()
}

const isNear = (oneMs: number, otherMs: number): boolean => Math.abs(oneMs - otherMs) < TOLERATED_MS

/** Returns true when a response may come from a cache (RFC 9111): its `Age` or its `max-age` is above 0. */
function mayBeKept(headers: Pick<Headers, 'get'>): boolean {
  return Number(headers.get('age') ?? 0) > 0 || /max-age=[1-9]/.test(headers.get('cache-control') ?? '')
}
