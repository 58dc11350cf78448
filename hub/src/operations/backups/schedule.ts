import { Cron } from 'croner'

/** `cron`: schedule of automatic backups (cron expression in UTC, five fields; `''` disables them). `cronMaxKeep`: how many of them are retained. */
export type BackupSettings = { readonly cron: string; readonly cronMaxKeep: number }

/** True for a valid cron expression with a future date. */
export function isSchedule(cron: string): boolean {
  try {
    return nextAfter(cron, 0) !== undefined
  } catch {
    // The library's error text is replaced by the form's own.
    return false
  }
}

/** The first run after a time, in epoch milliseconds. `undefined` when there is none. Throws for an invalid expression. */
export function nextAfter(cron: string, afterMs: number): number | undefined {
  return new Cron(cron, { timezone: 'UTC', mode: '5-part', paused: true }).nextRun(new Date(afterMs))?.getTime()
}
