import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases } from '../databases.ts'
import { call, codeOf, mailingHub } from '../mailing-hub.ts'
import { dataset, recordedHub, type RecordedHub } from '../recorded-hub.ts'

const tokenIn = (text: string | undefined): string =>
  /\/(?:reset-password|verify-email|change-email)\/([\w.-]+)/.exec(text ?? '')?.[1] ?? ''

const signIn = (hub: RecordedHub, identity: string, password: string) =>
  call(hub, 'POST /api/collections/users/auth-with-password', { identity, password })

const alice = 'alice@example.com'
const better = { password: 'a better one', passwordConfirm: 'a better one' }

for (const kind of databases) {
  test(`${kind.name}: a mailed reset link sets the password once, ends all sessions and invalidates all other links`, async () => {
    await using mailing = await mailingHub(kind)
    const { hub, smtp } = mailing
    const session = await hub.tokenOf('alice')
    await call(hub, 'POST /api/collections/users/request-password-reset', { email: alice })
    await call(hub, 'POST /api/collections/users/request-email-change', { newEmail: 'new@example.com' }, { token: session })
    const letters = [await smtp.next(), await smtp.next()]
    const token = tokenIn(letters.find(({ to }) => to[0] === alice)?.mail.text)
    const changing = tokenIn(letters.find(({ to }) => to[0] === 'new@example.com')?.mail.text)
    const confirm = (sent: object) => call(hub, 'POST /api/collections/users/confirm-password-reset', sent)

    assert.equal(codeOf((await confirm({ token: changing, ...better })).body, 'token'), 'validation_invalid_token')
    assert.equal(
      codeOf((await confirm({ token, password: 'short', passwordConfirm: 'short' })).body, 'password'),
      'validation_length_out_of_range',
    )
    assert.equal(
      codeOf((await confirm({ token, ...better, passwordConfirm: 'another' })).body, 'passwordConfirm'),
      'validation_values_mismatch',
    )
    assert.equal((await signIn(hub, alice, dataset.password)).status, 200)
    const both = await Promise.all([confirm({ token, ...better }), confirm({ token, ...better })])
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [204, 400])
    assert.equal((await signIn(hub, alice, dataset.password)).status, 400)
    assert.equal((await signIn(hub, alice, better.password)).status, 200)
    assert.equal((await call(hub, 'POST /api/collections/users/auth-refresh', {}, { token: session })).status, 401)
    const late = await call(hub, 'POST /api/collections/users/confirm-email-change', { token: changing, password: better.password })
    assert.equal(codeOf(late.body, 'token'), 'validation_invalid_token')
  })

  test(`${kind.name}: a request with an unknown address gets the same response, and no email is sent`, async () => {
    await using mailing = await mailingHub(kind)
    const { hub, smtp } = mailing
    for (const action of ['request-password-reset', 'request-verification'])
      for (const email of ['nobody@example.com', alice])
        assert.deepEqual(await call(hub, `POST /api/collections/users/${action}`, { email }), { status: 204, body: {} })
    assert.deepEqual((await smtp.next()).to, [alice])
    await hub.accounts.delivery.settled()
    assert.equal(smtp.arrived.length, 1, 'one letter: nobody is not there, and alice is verified')
    await call(hub, 'POST /api/collections/users/request-password-reset', { email: alice })
    await hub.accounts.delivery.settled()
    assert.equal(smtp.arrived.length, 1, 'not again at once')
  })

  test(`${kind.name}: a verification link verifies its address once`, async () => {
    await using mailing = await mailingHub(kind)
    const { hub, smtp } = mailing
    const una = 'una+tag@sub.example.net'
    assert.equal((await signIn(hub, una, dataset.password)).status, 403)
    await call(hub, 'POST /api/collections/users/request-verification', { email: una }, { language: 'de' })
    const { mail } = await smtp.next()
    assert.match(mail.subject ?? '', /bestätigen/)
    const token = tokenIn(mail.text)
    const confirm = (sent: string) => call(hub, 'POST /api/collections/users/confirm-verification', { token: sent })
    assert.equal(codeOf((await confirm(`${token}x`)).body, 'token'), 'validation_invalid_token')
    assert.equal((await confirm(token)).status, 204)
    assert.equal(codeOf((await confirm(token)).body, 'token'), 'validation_invalid_token')
    assert.equal((await signIn(hub, una, dataset.password)).status, 200)
  })

  test(`${kind.name}: a change of address needs its link and the password, and ends all sessions`, async () => {
    await using mailing = await mailingHub(kind)
    const { hub, smtp } = mailing
    const session = await hub.tokenOf('alice')
    const asked = await call(hub, 'POST /api/account/email', { newEmail: 'new@example.com' }, { token: session })
    assert.equal(asked.status, 204)
    const { to, mail } = await smtp.next()
    assert.deepEqual(to, ['new@example.com'])
    const confirm = (password: string) =>
      call(hub, 'POST /api/collections/users/confirm-email-change', { token: tokenIn(mail.text), password })
    assert.equal(codeOf((await confirm('wrong')).body, 'password'), 'validation_invalid_password')
    assert.equal((await signIn(hub, alice, dataset.password)).status, 200)
    assert.equal((await confirm(dataset.password)).status, 204)
    assert.equal((await signIn(hub, alice, dataset.password)).status, 400)
    assert.equal((await signIn(hub, 'new@example.com', dataset.password)).status, 200)
    assert.equal((await call(hub, 'POST /api/collections/users/auth-refresh', {}, { token: session })).status, 401)
    assert.equal((await confirm(dataset.password)).status, 400)
  })

  test(`${kind.name}: a change of address fails if another account has received the address meanwhile`, async () => {
    await using mailing = await mailingHub(kind)
    const { hub, smtp } = mailing
    const newEmail = 'soon@example.com'
    await call(hub, 'POST /api/account/email', { newEmail }, { token: await hub.tokenOf('alice') })
    const { mail } = await smtp.next()
    const bob = dataset.aliases['bob'] ?? ''
    await hub.engine.database.write((unit) => hub.engine.store.update(unit, 'users', bob, { email: newEmail }))
    const late = await call(hub, 'POST /api/collections/users/confirm-email-change', {
      token: tokenIn(mail.text),
      password: dataset.password,
    })
    assert.equal(codeOf(late.body, 'token'), 'validation_existing_token_email')
    assert.equal((await signIn(hub, alice, dataset.password)).status, 200)
  })

  test(`${kind.name}: a reset link for admins works for admins only, and through the oldest API generation`, async () => {
    await using mailing = await mailingHub(kind)
    const { hub, smtp } = mailing
    await call(hub, 'POST /api/admins/request-password-reset', { email: alice })
    await call(hub, 'POST /api/admins/request-password-reset', { email: dataset.superuser.email })
    const { to, mail } = await smtp.next()
    assert.deepEqual(to, [dataset.superuser.email])
    const token = tokenIn(mail.text)
    assert.equal((await call(hub, 'POST /api/admins/confirm-password-reset', { token, ...better })).status, 204)
    const { status } = await call(hub, 'POST /api/collections/_superusers/auth-with-password', {
      identity: dataset.superuser.email,
      password: better.password,
    })
    assert.equal(status, 200)
    assert.equal(smtp.arrived.length, 1)
  })
}

test('emails are in the language of the user’s settings, or else of the request', async () => {
  const [kind] = databases
  await using mailing = await mailingHub(kind ?? assert.fail())
  const { hub, smtp } = mailing
  const bob = dataset.aliases['bob'] ?? ''
  const bobs = String((await hub.engine.store.load('users', bob))?.['email'])
  await hub.engine.database.write(async (unit) => {
    for (const { id } of await hub.engine.store.loadWhere('user_settings', { user: bob }, unit))
      await hub.engine.store.remove(unit, 'user_settings', id)
    await hub.engine.store.insert(unit, 'user_settings', { user: bob, settings: { language: 'de' } })
  })
  await call(hub, 'POST /api/collections/users/request-password-reset', { email: bobs }, { language: 'en-GB,en;q=0.9' })
  assert.match((await smtp.next()).mail.subject ?? '', /Passwort/)
})

test('requests for emails are rate-limited, also for unknown addresses', async () => {
  const [kind] = databases
  await using hub = await recordedHub(kind ?? assert.fail())
  for (const email of [alice, 'nobody@example.com']) {
    const from = email === alice ? '192.0.2.1' : '192.0.2.2'
    const ask = () => call(hub, 'POST /api/collections/users/request-password-reset', { email }, { from })
    const statuses = []
    for (let asked = 0; asked < 21; asked += 1) statuses.push((await ask()).status)
    assert.deepEqual([statuses.at(-2), statuses.at(-1)], [204, 429])
  }
})
