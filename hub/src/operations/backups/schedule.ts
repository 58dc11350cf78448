import { Cron } from 'croner'

/** When backups are made by themselves (a cron expression in UTC, five fields; `''`: never), and how many of those are kept. */
export type BackupSettings = { readonly cron: string; readonly cronMaxKeep: number }

/** Whether it is an expression that comes true one day. */
export function isSchedule(cron: string): boolean {
  try {
    return nextAfter(cron, 0) !== undefined
  } catch {
    // The library says it in words of its own; the form has others.
    return false
  }
}

/** The first moment after this one, epoch milliseconds. Throws for what is no expression. */
export function nextAfter(cron: string, afterMs: number): number | undefined {
  return new Cron(cron, { timezone: 'UTC', mode: '5-part', paused: true }).nextRun(new Date(afterMs))?.getTime()
}
