export const SYSTEMS = 8
export const MINUTE_MS = 60_000
export const START_MS = Date.UTC(2026, 0, 10)

export const systemId = (index: number): string => `sys${String(index).padStart(12, '0')}`

/** Whether a system is busy in a minute. Each has its own period, so that alerts fire and resolve all the time. */
export const isBusy = (index: number, minute: number): boolean => minute % (index + 2) < (index + 2) / 2

/** How often a system's alert must have fired when minutes up to and with `last` were measured. */
export function timesFired(index: number, last: number): number {
  let count = 0
  for (let minute = 0; minute <= last; minute++) if (isBusy(index, minute) && (minute === 0 || !isBusy(index, minute - 1))) count += 1
  return count
}
