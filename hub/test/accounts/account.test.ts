import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { databases } from '../databases.ts'
import { dataset, recordedHub, type RecordedHub } from '../recorded-hub.ts'

type Body = { readonly [field: string]: Json }

async function call(hub: RecordedHub, token: string, request: string, body: object = {}): Promise<{ status: number; body: Body }> {
  const [method = '', path = ''] = request.split(' ')
  const headers = { authorization: token, 'content-type': 'application/json' }
  const from = { incoming: { socket: { remoteAddress: '192.0.2.1' } } }
  const init = { method, headers, ...(method === 'GET' ? {} : { body: JSON.stringify(body) }) }
  const response = await hub.app.fetch(new Request(`http://hub${path}`, init), from)
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Body) } // the hub responds with an object
}

async function signIn(hub: RecordedHub, password: string, identity = 'alice@example.com') {
  return call(hub, '', 'POST /api/collections/users/auth-with-password', { identity, password })
}

for (const kind of databases) {
  test(`${kind.name}: a new password needs the old password, ends all other sessions and starts a new session`, async () => {
    await using hub = await recordedHub(kind)
    const { token } = (await signIn(hub, dataset.password)).body
    const change = (oldPassword: string, password = 'a better one', passwordConfirm = password) =>
      call(hub, String(token), 'POST /api/account/password', { oldPassword, password, passwordConfirm })
    assert.equal((await call(hub, '', 'POST /api/account/password', {})).status, 401)
    for (const [sent, field, code] of [
      [['wrong'], 'oldPassword', 'validation_invalid_old_password'],
      [[''], 'oldPassword', 'validation_required'],
      [[dataset.password, 'short'], 'password', 'validation_min_text_constraint'],
      [[dataset.password, 'long enough', 'other'], 'passwordConfirm', 'validation_values_mismatch'],
    ] as const) {
      const [old, ...rest] = sent
      const { status, body } = await change(old, ...rest)
      assert.equal(status, 400)
      assert.equal((body['data'] as Record<string, { code: string }>)[field]?.code, code) // the errors by field
    }
    const { status, body } = await change(dataset.password)
    assert.equal(status, 200)
    assert.equal((await call(hub, String(token), 'POST /api/collections/users/auth-refresh')).status, 401)
    assert.equal((await call(hub, String(body['token']), 'POST /api/collections/users/auth-refresh')).status, 200)
    assert.equal((await signIn(hub, dataset.password)).status, 400)
    assert.equal((await signIn(hub, 'a better one')).status, 200)
  })

  test(`${kind.name}: users can change their own name, but not their role or other fields`, async () => {
    await using hub = await recordedHub(kind)
    const token = await hub.tokenOf('rita')
    const sent = { name: 'Rita', role: 'admin', verified: false, email: 'x@example.com', tokenKey: 'x'.repeat(50), id: 'usralice0000001' }
    const { status, body } = await call(hub, token, 'POST /api/account/profile', sent)
    assert.equal(status, 200)
    assert.deepEqual(
      [body['id'], body['name'], body['role'], body['verified'], body['email']],
      [dataset.aliases['rita'], 'Rita', 'readonly', true, 'rita@example.com'],
    )
    assert.equal((await call(hub, token, 'POST /api/account/profile', { username: 'alice' })).status, 400)
    assert.equal((await call(hub, token, 'POST /api/account/profile', { name: 'x'.repeat(256) })).status, 400)
    assert.equal((await call(hub, token, 'POST /api/collections/users/auth-refresh')).status, 200)
  })

  test(`${kind.name}: a sign-in with a password hash of another hub replaces the hash and keeps the sessions`, async () => {
    await using hub = await recordedHub(kind)
    // "correct horse", by crypt(3) of a Debian system.
    const password = '$2b$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e'
    const id = dataset.aliases['alice'] ?? ''
    await hub.engine.database.write((unit) => hub.engine.store.update(unit, 'users', id, { password }))
    const before = await hub.tokenOf('alice')
    assert.equal((await signIn(hub, 'correct horses')).status, 400)
    assert.equal((await hub.engine.store.load('users', id))?.['password'], password)
    assert.equal((await signIn(hub, 'correct horse')).status, 200)
    assert.match(String((await hub.engine.store.load('users', id))?.['password']), /^\$argon2id\$/)
    assert.equal((await call(hub, before, 'POST /api/collections/users/auth-refresh')).status, 200)
    assert.equal((await signIn(hub, 'correct horse')).status, 200)
  })

  test(`${kind.name}: an admin’s session loses its rights when the account loses the role`, async () => {
    await using hub = await recordedHub(kind)
    const token = await hub.tokenOf('super')
    const dave = dataset.aliases['dave'] ?? ''
    const { body } = await call(hub, '', 'POST /api/admins/auth-with-password', {
      identity: 'dave@example.com',
      password: dataset.password,
    })
    assert.equal((await call(hub, String(body['token']), 'GET /api/collections/users/records')).body['totalItems'], 7)
    await call(hub, token, `PATCH /api/collections/users/records/${dave}`, { role: 'user' })
    assert.equal((await call(hub, String(body['token']), 'GET /api/collections/users/records')).body['totalItems'], 0)
    assert.equal(
      (
        await call(hub, '', 'POST /api/collections/_superusers/auth-with-password', {
          identity: 'dave@example.com',
          password: dataset.password,
        })
      ).status,
      400,
    )
  })

  test(`${kind.name}: the _superusers collection reads and changes admins only`, async () => {
    await using hub = await recordedHub(kind)
    const token = await hub.tokenOf('super')
    const alice = dataset.aliases['alice'] ?? ''
    const made = { email: 'second@example.com', password: 'long enough', passwordConfirm: 'long enough', role: 'user', verified: false }
    const { status, body } = await call(hub, token, 'POST /api/collections/_superusers/records', made)
    assert.equal(status, 200)
    assert.equal((await hub.engine.store.load('users', String(body['id'])))?.['role'], 'admin')
    for (const method of ['GET', 'PATCH', 'DELETE'])
      assert.equal(
        (await call(hub, token, `${method} /api/collections/_superusers/records/${alice}`, { email: 'x@example.com' })).status,
        404,
      )
    assert.equal((await call(hub, token, `DELETE /api/collections/_superusers/records/${String(body['id'])}`)).status, 204)
    for (const who of ['guest', 'alice', 'rita'])
      assert.equal(
        (await call(hub, who === 'guest' ? '' : await hub.tokenOf(who), 'POST /api/collections/_superusers/records', made)).status,
        403,
      )
  })
}
