import { getJson } from './client.ts'

const LOOK_EVERY_MS = 10_000
/**
 * Difference in ms, 5,000. If the browser clock and the monotonic clock move apart by more than this between two checks, the browser clock
 * has jumped. Normal drift is far smaller.
 */
const JUMP_MS = 5_000

/**
 * Watches for jumps of the browser's clock (clock set, or computer suspended). After one, it requests the hub's time to correct the
 * dashboard's clock. Returns the function that ends the watch.
 */
export function watchClock(): () => void {
  const difference = () => Date.now() - performance.now()
  let before = difference()
  const leaving = new AbortController()
  const timer = setInterval(() => {
    const now = difference()
    // A failed request needs no retry: other requests follow soon.
    if (Math.abs(now - before) > JUMP_MS) getJson('/api/health', leaving.signal).catch(() => undefined)
    before = now
  }, LOOK_EVERY_MS)
  return () => {
    clearInterval(timer)
    leaving.abort()
  }
}
