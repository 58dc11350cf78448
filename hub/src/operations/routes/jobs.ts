import type { Json } from '@vedette/protocol/wire/stats-json'
import { Hono } from 'hono'
import type { JobState } from '../jobs/job.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { noteInAudit } from '../../records/writing/audit-log.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { fieldPicker } from '../../records/presentation/pick-fields.ts'
import { notFound } from '../../records/model/record-error.ts'
import { askedByAdmin, type RequestContext } from '../../http/requests/request-context.ts'

/** What the hub does by itself, for admins: as clients of other hubs know it, and with what came of it. */
export function jobsRoute({ database, clock }: Engine, jobs: Jobs): Hono<RequestContext> {
  return new Hono<RequestContext>()
    .get('/api/crons', async (c) => {
      askedByAdmin(c)
      // What has no schedule is no cron job.
      const scheduled = (await jobs.list()).filter(({ expression }) => expression !== '')
      return c.json(fieldPicker(c.req.query('fields') ?? '')(scheduled.map(({ id, expression }) => ({ id, expression }))))
    })
    .post('/api/crons/:id', async (c) => {
      const { actor } = askedByAdmin(c)
      const name = c.req.param('id')
      if ((await jobs.list()).every(({ id }) => id !== name)) throw notFound('Missing or invalid cron job.')
      await database.write((unit) => noteInAudit(unit, clock.now(), { by: actor, action: 'run', target: 'jobs', name }))
      // It tells of itself what comes of it.
      void jobs.run(name)
      return c.body(null, 204)
    })
    .get('/api/vedette/jobs', async (c) => {
      askedByAdmin(c)
      return c.json((await jobs.list()).map(asJson))
    })
}

function asJson({ id, expression, everyMs, deletes, isRunning, nextMs, last }: JobState): Json {
  const when = { expression, everySeconds: everyMs === undefined ? null : everyMs / 1000, next: nextMs ?? null }
  return { id, ...when, deletes, running: isRunning, last: last === undefined ? null : lastJson(last) }
}

const lastJson = ({ startedMs, tookMs, failure, removed, made }: NonNullable<JobState['last']>): Json => ({
  started: startedMs,
  tookMs,
  failure: failure ?? null,
  removed: removed ?? null,
  made: made ?? null,
})
