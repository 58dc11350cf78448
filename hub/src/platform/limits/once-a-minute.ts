import type { Clock } from '../clock.ts'
import { countingWindows } from './counting-windows.ts'

/**
 * Creates a function that returns true for the first call with a key, and false for further calls with it in the following minute. It
 * limits log lines that strangers can cause.
 */
export function onceAMinute(clock: Clock): (key: string) => boolean {
  const windows = countingWindows(clock, { most: 1, windowMs: 60_000 })
  return (key) => windows.admit(key) === undefined
}
