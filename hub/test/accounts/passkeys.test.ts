import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { challengesOf } from '../../src/accounts/second-factors/challenges.ts'
import { secretBox } from '../../src/platform/secrets/secret-box.ts'
import { storeSignIn } from '../../src/accounts/sessions/sign-in-settings.ts'
import { databases } from '../databases.ts'
import type { JsonBody } from '../mailing-hub.ts'
import { dataset, recordedHub, type RecordedHub } from '../recorded-hub.ts'
import { freshCode, passwordToken, turnOn } from '../second-factor-scene.ts'
import { softAuthenticator, type SoftAuthenticator } from '../soft-authenticator.ts'

const ORIGIN = 'https://hub.example.com'
const users = '/api/collections/users'
const alice = 'alice@example.com'
const { password } = dataset
const { email: boss, password: bossPassword } = dataset.superuser

/** Sends a request as a page of the hub does. */
async function call(
  hub: RecordedHub,
  path: string,
  body: object = {},
  { token = '', origin = ORIGIN, host = 'hub.example.com', method = 'POST' } = {},
) {
  const headers = { authorization: token, 'content-type': 'application/json', origin: origin, host, 'user-agent': 'test' }
  const init = { method, headers, ...(method === 'GET' ? {} : { body: JSON.stringify(body) }) }
  const response = await hub.app.fetch(new Request(`http://hub${path}`, init), { incoming: { socket: { remoteAddress: '192.0.2.1' } } })
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as JsonBody) } // the hub answers objects here
}

// The options of the routes have the form of the standard.
type Creation = Parameters<SoftAuthenticator['create']>[0]
type Challenge = Parameters<SoftAuthenticator['get']>[0]

async function creationOptions(hub: RecordedHub, token: string, proof: object = { password }): Promise<Creation> {
  const { status, body } = await call(hub, '/api/account/passkeys/options', proof, { token })
  assert.equal(status, 200)
  return body as Creation
}

async function register(hub: RecordedHub, token: string, proof?: object): Promise<SoftAuthenticator & { readonly passkey: string }> {
  const key = softAuthenticator(ORIGIN)
  const response = key.create(await creationOptions(hub, token, proof))
  const { status, body } = await call(hub, '/api/account/passkeys', { name: 'Phone', response }, { token })
  assert.equal(status, 200)
  return { ...key, passkey: String(body['id']) }
}

const challenge = async (hub: RecordedHub): Promise<Challenge> => (await call(hub, `${users}/passkey-options`)).body as Challenge
const enter = (hub: RecordedHub, response: object, collection = 'users', more = {}) =>
  call(hub, `/api/collections/${collection}/auth-with-passkey`, { response }, more)
const ownFactors = async (hub: RecordedHub, token: string) =>
  (await call(hub, '/api/account/second-factors', {}, { token, method: 'GET' })).body

for (const kind of databases) {
  test(`${kind.name}: a passkey signs in alone, each response once, and is listed, used and removed`, async () => {
    await using hub = await recordedHub(kind)
    const token = await passwordToken(hub, alice)
    const key = await register(hub, token)
    const response = key.get(await challenge(hub))
    const answers = await Promise.all([enter(hub, response), enter(hub, response)])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400])
    const session = answers.find(({ status }) => status === 200)?.body ?? assert.fail()
    assert.equal((session['record'] as { readonly id: string }).id, dataset.aliases['alice'])
    assert.equal((await enter(hub, response)).status, 400, 'a response that was used')
    assert.equal((await call(hub, `${users}/auth-refresh`, {}, { token: String(session['token']) })).status, 200)

    const { passkeys } = await ownFactors(hub, token)
    const [listed = {}, ...others] = passkeys as readonly JsonBody[] // of the route
    assert.deepEqual([listed['name'], listed['id'], others], ['Phone', key.passkey, []])
    assert.match(String(listed['used']), /^\d{4}-/)
    const remove = (body: object, by = token) => call(hub, `/api/account/passkeys/${key.passkey}/remove`, body, { token: by })
    const others2 = await passwordToken(hub, boss, bossPassword)
    assert.equal((await remove({ password: 'wrong' })).status, 400)
    assert.equal((await remove({ password: bossPassword }, others2)).status, 404, 'the passkey of another person')
    for (const by of [await hub.tokenOf('alice'), await hub.tokenOf('super')]) assert.equal((await remove({ password }, by)).status, 403)
    assert.equal((await remove({ password })).status, 204)
    assert.equal((await enter(hub, key.get(await challenge(hub)))).status, 400)
    const audit = await hub.engine.database.kysely
      .selectFrom('audit_log')
      .select(['changes'])
      .where('action', '=', 'update')
      .orderBy('no')
      .execute()
    assert.deepEqual(
      audit.map(({ changes }) => JSON.parse(changes) as unknown),
      [{ passkey: [null, 'Phone'] }, { passkey: ['Phone', null] }],
    )
  })

  test(`${kind.name}: a response of an authenticator that does not count signs in once`, async () => {
    await using hub = await recordedHub(kind)
    const token = await passwordToken(hub, alice)
    const key = softAuthenticator(ORIGIN)
    const response = key.create(await creationOptions(hub, token), { counter: 0 })
    assert.equal((await call(hub, '/api/account/passkeys', { name: 'Synced', response }, { token })).status, 200)
    for (let made = 0; made < 2; made += 1) {
      const sent = key.get(await challenge(hub), { counter: 0 })
      const answers = await Promise.all([enter(hub, sent), enter(hub, sent)])
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400])
      assert.equal((await enter(hub, sent)).status, 400)
    }
  })

  test(`${kind.name}: a response of another origin, hub, challenge, key or person, or without verification of the person, is refused`, async () => {
    await using hub = await recordedHub(kind)
    const token = await passwordToken(hub, alice)
    const key = await register(hub, token)
    const stranger = softAuthenticator(ORIGIN)
    const asStranger = stranger.get(await challenge(hub))
    const creation = await creationOptions(hub, token)
    const good = key.get(await challenge(hub))
    const refused: Readonly<Record<string, object>> = {
      origin: key.get(await challenge(hub), { origin: 'https://evil.example.com' }),
      'relying party': key.get(await challenge(hub), { rpId: 'evil.example.com' }),
      'not verified': key.get(await challenge(hub), { isUnverified: true }),
      type: key.get(await challenge(hub), { type: 'webauthn.create' }),
      'own challenge': key.get({ challenge: randomBytes(54).toString('base64url') }),
      'empty challenge': key.get({ challenge: '' }),
      'challenge of a registration': key.get(creation),
      'unknown passkey': asStranger,
      'signature of another key': { ...asStranger, id: key.id, rawId: key.id },
      'other person': key.get(await challenge(hub), { userHandle: Buffer.from('boss00000000001').toString('base64url') }),
      'changed data': {
        ...good,
        response: { ...good.response, authenticatorData: key.get(await challenge(hub)).response.authenticatorData },
      },
      'no response': {},
      texts: { ...good, response: 'x' },
    }
    for (const [name, response] of Object.entries(refused)) assert.equal((await enter(hub, response)).status, 400, name)
    assert.equal((await enter(hub, good, 'users', { origin: 'https://evil.example.com', host: 'evil.example.com' })).status, 400)
    assert.equal((await enter(hub, good)).status, 200, 'the good one was not used up')
    const [row] = await hub.engine.database.kysely.selectFrom('passkeys').select('counter').execute()
    const last = row?.counter ?? 0
    assert.ok(last > 0)
    for (const counter of [0, last - 1, last])
      assert.equal((await enter(hub, key.get(await challenge(hub), { counter }))).status, 400, `counter ${counter} after ${last}`)
    assert.equal((await enter(hub, key.get(await challenge(hub), { counter: last + 1 }))).status, 200)
  })

  test(`${kind.name}: a new passkey needs the challenge of its account, which works once`, async () => {
    await using hub = await recordedHub(kind)
    const token = await passwordToken(hub, alice)
    const add = (response: object, by = token) => call(hub, '/api/account/passkeys', { name: 'x', response }, { token: by })
    const options = await creationOptions(hub, token)
    const key = softAuthenticator(ORIGIN)
    const bossToken = await passwordToken(hub, boss, bossPassword)
    assert.equal((await add(key.create(options), bossToken)).status, 400, 'the challenge of another account')
    assert.equal((await add(key.create({ ...options, ...(await challenge(hub)) }))).status, 400, 'the challenge of a sign-in')
    assert.equal((await add(key.create(options, { isUnverified: true }))).status, 400)
    assert.equal((await add(key.create(options, { origin: 'https://evil.example.com' }))).status, 400)
    assert.equal((await add(key.create(options), await hub.tokenOf('alice'))).status, 403, 'an admin who acts as the person')
    assert.equal((await add(key.create(options))).status, 200)
    assert.equal((await add(softAuthenticator(ORIGIN).create(options))).status, 400, 'a challenge that was used')
    assert.equal((await add(key.create(await creationOptions(hub, token)))).status, 400, 'a passkey that is known')
    assert.equal((await add(key.create(await creationOptions(hub, bossToken, { password: bossPassword })), bossToken)).status, 400)
    assert.equal((await hub.engine.database.kysely.selectFrom('passkeys').selectAll().execute()).length, 1)
  })

  test(`${kind.name}: with an authenticator app, adding and removing a passkey need a code, and signing in with it does not`, async () => {
    await using hub = await recordedHub(kind)
    const app = await turnOn(hub, await passwordToken(hub, alice))
    const { token } = app
    const options = (proof: object) => call(hub, '/api/account/passkeys/options', proof, { token })
    assert.equal((await options({ password })).status, 400)
    assert.equal((await options({})).status, 400)
    const key = await register(hub, token, { password, code: await freshCode(hub, app) })
    const ways = await hub.accounts.ways.load()
    const both = { otp: { enabled: true, duration: 180, length: 6 }, mfa: { enabled: true, duration: 600 } }
    await hub.engine.database.write((unit) => storeSignIn(unit, { ...ways, users: { ...ways.users, ...both } }))
    assert.equal((await enter(hub, key.get(await challenge(hub)))).status, 200)
    assert.equal((await enter(hub, key.get(await challenge(hub)), '_superusers')).status, 400, 'a user who is no admin')
    const remove = (body: object) => call(hub, `/api/account/passkeys/${key.passkey}/remove`, body, { token })
    assert.equal((await remove({ password })).status, 400)
    assert.equal((await remove({ password, code: await freshCode(hub, app) })).status, 204)
  })

  test(`${kind.name}: passkeys of an admin sign in to both collections, of an unverified account to none, and end with the account`, async () => {
    await using hub = await recordedHub(kind)
    const key = await register(hub, await passwordToken(hub, boss, bossPassword), { password: bossPassword })
    for (const collection of ['users', '_superusers'])
      assert.equal((await enter(hub, key.get(await challenge(hub)), collection)).status, 200)
    const alices = await register(hub, await passwordToken(hub, alice))
    const aliceId = dataset.aliases['alice'] ?? ''
    await hub.engine.database.write((unit) => hub.engine.store.update(unit, 'users', aliceId, { verified: false }))
    assert.equal((await enter(hub, alices.get(await challenge(hub)))).status, 403)
    assert.equal((await call(hub, `${users}/records/${aliceId}`, {}, { method: 'DELETE', token: await hub.tokenOf('super') })).status, 204)
    assert.equal((await enter(hub, alices.get(await challenge(hub)))).status, 400)
    assert.equal((await hub.engine.database.kysely.selectFrom('passkeys').selectAll().execute()).length, 1)
  })
}

test('passkeys are offered only on pages of the hub with a host name and HTTPS', async () => {
  const [kind = assert.fail()] = databases
  await using hub = await recordedHub(kind)
  const asked = async (origin: string, host: string) => {
    const { status, body } = await call(hub, `${users}/passkey-options`, {}, { origin, host })
    return status === 200 ? body['rpId'] : body['message']
  }
  assert.equal(await asked('https://hub.example.com:8443', 'hub.example.com:8443'), 'hub.example.com')
  assert.equal(await asked('http://localhost:8090', 'localhost:8090'), 'localhost')
  assert.equal(await asked('http://hub.example.com', 'hub.example.com'), 'Passkeys need HTTPS.')
  for (const host of ['192.0.2.1:8090', '[2001:db8::1]'])
    assert.equal(await asked(`https://${host}`, host), 'Passkeys need a host name. Open the hub by its name, not by its IP address.')
  assert.equal(await asked('https://evil.example.com', 'hub.example.com'), 'Passkeys work only on pages of this hub.')
  for (const origin of ['', 'null', 'x']) assert.equal(await asked(origin, 'hub.example.com'), 'Passkeys need a browser.')
})

test('challengesOf: a challenge is valid for its purpose and key for 5 minutes', () => {
  let nowMs = 1_800_000_000_000
  const clock = { now: () => nowMs }
  const secrets = secretBox(randomBytes(32))
  const { create, isGood } = challengesOf({ secrets, clock })
  const text = create('sign in').toString('base64url')
  assert.ok(isGood('sign in', text) && challengesOf({ secrets, clock }).isGood('sign in', text))
  assert.ok(!isGood('register x', text) && !challengesOf({ secrets: secretBox(randomBytes(32)), clock }).isGood('sign in', text))
  for (const other of [`${text}=`, `${text}A`, text.slice(0, -1), `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`, `${text} `, ''])
    assert.ok(!isGood('sign in', other), other)
  nowMs += 300_000
  assert.ok(isGood('sign in', text))
  nowMs += 1
  assert.ok(!isGood('sign in', text))
})
