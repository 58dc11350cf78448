import { Hono } from 'hono'
import { changePassword, changeProfile } from '../../auth/account.ts'
import type { Attempts } from '../../auth/attempts.ts'
import type { Auth } from '../../auth/auth.ts'
import type { Engine } from '../../records/engine.ts'
import { presentRecord } from '../../records/present.ts'
import { authCollection } from '../find-collection.ts'
import { readTexts } from '../request-body.ts'
import { remoteAddress, signedIn, type Signed } from '../signed.ts'

type AccountParts = { readonly engine: Engine; readonly auth: Auth; readonly attempts: Attempts }

/** What everybody may change of their own account. */
export function accountRoute({ engine, auth, attempts }: AccountParts): Hono<Signed> {
  return new Hono<Signed>()
    .post('/api/account/profile', async (c) => {
      const { actor } = signedIn(c)
      const record = await changeProfile(engine, actor, await readTexts(c))
      return c.json(presentRecord(authCollection(engine, 'users'), record, record))
    })
    .post('/api/account/password', async (c) => {
      const { actor, proof } = signedIn(c)
      const record = await changePassword(engine, attempts, actor, { body: await readTexts(c), address: remoteAddress(c) })
      const { token } = auth.begin(proof.collection, record)
      return c.json({ token, record: presentRecord(proof.collection, record, record) })
    })
}
