import type { Clock } from '../clock.ts'
import { countingWindows } from './counting-windows.ts'

/** True for a key's first event within a minute. Events that strangers can cause are logged once a minute and address. */
export function onceAMinute(clock: Clock): (key: string) => boolean {
  const windows = countingWindows(clock, { most: 1, windowMs: 60_000 })
  return (key) => windows.admit(key) === undefined
}
