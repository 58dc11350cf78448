import type { Clock } from '../clock.ts'
import { countingWindows } from './counting-windows.ts'

/** True for the first event of a key within a minute: events that strangers cause get one log line a minute and address. */
export function onceAMinute(clock: Clock): (key: string) => boolean {
  const windows = countingWindows(clock, { most: 1, windowMs: 60_000 })
  return (key) => windows.admit(key) === undefined
}
