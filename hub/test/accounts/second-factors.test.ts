import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases } from '../databases.ts'
import { call, codeOf, mailingHub } from '../mailing-hub.ts'
import { dataset, recordedHub, type RecordedHub } from '../recorded-hub.ts'
import { codeOfStep, freshCode, passwordToken, stepAt, turnOn, wrongCodeOf, type OwnApp } from '../second-factor-scene.ts'

const alice = 'alice@example.com'
const aliceId = dataset.aliases['alice'] ?? ''
const users = '/api/collections/users'
const { email: boss, password: bossPassword } = dataset.superuser

const signIn = (hub: RecordedHub, identity = alice, password = dataset.password, collection = 'users') =>
  call(hub, `POST /api/collections/${collection}/auth-with-password`, { identity, password })

const secondStep = (hub: RecordedHub, mfaId: unknown, code: string, { collection = 'users', from = '192.0.2.1' } = {}) =>
  call(hub, `POST /api/collections/${collection}/auth-with-second-factor`, { mfaId, code }, { from })

const isGood = async (hub: RecordedHub, token: string) => (await call(hub, `POST ${users}/auth-refresh`, {}, { token })).status === 200

async function firstStep(hub: RecordedHub): Promise<string> {
  const { status, body } = await signIn(hub)
  assert.deepEqual([status, body['factors'], Object.keys(body)], [401, ['app', 'recovery'], ['mfaId', 'factors']])
  return String(body['mfaId'])
}

async function aliceWithApp(hub: RecordedHub): Promise<OwnApp> {
  return turnOn(hub, await passwordToken(hub, alice))
}

const auditOf = async (hub: RecordedHub) =>
  (await hub.engine.database.kysely.selectFrom('audit_log').selectAll().where('targetId', '=', aliceId).orderBy('no').execute()).map(
    ({ action, actorName, changes }) => [action, actorName, JSON.parse(changes)],
  )

for (const kind of databases) {
  test(`${kind.name}: a person turns an authenticator app on, which ends the other sessions, and signs in with its codes`, async () => {
    await using hub = await recordedHub(kind)
    const [phone, desk] = [await passwordToken(hub, alice), await passwordToken(hub, alice)]
    const before = await call(hub, 'GET /api/account/second-factors', {}, { token: desk })
    assert.deepEqual(before.body, { app: false, recoveryCodes: 0, passwordNeeded: false })
    const app = await turnOn(hub, desk)
    assert.deepEqual([await isGood(hub, phone), await isGood(hub, desk), await isGood(hub, app.token)], [false, false, true])
    assert.equal(app.recoveryCodes.length, 10)
    const { body } = await call(hub, 'GET /api/account/second-factors', {}, { token: app.token })
    assert.deepEqual([body['app'], body['recoveryCodes']], [true, 10])

    const mfaId = await firstStep(hub)
    const wrong = await secondStep(hub, mfaId, wrongCodeOf(app.secret))
    assert.deepEqual([wrong.status, codeOf(wrong.body, 'code')], [400, 'validation_invalid_code'])
    const { status, body: session } = await secondStep(hub, mfaId, await freshCode(hub, app))
    assert.equal(status, 200)
    assert.equal((session['record'] as { readonly id: string }).id, aliceId)
    assert.ok(await isGood(hub, String(session['token'])))
    assert.deepEqual(await auditOf(hub), [['update', alice, { authenticatorApp: ['off', 'on'] }]])
  })

  test(`${kind.name}: a code, a recovery code and a first step each work once, also in requests at the same time`, async () => {
    await using hub = await recordedHub(kind)
    const app = await aliceWithApp(hub)
    const [used = ''] = app.recoveryCodes
    for (const code of [await freshCode(hub, app), used]) {
      const steps = [await firstStep(hub), await firstStep(hub), await firstStep(hub)]
      const answers = await Promise.all(steps.map((mfaId) => secondStep(hub, mfaId, code)))
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400])
      assert.equal((await secondStep(hub, await firstStep(hub), code)).status, 400)
    }
    const mfaId = await firstStep(hub)
    const codes = app.recoveryCodes.slice(1, 4)
    const answers = await Promise.all(codes.map((code) => secondStep(hub, mfaId, code)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400])
    const { body } = await call(hub, 'GET /api/account/second-factors', {}, { token: app.token })
    assert.equal(body['recoveryCodes'], 8, 'a failed step uses no recovery code')
  })

  test(`${kind.name}: recovery codes work in any case, with spaces and without hyphens, and only for their account`, async () => {
    await using hub = await recordedHub(kind)
    const app = await aliceWithApp(hub)
    const other = await turnOn(hub, await passwordToken(hub, boss, bossPassword), bossPassword)
    const [mine = '', second = ''] = app.recoveryCodes
    assert.equal((await secondStep(hub, await firstStep(hub), other.recoveryCodes[0] ?? '')).status, 400)
    assert.equal((await secondStep(hub, await firstStep(hub), ` ${mine.toLowerCase().replaceAll('-', ' ')} `)).status, 200)
    assert.equal((await secondStep(hub, await firstStep(hub), second.replaceAll('-', ''))).status, 200)
  })

  test(`${kind.name}: no table and no response holds a secret or a recovery code that was shown once`, async () => {
    await using hub = await recordedHub(kind)
    const app = await aliceWithApp(hub)
    const { kysely } = hub.engine.database
    const rows = JSON.stringify([
      await kysely.selectFrom('authenticator_apps').selectAll().execute(),
      await kysely.selectFrom('recovery_codes').selectAll().execute(),
      await kysely.selectFrom('audit_log').selectAll().execute(),
    ])
    const token = await hub.tokenOf('super')
    const responses = await Promise.all(
      ['/api/account/second-factors', '/api/account/sessions', `${users}/records/${aliceId}`].map((path) =>
        call(hub, `GET ${path}`, {}, { token: path.includes('account') ? app.token : token }),
      ),
    )
    const texts = rows + JSON.stringify(responses)
    for (const secret of [app.secret, ...app.recoveryCodes, ...app.recoveryCodes.map((code) => code.replaceAll('-', ''))])
      assert.ok(!texts.includes(secret))
    assert.equal((await kysely.selectFrom('recovery_codes').selectAll().execute()).length, 10)
  })

  test(`${kind.name}: a wrong password gets the same response with and without a second factor`, async () => {
    await using hub = await recordedHub(kind)
    await aliceWithApp(hub)
    const answers = []
    for (const identity of [alice, 'bob@example.com', 'nobody@example.com']) answers.push(await signIn(hub, identity, 'not the password'))
    assert.deepEqual(answers[0], answers[1])
    assert.deepEqual(answers[0], answers[2])
    assert.equal(answers[0]?.status, 400)
  })

  test(`${kind.name}: codes are limited for the account from all addresses, and recovery codes work at the limit`, async () => {
    await using hub = await recordedHub(kind)
    const app = await aliceWithApp(hub)
    const wrong = wrongCodeOf(app.secret)
    const statuses = []
    for (let at = 1; at <= 12; at += 1)
      statuses.push((await secondStep(hub, await firstStep(hub), wrong, { from: `198.51.100.${at}` })).status)
    assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 400), 429, 429])
    assert.equal((await secondStep(hub, await firstStep(hub), await freshCode(hub, app))).status, 429)
    const bossApp = await turnOn(hub, await passwordToken(hub, boss, bossPassword), bossPassword)
    assert.equal(bossApp.recoveryCodes.length, 10, 'another account is not limited')
    assert.equal((await secondStep(hub, await firstStep(hub), app.recoveryCodes[0] ?? '')).status, 200)
  })

  test(`${kind.name}: the second step needs the first one of the same account and collection, and it expires`, async () => {
    await using hub = await recordedHub(kind)
    const app = await turnOn(hub, await passwordToken(hub, boss, bossPassword), bossPassword)
    const first = async (collection: string) => String((await signIn(hub, boss, bossPassword, collection)).body['mfaId'])
    for (const mfaId of ['', 'x', 'a'.repeat(15), '__proto__', {}, null])
      assert.equal((await secondStep(hub, mfaId, await freshCode(hub, app))).status, 400, String(mfaId))
    assert.equal((await secondStep(hub, await first('users'), await freshCode(hub, app), { collection: '_superusers' })).status, 400)
    assert.equal((await secondStep(hub, await first('_superusers'), await freshCode(hub, app))).status, 400)
    assert.equal((await secondStep(hub, await first('_superusers'), await freshCode(hub, app), { collection: '_superusers' })).status, 200)
    const { status } = await call(hub, 'POST /api/collections/systems/auth-with-second-factor', { mfaId: 'x', code: '123456' })
    assert.equal(status, 404)
    const old = await first('users')
    await hub.engine.database.write((unit) => hub.engine.store.update(unit, '_mfas', old, { created: '2020-01-01 00:00:00.000Z' }))
    assert.equal((await secondStep(hub, old, await freshCode(hub, app))).status, 400)
    for (const code of ['', ' ', 'x'.repeat(100)]) assert.equal((await secondStep(hub, await first('users'), code)).status, 400)
  })

  test(`${kind.name}: turning off and new recovery codes need password and code, and a session of the person`, async () => {
    await using hub = await recordedHub(kind)
    const app = await aliceWithApp(hub)
    const { token } = app
    const ask = (path: string, body: object, by = token) => call(hub, `POST /api/account/${path}`, body, { token: by })
    const { password } = dataset
    for (const path of ['authenticator-app/remove', 'recovery-codes']) {
      assert.equal((await ask(path, { password, code: wrongCodeOf(app.secret) })).status, 400)
      assert.equal((await ask(path, { password })).status, 400)
      const wrong = await ask(path, { password: 'not it', code: await freshCode(hub, app) })
      assert.deepEqual([wrong.status, codeOf(wrong.body, 'password')], [400, 'validation_invalid_password'])
      for (const by of [await hub.tokenOf('alice'), await hub.tokenOf('super')])
        assert.equal((await ask(path, { password, code: await freshCode(hub, app) }, by)).status, 403, 'an admin who acts as the person')
      assert.equal((await ask(path, { password, code: app.secret }, '')).status, 401)
    }
    const again = await ask('authenticator-app', { password })
    assert.equal(again.status, 400, 'an app that is on cannot be replaced')
    const { status, body } = await ask('recovery-codes', { password, code: await freshCode(hub, app) })
    assert.equal(status, 200)
    const renewed = body['recoveryCodes'] as readonly string[] // of the route
    assert.equal((await secondStep(hub, await firstStep(hub), app.recoveryCodes[0] ?? '')).status, 400, 'the old codes are gone')
    assert.equal((await secondStep(hub, await firstStep(hub), renewed[0] ?? '')).status, 200)
    assert.equal((await ask('authenticator-app/remove', { password, code: renewed[1] ?? '' })).status, 204)
    assert.equal((await signIn(hub)).status, 200)
    assert.deepEqual((await hub.engine.database.kysely.selectFrom('recovery_codes').selectAll().execute()).length, 0)
    assert.deepEqual((await auditOf(hub)).slice(1), [
      ['update', alice, { recoveryCodes: ['***', '***'] }],
      ['update', alice, { authenticatorApp: ['on', 'off'] }],
    ])
  })

  test(`${kind.name}: the password may be left out for 10 minutes after a sign-in, and a renewed session does not count as one`, async () => {
    await using hub = await recordedHub(kind)
    const collection = hub.engine.collections.find('users') ?? assert.fail()
    const record = (await hub.engine.store.load('users', aliceId)) ?? assert.fail()
    const visitor = { address: '192.0.2.1', browser: 'test', mfaId: '' }
    const begin = (signedInMs: number | undefined) => hub.accounts.auth.begin(collection, record, { visitor, signedInMs })
    const asked = async (token: string) => {
      const { status, body } = await call(hub, 'POST /api/account/authenticator-app', {}, { token })
      return status === 400 ? codeOf(body, 'password') : status
    }
    const now = Date.now()
    assert.equal(await asked((await begin(now - 590_000)).token), 200)
    assert.equal(await asked((await begin(now - 610_000)).token), 'validation_required')
    assert.equal(await asked((await begin(undefined)).token), 'validation_required')
    const renewed = await call(hub, `POST ${users}/auth-refresh`, {}, { token: (await begin(now - 610_000)).token })
    assert.equal(await asked(String(renewed.body['token'])), 'validation_required')
    const ended = await call(hub, 'DELETE /api/account/sessions', {}, { token: String(renewed.body['token']) })
    assert.equal(await asked(String(ended.body['token'])), 'validation_required')
  })

  test(`${kind.name}: an app is on only after its first code, within 15 minutes, and the newest secret counts`, async () => {
    await using hub = await recordedHub(kind)
    const token = await passwordToken(hub, alice)
    const begin = async () => String((await call(hub, 'POST /api/account/authenticator-app', {}, { token })).body['secret'])
    const confirm = (code: string) => call(hub, 'POST /api/account/authenticator-app/confirm', { code }, { token })
    assert.equal((await confirm('123456')).status, 400)
    const first = await begin()
    assert.equal((await signIn(hub)).status, 200, 'not yet on')
    const second = await begin()
    assert.notEqual(first, second)
    assert.equal((await confirm(codeOfStep(first, stepAt(Date.now())))).status, 400)
    const age = (created: number) =>
      hub.engine.database.write((unit) =>
        unit.sql.updateTable('authenticator_apps').set({ created }).where('account', '=', aliceId).execute(),
      )
    await age(Date.now() - 901_000)
    assert.equal((await confirm(codeOfStep(second, stepAt(Date.now())))).status, 400)
    await age(Date.now())
    const code = codeOfStep(second, stepAt(Date.now()))
    const both = await Promise.all([confirm(code), confirm(code)])
    assert.equal(both.filter(({ status }) => status === 200).length, 1)
    assert.equal((await secondStep(hub, await firstStep(hub), code)).status, 400, 'the first code is used')
  })

  test(`${kind.name}: a deleted account leaves no second factor`, async () => {
    await using hub = await recordedHub(kind)
    await aliceWithApp(hub)
    const token = await hub.tokenOf('super')
    const { kysely } = hub.engine.database
    const count = async () =>
      (await kysely.selectFrom('authenticator_apps').selectAll().execute()).length +
      (await kysely.selectFrom('recovery_codes').selectAll().execute()).length
    assert.equal(await count(), 11)
    assert.equal((await call(hub, `DELETE ${users}/records/${aliceId}`, {}, { token })).status, 204)
    assert.equal(await count(), 0)
  })

  test(`${kind.name}: with mailed codes required, the authenticator app takes the place of the mailed code`, async () => {
    await using mailing = await mailingHub(kind)
    const { hub, smtp } = mailing
    const app = await aliceWithApp(hub)
    const ways = { otp: { enabled: true, length: 6, duration: 180 }, mfa: { enabled: true, duration: 600 } }
    assert.equal((await call(hub, `PATCH ${users}`, ways, { token: await hub.tokenOf('super') })).status, 200)
    const mfaId = await firstStep(hub)
    const { body } = await call(hub, `POST ${users}/request-otp`, { email: alice })
    const { mail } = await smtp.next()
    const password = /^ {4}(\d{6})$/m.exec(mail.text ?? '')?.[1] ?? ''
    const mailed = await call(hub, `POST ${users}/auth-with-otp`, { otpId: body['otpId'], password, mfaId })
    assert.deepEqual(
      [mailed.status, mailed.body['message']],
      [400, 'This account needs a code of its authenticator app, or a recovery code.'],
    )
    assert.equal((await secondStep(hub, mfaId, await freshCode(hub, app))).status, 200)
  })
}
