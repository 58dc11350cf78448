import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases } from '../databases.ts'
import { call, codeOf, mailingHub, type MailingHub } from '../mailing-hub.ts'
import { dataset, recordedHub } from '../recorded-hub.ts'

const alice = 'alice@example.com'
const users = '/api/collections/users'
const otpOn = { otp: { enabled: true, length: 6, duration: 180 } }
const twoProofs = { ...otpOn, mfa: { enabled: true, duration: 600 } }

async function set({ hub }: MailingHub, body: object, collection = 'users') {
  return call(hub, `PATCH /api/collections/${collection}`, body, { token: await hub.tokenOf('super') })
}

/** Requests a code, and reads it from the email. */
async function code({ hub, smtp }: MailingHub, email = alice): Promise<{ readonly otpId: string; readonly password: string }> {
  const { status, body } = await call(hub, `POST ${users}/request-otp`, { email })
  assert.equal(status, 200)
  const { to, mail } = await smtp.next()
  assert.deepEqual(to, [email])
  return { otpId: String(body['otpId']), password: /^ {4}(\d{6})$/m.exec(mail.text ?? '')?.[1] ?? '' }
}

const signIn = ({ hub }: MailingHub, mfaId?: string, identity = alice, collection = 'users') =>
  call(hub, `POST /api/collections/${collection}/auth-with-password`, {
    identity,
    password: identity === dataset.superuser.email ? dataset.superuser.password : dataset.password,
    ...(mfaId === undefined ? {} : { mfaId }),
  })

const showCode = ({ hub }: MailingHub, sent: object, query = '') => call(hub, `POST ${users}/auth-with-otp${query}`, sent)

for (const kind of databases) {
  test(`${kind.name}: a mailed one-time code signs in once`, async () => {
    await using mailing = await mailingHub(kind)
    await set(mailing, otpOn)
    const sent = await code(mailing)
    const both = await Promise.all([showCode(mailing, sent), showCode(mailing, sent)])
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 400])
    const { body } = both.find(({ status }) => status === 200) ?? assert.fail()
    assert.equal((await call(mailing.hub, `POST ${users}/auth-refresh`, {}, { token: String(body['token']) })).status, 200)
  })

  test(`${kind.name}: a one-time code works only for its id and collection, and not after five wrong attempts`, async () => {
    await using mailing = await mailingHub(kind)
    await set(mailing, otpOn)
    const [sent, other] = [await code(mailing), await code(mailing)]
    const swapped = sent.password === other.password ? 200 : 400
    assert.equal((await showCode(mailing, { otpId: other.otpId, password: sent.password })).status, swapped)
    await set(mailing, { ...otpOn, ...twoProofs }, '_superusers')
    const elsewhere = await call(mailing.hub, 'POST /api/collections/_superusers/auth-with-otp', sent)
    assert.equal(elsewhere.status, 400)
    const wrong = sent.password === '000000' ? '111111' : '000000'
    const guesses = []
    for (let made = 0; made < 5; made += 1) guesses.push((await showCode(mailing, { ...sent, password: wrong })).status)
    assert.deepEqual(guesses, [400, 400, 400, 400, 429])
    assert.equal((await showCode(mailing, sent)).status, 429)
  })

  test(`${kind.name}: a code request for an unknown address gets the same response, and nothing is stored or sent`, async () => {
    await using mailing = await mailingHub(kind)
    const { hub, smtp } = mailing
    await set(mailing, otpOn)
    const { status, body } = await call(hub, `POST ${users}/request-otp`, { email: 'nobody@example.com' })
    assert.equal(status, 200)
    assert.match(String(body['otpId']), /^[a-z0-9]{15}$/)
    await hub.accounts.delivery.settled()
    assert.equal(smtp.arrived.length, 0)
    assert.equal((await hub.engine.store.loadWhere('_otps', {})).length, 0)
  })

  test(`${kind.name}: two-factor sign-in takes the password first and the code second, with mfaId in the query or the body`, async () => {
    await using mailing = await mailingHub(kind)
    assert.equal((await set(mailing, twoProofs)).status, 200)
    for (const place of ['query', 'body'] as const) {
      const first = await signIn(mailing)
      assert.deepEqual([first.status, Object.keys(first.body)], [401, ['mfaId']])
      const mfaId = String(first.body['mfaId'])
      const sent = await code(mailing)
      const again = await signIn(mailing, mfaId)
      assert.deepEqual([again.status, again.body['message']], [400, 'A different authentication method is required.'])
      const second = place === 'query' ? await showCode(mailing, sent, `?mfaId=${mfaId}`) : await showCode(mailing, { ...sent, mfaId })
      assert.equal(second.status, 200)
      const replayed = await showCode(mailing, { ...(await code(mailing)), mfaId })
      assert.deepEqual([replayed.status, replayed.body['message']], [400, 'Invalid or expired MFA session.'])
    }
  })

  test(`${kind.name}: the mfaId of a user is invalid for other users, and after a change of password`, async () => {
    await using mailing = await mailingHub(kind)
    const { hub } = mailing
    await set(mailing, twoProofs)
    const bob = String((await hub.engine.store.load('users', dataset.aliases['bob'] ?? ''))?.['email'])
    const mfaId = String((await signIn(mailing, undefined, bob)).body['mfaId'])
    const foreign = await showCode(mailing, { ...(await code(mailing)), mfaId })
    assert.deepEqual([foreign.status, foreign.body['message']], [400, 'Invalid MFA session.'])
    const bobs = await code(mailing, bob)
    const token = await hub.tokenOf('super')
    const better = { password: 'a better one', passwordConfirm: 'a better one' }
    await call(hub, `PATCH ${users}/records/${dataset.aliases['bob'] ?? ''}`, better, { token })
    assert.equal((await showCode(mailing, { ...bobs, mfaId })).status, 400)
  })

  test(`${kind.name}: two-factor rules for admins apply at every sign-in route`, async () => {
    await using mailing = await mailingHub(kind)
    const { email } = dataset.superuser
    await set(mailing, twoProofs, '_superusers')
    for (const collection of ['users', '_superusers']) assert.equal((await signIn(mailing, undefined, email, collection)).status, 401)
    assert.equal((await signIn(mailing)).status, 200)
    assert.equal((await showCode(mailing, await code(mailing))).status, 403, 'a code alone is not a way in for others')
    const old = await call(mailing.hub, 'POST /api/admins/auth-with-password', { identity: email, password: dataset.superuser.password })
    assert.equal(old.status, 401)
    const first = await signIn(mailing, undefined, email)
    const second = await showCode(mailing, { ...(await code(mailing, email)), mfaId: first.body['mfaId'] })
    assert.equal(second.status, 200)
  })

  test(`${kind.name}: with two proofs for users only, an admin gets a code at the door of admins`, async () => {
    await using mailing = await mailingHub(kind)
    await set(mailing, twoProofs)
    const { email } = dataset.superuser
    const { body: first } = await signIn(mailing, undefined, email, '_superusers')
    const admins = '/api/collections/_superusers'
    const { status, body } = await call(mailing.hub, `POST ${admins}/request-otp`, { email })
    assert.equal(status, 200)
    const password = /^ {4}(\d{6})$/m.exec((await mailing.smtp.next()).mail.text ?? '')?.[1] ?? ''
    const sent = { otpId: body['otpId'], password, mfaId: first['mfaId'] }
    assert.equal((await call(mailing.hub, `POST ${admins}/auth-with-otp`, sent)).status, 200)
  })

  test(`${kind.name}: changes of the ways to sign in at the same time are all stored`, async () => {
    await using mailing = await mailingHub(kind)
    const token = await mailing.hub.tokenOf('super')
    const bodies = [
      { otp: { duration: 300 } },
      { otp: { length: 8 } },
      { mfa: { duration: 900 } },
      { authAlert: { enabled: false } },
      { oauth2: { createUsers: true } },
      { oauth2: { enabled: true } },
    ]
    const sent = await Promise.all(bodies.map((body) => call(mailing.hub, 'PATCH /api/collections/users', body, { token })))
    assert.deepEqual(new Set(sent.map(({ status }) => status)), new Set([200]))
    const { otp, mfa, authAlert, oauth2 } = (await call(mailing.hub, 'GET /api/collections/users', undefined, { token })).body
    assert.deepEqual([otp, authAlert], [{ enabled: false, duration: 300, length: 8 }, { enabled: false }])
    assert.deepEqual(
      [mfa, oauth2],
      [
        { enabled: false, duration: 900, rule: '' },
        { enabled: true, createUsers: true, providers: [] },
      ],
    )
  })

  test(`${kind.name}: a sign-in from a new place sends an email, but the first sign-in and a known place do not`, async () => {
    await using mailing = await mailingHub(kind)
    const { hub, smtp } = mailing
    const from = (address: string, browser: string) =>
      call(hub, `POST ${users}/auth-with-password`, { identity: alice, password: dataset.password }, { from: address, browser })
    for (const _ of [1, 2]) assert.equal((await from('192.0.2.1', 'Firefox')).status, 200)
    await hub.accounts.delivery.settled()
    assert.equal(smtp.arrived.length, 0)
    assert.equal((await from('198.51.100.7', 'Chrome <b>')).status, 200)
    const { to, mail } = await smtp.next()
    assert.deepEqual(to, [alice])
    assert.match(mail.text ?? '', /198\.51\.100\.7/)
    assert.match(mail.text ?? '', /Chrome <b>/)
    for (let at = 1; at <= 9; at += 1) await from(`203.0.113.${at}`, 'x')
    const kept = await hub.engine.store.loadWhere('_authOrigins', { recordRef: dataset.aliases['alice'] ?? '' })
    assert.equal(kept.length, 5)
  })

  test(`${kind.name}: deleting an account deletes its codes and mfaIds`, async () => {
    await using mailing = await mailingHub(kind)
    const { hub } = mailing
    await set(mailing, twoProofs)
    const token = await hub.tokenOf('super')
    const email = 'zoe@example.com'
    const { password } = dataset
    const made = await call(hub, `POST ${users}/records`, { email, verified: true, password, passwordConfirm: password }, { token })
    const recordRef = String(made.body['id'])
    const { body } = await signIn(mailing, undefined, email)
    await showCode(mailing, { ...(await code(mailing, email)), mfaId: body['mfaId'] })
    await signIn(mailing, undefined, email)
    await code(mailing, email)
    const traces = async () =>
      Promise.all(['_mfas', '_otps', '_authOrigins'].map((name) => hub.engine.store.loadWhere(name, { recordRef })))
    assert.deepEqual(
      (await traces()).map(({ length }) => length),
      [1, 1, 1],
    )
    assert.equal((await call(hub, `DELETE ${users}/records/${recordRef}`, {}, { token })).status, 204)
    assert.deepEqual(
      (await traces()).map(({ length }) => length),
      [0, 0, 0],
    )
  })
}

test('two-factor sign-in cannot be enabled if no second factor is possible', async () => {
  const [kind = assert.fail()] = databases
  await using hub = await recordedHub(kind)
  const token = await hub.tokenOf('super')
  const patch = (body: object) => call(hub, 'PATCH /api/collections/users', body, { token })
  for (const body of [{ mfa: { enabled: true } }, twoProofs, { passwordAuth: { enabled: false } }, { otp: { length: 2 } }])
    assert.equal((await patch(body)).status, 400, JSON.stringify(body))
  assert.equal((await patch({ fields: [] })).status, 400)
  await using mailing = await mailingHub(kind)
  await set(mailing, twoProofs)
  const off = await call(mailing.hub, 'PATCH /api/settings', { smtp: { enabled: false } }, { token: await mailing.hub.tokenOf('super') })
  assert.equal(off.status, 400)
  assert.ok(codeOf({ data: (off.body['data'] as { readonly smtp: object }).smtp }, 'enabled')) // errors by group
})
