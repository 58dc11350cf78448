import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases } from '../databases.ts'
import { call, mailingHub } from '../mailing-hub.ts'
import { dataset, recordedHub, type RecordedHub } from '../recorded-hub.ts'
import { codeOfStep, freshCode, passwordToken, stepAt, turnOn } from '../second-factor-scene.ts'

const users = '/api/collections/users'
const alice = 'alice@example.com'
const aliceId = dataset.aliases['alice'] ?? ''
const { email: boss, password: bossPassword } = dataset.superuser

const signIn = (hub: RecordedHub, identity = alice, password = dataset.password) =>
  call(hub, `POST ${users}/auth-with-password`, { identity, password })
const isGood = async (hub: RecordedHub, token: string) => (await call(hub, `POST ${users}/auth-refresh`, {}, { token })).status === 200
const requirement = (hub: RecordedHub, token: string, required = true, collection = 'users') =>
  call(hub, `PATCH /api/collections/${collection}`, { secondFactor: { required } }, { token })

async function waiting(hub: RecordedHub): Promise<string> {
  const { status, body } = await signIn(hub)
  assert.deepEqual([status, body['factors']], [401, ['setup']])
  return String(body['mfaId'])
}

for (const kind of databases) {
  test(`${kind.name}: requiring a second factor ends the sessions of people without one, who set one up after the password`, async () => {
    await using hub = await recordedHub(kind)
    const [anna, bob] = [await passwordToken(hub, alice), await passwordToken(hub, 'rita@example.com')]
    const key = await call(hub, 'POST /api/account/api-keys', { name: 'x', scope: 'read' }, { token: bob })
    const refused = await requirement(hub, await passwordToken(hub, boss, bossPassword))
    assert.equal(refused.status, 400, 'an admin without a factor cannot require one')
    assert.ok((await isGood(hub, anna)) && (await isGood(hub, bob)))
    const admin = await turnOn(hub, await passwordToken(hub, boss, bossPassword), bossPassword)
    assert.equal((await requirement(hub, admin.token)).status, 200)
    assert.deepEqual([await isGood(hub, anna), await isGood(hub, bob), await isGood(hub, admin.token)], [false, false, true])
    const read = await call(hub, 'GET /api/collections/systems/records', {}, { token: String(key.body['key']) })
    assert.equal(read.status, 200, 'API keys stay')

    const mfaId = await waiting(hub)
    for (const path of [`GET ${users}/records/${aliceId}`, 'GET /api/account/second-factors', `POST ${users}/auth-refresh`])
      assert.ok([401, 404].includes((await call(hub, path, {}, { token: mfaId })).status), path)
    const setup = (path: string, sent: object, collection = 'users') => call(hub, `POST /api/collections/${collection}/${path}`, sent)
    assert.equal((await setup('second-factor-setup', { mfaId: 'x' })).status, 400)
    assert.equal((await setup('second-factor-setup', { mfaId }, '_superusers')).status, 400)
    const begun = await setup('second-factor-setup', { mfaId })
    const code = codeOfStep(String(begun.body['secret']), stepAt(Date.now()))
    assert.equal((await setup('confirm-second-factor-setup', { mfaId: await waiting(hub), code: '12345' })).status, 400)
    const both = await Promise.all([1, 2].map(() => setup('confirm-second-factor-setup', { mfaId, code })))
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 400])
    const done = both.find(({ status }) => status === 200)?.body ?? assert.fail()
    assert.equal((done['recoveryCodes'] as readonly string[]).length, 10)
    assert.ok(await isGood(hub, String(done['token'])))
    assert.equal((await setup('second-factor-setup', { mfaId })).status, 400)
    assert.deepEqual((await signIn(hub)).body['factors'], ['app', 'recovery'])
  })

  test(`${kind.name}: nobody removes the last factor while one is required, and it can be required of admins only`, async () => {
    await using hub = await recordedHub(kind)
    const admin = await turnOn(hub, await passwordToken(hub, boss, bossPassword), bossPassword)
    const anna = await passwordToken(hub, alice)
    assert.equal((await requirement(hub, admin.token, true, '_superusers')).status, 200)
    assert.ok(await isGood(hub, anna))
    assert.equal((await signIn(hub)).status, 200)
    const off = async () =>
      call(
        hub,
        'POST /api/account/authenticator-app/remove',
        { password: bossPassword, code: await freshCode(hub, admin) },
        { token: admin.token },
      )
    assert.equal((await off()).status, 400)
    assert.deepEqual((await signIn(hub, boss, bossPassword)).body['factors'], ['app', 'recovery'], 'the refused removal removed nothing')
    assert.equal((await requirement(hub, admin.token, false, '_superusers')).status, 200)
    assert.equal((await off()).status, 204)
  })

  test(`${kind.name}: an admin removes the factors of another person, which ends the sessions and is in the audit log`, async () => {
    await using hub = await recordedHub(kind)
    const anna = await turnOn(hub, await passwordToken(hub, alice))
    const admin = await turnOn(hub, await passwordToken(hub, boss, bossPassword), bossPassword)
    const path = `/api/vedette/users/${aliceId}/second-factors`
    const shown = await call(hub, `GET ${path}`, {}, { token: admin.token })
    assert.deepEqual(shown.body, { app: true, passkeys: 0 })
    for (const [token, status] of [
      ['', 401],
      [anna.token, 403],
    ] as const)
      assert.deepEqual(
        [(await call(hub, `GET ${path}`, {}, { token })).status, (await call(hub, `DELETE ${path}`, {}, { token })).status],
        [status, status],
      )
    assert.equal(
      (await call(hub, `DELETE /api/vedette/users/${admin.account}/second-factors`, {}, { token: admin.token })).status,
      400,
      'the own ones',
    )
    assert.equal((await call(hub, `DELETE ${path}`, {}, { token: admin.token })).status, 204)
    assert.equal((await call(hub, `DELETE ${path}`, {}, { token: admin.token })).status, 404)
    assert.ok(!(await isGood(hub, anna.token)))
    assert.equal((await signIn(hub)).status, 200)
    const row = await hub.engine.database.kysely.selectFrom('audit_log').selectAll().orderBy('no', 'desc').executeTakeFirst()
    assert.deepEqual(
      [row?.actorName, row?.targetName, JSON.parse(row?.changes ?? '')],
      [boss, alice, { authenticatorApp: ['on', 'off'], recoveryCodes: ['on', 'off'] }],
    )
  })

  test(`${kind.name}: a sign-in that waits for a set-up is no factor of a sign-in with a mailed code`, async () => {
    await using mailing = await mailingHub(kind)
    const { hub, smtp } = mailing
    const admin = await turnOn(hub, await passwordToken(hub, boss, bossPassword), bossPassword)
    assert.equal((await requirement(hub, admin.token)).status, 200)
    const mfaId = await waiting(hub)
    const ways = { otp: { enabled: true, length: 6, duration: 180 }, mfa: { enabled: true, duration: 600 } }
    assert.equal((await call(hub, `PATCH ${users}`, ways, { token: admin.token })).status, 200)
    const { body } = await call(hub, `POST ${users}/request-otp`, { email: alice })
    const password = /^ {4}(\d{6})$/m.exec((await smtp.next()).mail.text ?? '')?.[1] ?? ''
    const mailed = await call(hub, `POST ${users}/auth-with-otp`, { otpId: body['otpId'], password, mfaId })
    assert.deepEqual([mailed.status, mailed.body['message']], [400, 'Invalid MFA session.'])
    assert.equal((await signIn(hub)).body['factors'], undefined, 'the mailed code comes before the set-up')
  })

  test(`${kind.name}: an account that a person takes over by its address keeps no second factor of another person`, async () => {
    await using hub = await recordedHub(kind)
    await turnOn(hub, await passwordToken(hub, alice))
    const account = await hub.engine.database.write((unit) => hub.engine.store.update(unit, 'users', aliceId, { verified: false }))
    const collection = hub.engine.collections.find('users') ?? assert.fail()
    const token = hub.accounts.tokens.make('passwordReset', { collection, account: account ?? assert.fail() })
    const sent = { token, password: 'a new password', passwordConfirm: 'a new password' }
    assert.equal((await call(hub, `POST ${users}/confirm-password-reset`, sent)).status, 204)
    assert.equal((await signIn(hub, alice, 'a new password')).status, 200)
  })

  test(`${kind.name}: a reset of the password keeps the second factor of a verified account`, async () => {
    await using hub = await recordedHub(kind)
    await turnOn(hub, await passwordToken(hub, alice))
    const collection = hub.engine.collections.find('users') ?? assert.fail()
    const token = hub.accounts.tokens.make('passwordReset', {
      collection,
      account: (await hub.engine.store.load('users', aliceId)) ?? assert.fail(),
    })
    const sent = { token, password: 'a new password', passwordConfirm: 'a new password' }
    assert.equal((await call(hub, `POST ${users}/confirm-password-reset`, sent)).status, 204)
    assert.equal((await signIn(hub, alice, 'a new password')).status, 401)
  })
}
