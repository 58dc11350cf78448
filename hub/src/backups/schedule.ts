import { Cron } from 'croner'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Backups } from './backups.ts'

/** When backups are made by themselves (a cron expression in UTC, five fields; `''`: never), and how many of those are kept. */
export type BackupSettings = { readonly cron: string; readonly cronMaxKeep: number }

const LOOK_EVERY_MS = 15_000

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

type ScheduleParts = {
  readonly backups: Pick<Backups, 'make' | 'keep'>
  readonly load: () => Promise<BackupSettings>
  readonly clock: Clock
  readonly log: Log
}

/** Makes backups when they are due. What fell due while the hub did not run is left out. Returns the undo. */
export function scheduleBackups({ backups, load, clock, log }: ScheduleParts): () => void {
  let lookedAtMs = clock.now()
  let looking = false

  async function look(): Promise<void> {
    const { cron, cronMaxKeep } = await load()
    const nowMs = clock.now()
    const dueAtMs = cron === '' ? undefined : nextAfter(cron, lookedAtMs)
    lookedAtMs = nowMs
    if (dueAtMs === undefined || dueAtMs > nowMs) return
    await backups.make({ by: 'schedule', passphrase: undefined })
    await backups.keep(Math.max(1, cronMaxKeep))
  }

  const timer = setInterval(() => {
    if (looking) return
    looking = true
    look()
      .catch((error: unknown) => log.error('the scheduled backup was not made', { error }))
      .finally(() => (looking = false))
  }, LOOK_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
