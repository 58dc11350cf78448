import { Hono, type MiddlewareHandler } from 'hono'
import { knownProviders } from '../../accounts/providers/providers.ts'
import { logCollections, logRecords } from '../logs/search/log-records.ts'
import { collectionRecords, scaffolds } from '../../records/engine/collection-model.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { listRecords, whyUnreadable } from '../../records/reading/query.ts'
import { badRequest, notFound, type FieldError, type RecordError } from '../../records/model/record-error.ts'
import { fieldPicker } from '../../records/presentation/pick-fields.ts'
import { readBody } from '../../http/requests/request-body.ts'
import { factsOf } from '../../http/requests/request-facts.ts'
import { askedByAdmin, type RequestContext } from '../../http/requests/request-context.ts'

/**
 * What tools for admins ask of a hub: its collections, whether filters can be read, and what other hubs have and this
 * one has none of. Admins only.
 */
export function backOfficeRoute(engine: Engine): Hono<RequestContext> {
  const models = collectionRecords(engine)
  const app = new Hono<RequestContext>()
  for (const path of ['settings', 'logs', 'crons', 'sql', 'collections/meta']) app.use(`/api/${path}/*`, adminsOnly)
  // What signs in, and the records, are decided by themselves.
  app.use('/api/collections', adminsOnly).use('/api/collections/:collection', adminsOnly)
  return (
    app
      .post('/api/settings/apple/generate-client-secret', () => {
        throw badRequest('This hub does not sign people in at Apple.')
      })
      .post('/api/settings/test/s3', async (c) => {
        const { filesystem } = await readBody(c)
        const known = filesystem === 'storage' || filesystem === 'backups'
        const message = 'Failed to test the S3 filesystem.'
        throw badRequest(
          known ? `${message} Raw error: \nS3 storage filesystem is not enabled.` : message,
          known ? {} : { filesystem: notListed },
        )
      })
      // No collection keeps files.
      .get('/api/files/:collection/:record/:file', () => {
        throw notFound()
      })
      .get('/api/collections', async (c) => c.json(await listRecords(models.engine, models.collection, factsOf(c), c.req.query())))
      .get('/api/collections/meta/scaffolds', (c) => c.json(fieldPicker(c.req.query('fields') ?? '')(scaffolds)))
      .get('/api/collections/meta/oauth2-providers', (c) => c.json(fieldPicker(c.req.query('fields') ?? '')(knownProviders)))
      .get('/api/vedette/filter', (c) => {
        askedByAdmin(c)
        const { collection = '', filter = '', sort = '' } = c.req.query()
        const known = collection === logRecords.name ? logCollections : engine.collections
        const found = known.find(collection)
        if (found === undefined) throw badRequest('', { collection: notListed })
        const why = whyUnreadable({ ...engine, collections: known }, found, factsOf(c), { filter, sort })
        return c.json(why === undefined ? { ok: true } : { ok: false, ...why })
      })
      .post('/api/collections/meta/dry-run-view', () => {
        throw fixed()
      })
      .delete('/api/collections/:collection/truncate', (c) => {
        askedByAdmin(c)
        throw fixed()
      })
      .on(['POST', 'PUT', 'DELETE'], ['/api/collections', '/api/collections/:collection'], () => {
        throw fixed()
      })
      .patch('/api/collections', () => {
        throw fixed()
      })
  )
}

const fixed = (): RecordError => badRequest('The collections of this hub are fixed.')
const adminsOnly: MiddlewareHandler<RequestContext> = async (c, next) => {
  askedByAdmin(c)
  await next()
}

const wrong = (code: string, message: string): FieldError => ({ code, message })
const notListed = wrong('validation_in_invalid', 'Must be a valid value.')
