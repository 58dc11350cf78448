import { Hono, type Context } from 'hono'
import { changePassword, changeProfile, endSessions } from '../account.ts'
import type { Accounts } from '../accounts.ts'
import type { Attempts } from '../attempts.ts'
import type { OwnSession } from '../sessions/sessions.ts'
import type { Collection } from '../../records/model/collection.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { presentRecord } from '../../records/presentation/present.ts'
import { recordDate } from '../../records/model/record-date.ts'
import { notFound } from '../../records/model/record-error.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'
import { authCollection } from '../../http/requests/find-collection.ts'
import { readTexts } from '../../http/requests/request-body.ts'
import { remoteAddress, signedIn, type RequestContext } from '../../http/requests/request-context.ts'
import { visitorOf } from '../../http/requests/visitor.ts'

type AccountParts = { readonly engine: Engine; readonly accounts: Accounts; readonly attempts: Attempts }

/** What everybody may change of their own account. */
export function accountRoute({ engine, accounts: { auth, sessions }, attempts }: AccountParts): Hono<RequestContext> {
  /** All sessions have ended but the one that starts here. */
  async function fresh(c: Context<RequestContext>, collection: Collection, record: StoredRecord): Promise<Response> {
    const { token } = await auth.begin(collection, record, visitorOf(c, {}))
    return c.json({ token, record: presentRecord(collection, record, record) })
  }

  return new Hono<RequestContext>()
    .post('/api/account/profile', async (c) => {
      const { actor } = signedIn(c)
      const record = await changeProfile(engine, actor, await readTexts(c))
      return c.json(presentRecord(authCollection(engine, 'users'), record, record))
    })
    .post('/api/account/password', async (c) => {
      const { actor, proof } = signedIn(c)
      const record = await changePassword(engine, attempts, actor, { body: await readTexts(c), address: remoteAddress(c) })
      return fresh(c, proof.collection, record)
    })
    .get('/api/account/sessions', async (c) => {
      const { actor, proof } = signedIn(c)
      return c.json({ items: (await sessions.list(actor.id, proof.token)).map(shown) })
    })
    .delete('/api/account/sessions', async (c) => {
      const { actor, proof } = signedIn(c)
      return fresh(c, proof.collection, await endSessions(engine, actor))
    })
    .delete('/api/account/sessions/:id', async (c) => {
      if (!(await sessions.end(signedIn(c).actor.id, c.req.param('id')))) throw notFound()
      return c.body(null, 204)
    })
}

/** As it is sent: dates as in records. */
function shown({ startedMs, renewedMs, expiresMs, ...session }: OwnSession) {
  return { ...session, started: recordDate(startedMs), renewed: recordDate(renewedMs), expires: recordDate(expiresMs) }
}
