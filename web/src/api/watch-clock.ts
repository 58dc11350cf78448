import { getJson } from './client.ts'

const LOOK_EVERY_MS = 10_000
/** Minimum change in ms of the browser's clock against the monotonic clock that counts as a jump, far more than normal drift. */
const JUMP_MS = 5_000

/**
 * Watches for jumps of the browser's clock (clock set, or computer suspended) and then requests the hub's time, which synchronizes the
 * page's clock. Returns the function that stops.
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
