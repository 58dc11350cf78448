import { Hono, type Context } from 'hono'
import { RecordError, badRequest, notFound } from '../../records/model/record-error.ts'
import type { Attempts } from '../attempts.ts'
import type { Auth } from '../auth.ts'
import type { FirstRun } from '../first-run.ts'
import { isAdmin } from '../../records/model/actor.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { isJsonObject } from '../../records/model/json-value.ts'
import { listRecords } from '../../records/reading/query.ts'
import { asText } from '../../records/model/record-row.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'
import { createRecord, deleteRecord, updateRecord } from '../../records/writing/write.ts'
import { authCollection } from '../../http/requests/find-collection.ts'
import { readBody, readTexts } from '../../http/requests/request-body.ts'
import { factsOf } from '../../http/requests/request-facts.ts'
import { identified, type RequestContext } from '../../http/requests/request-context.ts'
import { visitorOf } from '../../http/requests/visitor.ts'
import { readCredentials } from './auth.ts'
import { createFirstAdmin } from './first-run.ts'

type OldAdminsParts = { readonly engine: Engine; readonly auth: Auth; readonly firstRun: FirstRun; readonly attempts: Attempts }

/** The admins as clients of the oldest generation know them: accounts outside of any collection, with tokens of their own. */
export function oldAdminsRoute({ engine, auth, firstRun, attempts }: OldAdminsParts): Hono<RequestContext> {
  const admins = authCollection(engine, '_superusers')
  const session = (admin: StoredRecord) => ({ admin: oldAdmin(admin), token: auth.adminToken(admin) })

  // These addresses know no people: one who signed in as one of them is no admin here, whatever their role.
  const isOldAdmin = (c: Context<RequestContext>): boolean => identified(c)?.proof.collection === admins
  const askedByOldAdmin = (c: Context<RequestContext>): void => {
    if (!isOldAdmin(c)) throw adminsOnly()
  }

  async function load(id: string): Promise<StoredRecord> {
    const record = await engine.store.load('users', id)
    if (record === undefined || !isAdmin(record)) throw notFound()
    return record
  }

  return new Hono<RequestContext>()
    .post('/api/admins/auth-with-password', async (c) => {
      const body = await readCredentials(c)
      const { record } = await auth.signIn(admins, body, visitorOf(c, body))
      return c.json(session(record))
    })
    .post('/api/admins/auth-refresh', (c) => {
      const known = identified(c)
      if (known?.proof.collection !== admins) throw adminsOnly()
      return c.json(session(known.actor))
    })
    .get('/api/admins', async (c) => {
      askedByOldAdmin(c)
      const page = await listRecords(engine, admins, factsOf(c), c.req.query())
      const items = isJsonObject(page) && Array.isArray(page['items']) ? page['items'].filter(isJsonObject).map(oldAdmin) : []
      return c.json({ ...(isJsonObject(page) ? page : {}), items })
    })
    .get('/api/admins/:id', async (c) => {
      askedByOldAdmin(c)
      return c.json(oldAdmin(await load(c.req.param('id'))))
    })
    .post('/api/admins', async (c) => {
      const body = await readTexts(c)
      if (isOldAdmin(c)) return c.json(oldAdmin(await createRecord(engine, admins, factsOf(c, body))))
      if (!(await firstRun.isOpen())) throw adminsOnly()
      await createFirstAdmin(c, { firstRun, attempts }, body)
      const [first] = await engine.store.loadWhere('users', { email: asText(body['email'] ?? '') })
      if (first === undefined) throw notFound()
      return c.json(oldAdmin(first))
    })
    .patch('/api/admins/:id', async (c) => {
      askedByOldAdmin(c)
      return c.json(oldAdmin(await updateRecord(engine, admins, factsOf(c, await readBody(c)), c.req.param('id'))))
    })
    .delete('/api/admins/:id', async (c) => {
      askedByOldAdmin(c)
      try {
        await deleteRecord(engine, admins, factsOf(c), c.req.param('id'))
        return c.body(null, 204)
      } catch (error) {
        throw error instanceof RecordError && error.status === 400 ? badRequest('Failed to delete admin.') : error
      }
    })
}

/** An account without a collection: its `avatar` is the number of a picture. */
function oldAdmin(record: { readonly [field: string]: StoredRecord[string] | undefined }) {
  const { id = '', created = '', updated = '', email = '' } = record
  return { id, created, updated, email, avatar: 0 }
}

const adminsOnly = (): RecordError => new RecordError(401, 'The request requires valid admin authorization token to be set.')
