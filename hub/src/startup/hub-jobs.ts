import type { Backups } from '../operations/backups/backups.ts'
import { nextAfter } from '../operations/backups/schedule.ts'
import type { Database } from '../platform/db/database.ts'
import { deleteOldLogs } from '../operations/logs/delete-logs.ts'
import { deleteOldDeliveries } from '../alerts/notifications/delivery-store.ts'
import type { Engine } from '../records/engine/engine.ts'
import type { HubSettings } from '../settings/settings.ts'
import { deleteExpired } from '../operations/jobs/delete-expired.ts'
import type { Job, Schedule } from '../operations/jobs/job.ts'

type HubJobParts = {
  readonly engine: Engine
  readonly settings: () => Promise<HubSettings>
  readonly backups: Pick<Backups, 'make' | 'keep'>
  readonly logs: Database
}

const MINUTE_MS = 60_000

/**
 * Returns the function `schedule` of a background job that runs every `minutes` minutes. `expression` must be the same interval as cron
 * (UTC); it is only displayed. The cron parser, which takes megabytes of memory, is not loaded.
 */
const every = (minutes: number, expression: string) => async (): Promise<Schedule> => ({
  expression,
  nextAfter: (afterMs) => (Math.floor(afterMs / (minutes * MINUTE_MS)) + 1) * minutes * MINUTE_MS,
})

const asSet = (expression: string): Schedule => ({
  expression,
  nextAfter: (afterMs) => (expression === '' ? undefined : nextAfter(expression, afterMs)),
})

/** Returns this hub's background jobs that have a cron schedule, such as backups and deletion of old logs. */
export const hubJobs = ({ engine, settings, backups, logs }: HubJobParts): readonly Job[] => [
  {
    id: 'backups',
    schedule: async () => asSet((await settings()).backups.cron),
    // Automatic backups beyond the retention are deleted.
    deletes: true,
    async run() {
      const made = await backups.make({ by: 'schedule', passphrase: undefined })
      await backups.keep({ by: 'schedule', most: Math.max(1, (await settings()).backups.cronMaxKeep), made })
      return { made }
    },
  },
  {
    id: 'logs',
    schedule: every(10, '*/10 * * * *'),
    deletes: true,
    run: async () => ({ removed: await deleteOldLogs(logs, (await settings()).logs, engine.clock.now()) }),
  },
  {
    id: 'sessions',
    schedule: every(60, '0 * * * *'),
    deletes: true,
    run: async () => ({ removed: await deleteExpired(engine) }),
  },
  {
    id: 'deliveries',
    schedule: every(60, '0 * * * *'),
    deletes: true,
    run: async () => ({ removed: await deleteOldDeliveries(engine.database, engine.clock.now()) }),
  },
]
