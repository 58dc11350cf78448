import assert from 'node:assert/strict'
import type { KeyScope } from '../src/records/model/key-scope.ts'
import { call } from './mailing-hub.ts'
import { dataset, type RecordedHub } from './recorded-hub.ts'

/** Signs a user of the recorded data set in with the password, and returns the session token. */
export async function signedIn(hub: RecordedHub, who: string): Promise<string> {
  const [identity, password] =
    who === 'boss' ? [dataset.superuser.email, dataset.superuser.password] : [`${who}@example.com`, dataset.password]
  const { status, body } = await call(hub, 'POST /api/collections/users/auth-with-password', { identity, password })
  assert.equal(status, 200, who)
  return String(body['token'])
}

/** Creates an API key of a user through the API, and returns its text. */
export async function newApiKey(hub: RecordedHub, who: string, scope: KeyScope): Promise<string> {
  const token = await signedIn(hub, who)
  const { status, body } = await call(hub, 'POST /api/account/api-keys', { name: `${scope} key`, scope }, { token })
  assert.equal(status, 200, `${who} ${scope}`)
  return String(body['key'])
}
