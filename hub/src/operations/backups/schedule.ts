import { Cron } from 'croner'

/**
 * Settings of automatic backups: `cron` is their schedule in UTC, five fields, and `''` disables them. `cronMaxKeep` is the number of
 * automatic backups to keep; older ones are deleted.
 */
export type BackupSettings = { readonly cron: string; readonly cronMaxKeep: number }

/** Returns true for a valid cron expression (five fields, UTC) that matches any time at all, unlike one for 30 February. */
export function isSchedule(cron: string): boolean {
  try {
    return nextAfter(cron, 0) !== undefined
  } catch {
    // The library's error text is replaced by the form's own.
    return false
  }
}

/**
 * Returns the first time, after `afterMs` (epoch ms), that matches a cron expression (UTC, five fields), in epoch ms. `undefined` when
 * there is none. Throws for an invalid expression.
 */
export function nextAfter(cron: string, afterMs: number): number | undefined {
  return new Cron(cron, { timezone: 'UTC', mode: '5-part', paused: true }).nextRun(new Date(afterMs))?.getTime()
}
