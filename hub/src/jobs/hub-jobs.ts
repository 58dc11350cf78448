import type { Backups } from '../backups/backups.ts'
import type { Database } from '../db/database.ts'
import { forgetOldLogs } from '../logs/forget-logs.ts'
import type { Engine } from '../records/engine.ts'
import type { HubSettings } from '../settings/settings.ts'
import { forgetExpired } from './forget-expired.ts'
import type { Job } from './job.ts'

type HubJobParts = {
  readonly engine: Engine
  readonly settings: () => Promise<HubSettings>
  readonly backups: Pick<Backups, 'make' | 'keep'>
  readonly logs: Database
}

const every = (expression: string) => async () => expression

/** Everything this hub does on a schedule. What keeps the history goes on all the time, each system at its own moment, and is none of them. */
export const hubJobs = ({ engine, settings, backups, logs }: HubJobParts): readonly Job[] => [
  {
    id: 'backups',
    expression: async () => (await settings()).backups.cron,
    // Automatic ones beyond what is kept.
    deletes: true,
    async run() {
      const made = await backups.make({ by: 'schedule', passphrase: undefined })
      await backups.keep(Math.max(1, (await settings()).backups.cronMaxKeep))
      return { made }
    },
  },
  {
    id: 'logs',
    expression: every('*/10 * * * *'),
    deletes: true,
    run: async () => ({ removed: await forgetOldLogs(logs, (await settings()).logs, engine.clock.now()) }),
  },
  {
    id: 'sessions',
    expression: every('0 * * * *'),
    deletes: true,
    run: async () => ({ removed: await forgetExpired(engine) }),
  },
]
