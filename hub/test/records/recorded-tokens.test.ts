import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { databases } from '../databases.ts'
import { dataset, readVector, recordedHub } from '../recorded-hub.ts'
import { newSaved, send } from '../recorded-step.ts'

type Part = { readonly [claim: string]: Json }
type Recorded = { readonly token?: string; readonly header?: Part; readonly claims?: Part; readonly note?: string; readonly same?: true }

const { tokens } = readVector('tokens.json') as { readonly tokens: readonly Recorded[] }

const alice = { identity: 'alice@example.com', password: dataset.password }
const impersonate = `/api/collections/users/impersonate/${dataset.aliases['alice'] ?? ''}`

type Request = { readonly as: string; readonly path: string; readonly json?: Json }

/** The request that creates each recorded token. */
const requests: Readonly<Record<string, Request>> = {
  'users, auth-with-password': { as: 'guest', path: '/api/collections/users/auth-with-password', json: alice },
  '_superusers, auth-with-password': {
    as: 'guest',
    path: '/api/collections/_superusers/auth-with-password',
    json: { identity: dataset.superuser.email, password: dataset.superuser.password },
  },
  'users, auth-refresh': { as: 'session', path: '/api/collections/users/auth-refresh' },
  'users, impersonate, duration 3600': { as: 'super', path: impersonate, json: { duration: 3600 } },
  'users, impersonate, duration 0': { as: 'super', path: impersonate, json: { duration: 0 } },
  'files/token of a user': { as: 'alice', path: '/api/files/token' },
  'files/token of a superuser': { as: 'super', path: '/api/files/token' },
  '0.2.0: admins, auth-with-password': {
    as: 'guest',
    path: '/api/admins/auth-with-password',
    json: { identity: dataset.superuser.email, password: dataset.superuser.password },
  },
}

/** Tokens of the early generation that the current one creates in another form. One hub can create only one of them. */
const madeOtherwiseSince = ['0.2.0: users, auth-with-password', '0.2.0: files/token']

/** Lifetimes in seconds that differ on purpose: sessions last a week as older clients expect, and an admin's session one day. */
const lifetimes: Readonly<Record<string, number>> = {
  'users, auth-with-password': 7 * 86_400,
  'users, auth-refresh': 7 * 86_400,
  'users, impersonate, duration 0': 7 * 86_400,
  '0.2.0: admins, auth-with-password': 86_400,
}

for (const kind of databases) {
  test(`${kind.name}: creates the recorded tokens`, async (t) => {
    await using hub = await recordedHub(kind)
    const saved = newSaved()
    const ask = async ({ as, path, json }: Request): Promise<string> => {
      const step = { as, method: 'POST', path, ...(json === undefined ? {} : { json }), response: { status: 200 } }
      const { token } = (await (await send(hub, step, saved)).json()) as { readonly token: string } // the response of each request
      return token
    }
    saved.tokens.set('session', await ask(requests['users, auth-with-password'] ?? assert.fail()))
    for (const recorded of tokens.filter(({ token }) => token !== undefined && !madeOtherwiseSince.includes(token))) {
      const name = recorded.token ?? ''
      await t.test(name, async () => {
        const before = Math.floor(Date.now() / 1000)
        const token = await ask(requests[name] ?? assert.fail(`nobody asks for ${name}`))
        const [header = '', payload = ''] = token.split('.')
        assert.deepEqual(JSON.parse(atob(header)), recorded.header)
        // Clients decode it as plain base64.
        const { exp, id, ...claims } = JSON.parse(atob(payload)) as Part // claims are an object
        const { exp: recordedExp, id: _id, ...expected } = recorded.claims ?? {}
        assert.deepEqual(claims, expected)
        assert.equal(typeof id, 'string')
        const lifetime = lifetimes[name] ?? Number(/\d+/.exec(String(recordedExp))?.[0])
        const late = Number(exp) - before - lifetime
        assert.ok(late >= 0 && late <= 30, `expires ${late} s late`)
        if (!name.startsWith('users, impersonate')) return
        saved.tokens.set('impersonated', token)
        assert.equal(await ask({ as: 'impersonated', path: '/api/collections/users/auth-refresh' }), token)
      })
    }
    for (const kindOf of ['files/token of a user', 'files/token of a superuser']) {
      await t.test(`a token from ${kindOf} does not authenticate a request`, async () => {
        saved.tokens.set('file', await ask(requests[kindOf] ?? assert.fail()))
        const step = { as: 'file', method: 'GET', path: '/api/beszel/info', response: { status: 401 } }
        assert.equal((await send(hub, step, saved)).status, 401)
      })
    }
  })
}
