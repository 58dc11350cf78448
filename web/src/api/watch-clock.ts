import { getJson } from './client.ts'

const LOOK_EVERY_MS = 10_000
/** Far more than the two clocks drift apart by themselves. */
const JUMP_MS = 5_000

/**
 * Asks the hub for the time when the machine's clock has jumped against the one of the page: it was set, or the machine slept, in which the
 * latter stands still in some browsers. Any answer sets the page's clock. Goes on until the returned function is called.
 */
export function watchClock(): () => void {
  const difference = () => Date.now() - performance.now()
  let before = difference()
  const leaving = new AbortController()
  const timer = setInterval(() => {
    const now = difference()
    // A hub that cannot be reached is asked for other things soon.
    if (Math.abs(now - before) > JUMP_MS) getJson('/api/health', leaving.signal).catch(() => undefined)
    before = now
  }, LOOK_EVERY_MS)
  return () => {
    clearInterval(timer)
    leaving.abort()
  }
}
