import { z } from 'zod'
import type { JobState } from '../jobs/job.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { noteInAudit } from '../../records/writing/audit-log.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { notFound } from '../../records/model/record-error.ts'
import { defineRoute } from '../../http/routing/define-route.ts'

type JobParts = { readonly engine: Pick<Engine, 'database' | 'clock'>; readonly jobs: Jobs }

export const listCrons = defineRoute('GET /api/crons', {
  tag: 'back-office',
  summary: 'The jobs that have a schedule, as clients of other hubs read them',
  access: 'admin',
  response: z.array(z.object({ id: z.string(), expression: z.string() })),
  picksFields: true,
  handle: async (_, { jobs }: JobParts) =>
    (await jobs.list()).filter(({ expression }) => expression !== '').map(({ id, expression }) => ({ id, expression })),
})

export const runJob = defineRoute('POST /api/crons/:id', {
  tag: 'back-office',
  summary: 'Starts a job now',
  access: 'admin',
  response: 'nothing',
  async handle({ actor, params: { id: name } }, { engine: { database, clock }, jobs }: JobParts) {
    if ((await jobs.list()).every(({ id }) => id !== name)) throw notFound('Missing or invalid cron job.')
    await database.write((unit) => noteInAudit(unit, clock.now(), { by: actor, action: 'run', target: 'jobs', name }))
    // The job records its own result.
    void jobs.run(name)
  },
})

const jobSchema = z.object({
  id: z.string(),
  expression: z.string(),
  everySeconds: z.number().nullable(),
  next: z.number().nullable(),
  deletes: z.boolean(),
  running: z.boolean(),
  last: z
    .object({
      started: z.number(),
      tookMs: z.number(),
      failure: z.string().nullable(),
      removed: z.number().nullable(),
      made: z.string().nullable(),
    })
    .nullable(),
})

export const listJobs = defineRoute('GET /api/vedette/jobs', {
  tag: 'back-office',
  summary: 'All jobs of the hub: schedule, next run, and the last run with its outcome',
  access: 'admin',
  response: z.array(jobSchema),
  handle: async (_, { jobs }: JobParts) => (await jobs.list()).map(presentJob),
})

function presentJob({ id, expression, everyMs, deletes, isRunning, nextMs, last }: JobState) {
  return {
    id,
    expression,
    everySeconds: everyMs === undefined ? null : everyMs / 1000,
    next: nextMs ?? null,
    deletes,
    running: isRunning,
    last:
      last === undefined
        ? null
        : {
            started: last.startedMs,
            tookMs: last.tookMs,
            failure: last.failure ?? null,
            removed: last.removed ?? null,
            made: last.made ?? null,
          },
  }
}
