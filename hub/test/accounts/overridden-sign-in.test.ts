import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { startHubProcess } from '../hub-process.ts'
import { makeMemoryFolder } from '../memory-folder.ts'

const ADMIN = { identity: 'admin@example.com', password: 'correct-horse-1' }
const CLIENT = { name: 'oidc', displayName: 'Tower', issuer: 'https://id.example.com', clientId: 'hub', clientSecret: 'a secret' }
const users = 'collections/users'

type Json = { readonly [name: string]: unknown }

/** Runs a hub with these environment variables while `work` sends it requests as an admin. */
async function onHub(data: string, environment: Readonly<Record<string, string>>, work: (call: Call) => Promise<void>): Promise<void> {
  const hub = await startHubProcess(['--data', data], environment)
  let token = ''
  const call = async (method: string, path: string, body?: object, status = 200): Promise<Json> => {
    const response = await fetch(`${hub.address}/api/${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token !== '' && { authorization: token }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    assert.equal(response.status, status, text)
    return JSON.parse(text) as Json // the hub responds with objects
  }
  try {
    token = String((await call('POST', 'collections/_superusers/auth-with-password', ADMIN))['token'])
    await work(call)
  } finally {
    hub.kill('SIGTERM')
    await hub.ended
  }
}

type Call = (method: string, path: string, body?: object, status?: number) => Promise<Json>

test("sign-in settings that the operator's variables override are not stored with other changes", { timeout: 300_000 }, async () => {
  const data = makeMemoryFolder('vedette-overridden-')
  try {
    const admin = { VEDETTE_ADMIN_EMAIL: ADMIN.identity, VEDETTE_ADMIN_PASSWORD: ADMIN.password }
    await onHub(data, { ...admin, DISABLE_PASSWORD_AUTH: 'true', USER_CREATION: 'true' }, async (call) => {
      const shown = await call('GET', users)
      assert.deepEqual((shown['passwordAuth'] as Json)['enabled'], false)
      await call('PATCH', users, { oauth2: { enabled: true, createUsers: true, providers: [CLIENT] } })
      const { passwordAuth, otp, authAlert, oauth2 } = await call('PATCH', users, {
        passwordAuth: { enabled: false },
        otp: { duration: 240 },
        authAlert: { enabled: false },
      })
      assert.deepEqual([passwordAuth, authAlert], [{ enabled: false, identityFields: ['email'] }, { enabled: false }])
      assert.deepEqual([(otp as Json)['duration'], (oauth2 as Json)['createUsers']], [240, true])
    })
    await onHub(data, {}, async (call) => {
      const { passwordAuth, otp, authAlert, oauth2 } = await call('GET', users)
      assert.deepEqual([passwordAuth, authAlert], [{ enabled: true, identityFields: ['email'] }, { enabled: false }])
      assert.equal((otp as Json)['duration'], 240)
      const { enabled, createUsers, providers } = oauth2 as Json
      assert.deepEqual([enabled, createUsers, (providers as readonly Json[])[0]?.['name']], [true, false, 'oidc'])
    })
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
})

test("a change is refused if the operator's variables would then leave users without a way to sign in", { timeout: 300_000 }, async () => {
  const data = makeMemoryFolder('vedette-overridden-')
  const twoWays = { otp: { enabled: true }, mfa: { enabled: true } }
  const codeOf = ({ data: errors }: Json, part: string): unknown => (((errors as Json)[part] as Json)['enabled'] as Json)['code']
  try {
    const environment = { VEDETTE_ADMIN_EMAIL: ADMIN.identity, VEDETTE_ADMIN_PASSWORD: ADMIN.password, DISABLE_PASSWORD_AUTH: 'true' }
    await onHub(data, environment, async (call) => {
      await call('PATCH', 'settings', { meta: { senderAddress: 'hub@example.com' }, smtp: { enabled: true, host: 'mail.example.com' } })
      const before = await call('GET', users)
      assert.equal(codeOf(await call('PATCH', users, twoWays, 400), 'mfa'), 'validation_mfa_not_enough_methods')
      assert.deepEqual(await call('GET', users), before)
      // Without a way to sign in from the start, a change of something else is still stored.
      await call('PATCH', users, { authAlert: { enabled: false } })
      await call('PATCH', users, { otp: { enabled: true } })
      const sent = { otp: { enabled: false }, oauth2: { enabled: true, providers: [CLIENT] } }
      assert.equal(codeOf(await call('PATCH', users, sent, 400), 'passwordAuth'), 'validation_invalid_value')
      const { otp, oauth2, authAlert } = await call('GET', users)
      assert.deepEqual([(otp as Json)['enabled'], (oauth2 as Json)['enabled'], authAlert], [true, false, { enabled: false }])
      // A provider is a way to sign in: codes can go, but then not the provider.
      await call('PATCH', users, { oauth2: { enabled: true, providers: [CLIENT] } })
      await call('PATCH', users, { otp: { enabled: false } })
      const withoutProvider = await call('PATCH', users, { oauth2: { enabled: false } }, 400)
      assert.equal(codeOf(withoutProvider, 'oauth2'), 'validation_invalid_value')
      await call('PATCH', users, { oauth2: { createUsers: true } })
    })
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
})
