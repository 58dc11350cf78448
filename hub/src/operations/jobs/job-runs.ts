import { z } from 'zod'
import type { Database } from '../../platform/db/database.ts'
import { saveState } from '../../platform/db/hub-state.ts'
import { parseJson } from '../../platform/json.ts'
import type { JobRun } from './job.ts'

const stored = z.object({
  startedMs: z.number(),
  tookMs: z.number(),
  failure: z.string().optional(),
  removed: z.number().optional(),
  made: z.string().optional(),
})

const stateOf = (id: string): string => `job.${id}`

/** Stores the result of a job's last run, so that it survives a restart. */
export async function saveRun(database: Database, id: string, run: JobRun): Promise<void> {
  await database.write(({ sql }) => saveState(sql, stateOf(id), JSON.stringify(run)), 'process')
}

/** The last run of each job, by id. A job without one, or with an unreadable one, is left out. */
export async function loadRuns(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, JobRun>> {
  const rows = await database.kysely.selectFrom('hub_state').select(['name', 'value']).where('name', 'in', ids.map(stateOf)).execute()
  const runs = new Map<string, JobRun>()
  for (const { name, value } of rows) {
    const { success, data } = stored.safeParse(parseJson(value))
    if (success) {
      const { removed, made, failure, startedMs, tookMs } = data
      const outcome = { ...(removed === undefined ? {} : { removed }), ...(made === undefined ? {} : { made }) }
      runs.set(name.slice(stateOf('').length), { startedMs, tookMs, failure, ...outcome })
    }
  }
  return runs
}
