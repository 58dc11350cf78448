/** A browser's clock is taken to be right when it differs from the hub's by less: an answer takes a while, and its date has whole seconds. */
const TOLERATED_MS = 5_000

let aheadMs = 0

/** A moment that the browser's clock told, as the hub's would have. */
export const fromBrowserClock = (at: number): number => at - aheadMs

/** The time that everything on the pages goes by, epoch ms: the hub's, also where the browser's clock is wrong. */
export const clockNow = (): number => fromBrowserClock(Date.now())

/** Sets the clock by the `Date` of an answer that has just come; what is no date changes nothing. */
export function setClockBy(date: string | null, receivedAtMs: number): void {
  const hubMs = Date.parse(date ?? '')
  if (Number.isNaN(hubMs)) return
  const differenceMs = receivedAtMs - hubMs
  aheadMs = Math.abs(differenceMs) < TOLERATED_MS ? 0 : differenceMs
}
