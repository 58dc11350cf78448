import type { Clock } from '../clock.ts'
import { countingWindows } from './counting-windows.ts'

/**
 * Returns a function that takes a key. It returns true for the first call with the key in a minute, otherwise false. Limits log lines that
 * strangers can cause.
 */
export function onceAMinute(clock: Clock): (key: string) => boolean {
  const windows = countingWindows(clock, { most: 1, windowMs: 60_000 })
  return (key) => windows.admit(key) === undefined
}
