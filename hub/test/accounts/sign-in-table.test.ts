import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SecondProofNeeded } from '../../src/accounts/sessions/proofs.ts'
import { storeSignIn } from '../../src/accounts/sessions/sign-in-settings.ts'
import { databases, type TestDatabaseKind } from '../databases.ts'
import { call, mailingHub, type MailingHub } from '../mailing-hub.ts'
import { CLIENT, testOidc, type TestOidc } from '../oidc-server.ts'
import { dataset } from '../recorded-hub.ts'
import { freshCode, passwordToken, turnOn, wrongCodeOf, type OwnApp } from '../second-factor-scene.ts'

const REDIRECT = 'https://hub.example.com/api/oauth2-redirect'
const { email: boss, password } = dataset.superuser
const users = '/api/collections/users'

type Scene = MailingHub & { readonly oidc: TestOidc }
/** A state of the account: its app if it has one, and the `factors` of the response to a first step; `undefined` for a session. */
type State = { readonly app?: OwnApp; readonly factors?: readonly string[] }
type Outcome = { readonly status: number; readonly body: { readonly [field: string]: unknown } }
/** A way to sign in as the admin. `collection`: where the second step follows. */
type Way = { readonly collection: string; readonly attempt: (scene: Scene) => Promise<Outcome> }

async function sceneOf(kind: TestDatabaseKind): Promise<Scene> {
  const mailing = await mailingHub(kind)
  const oidc = await testOidc({ boss: { email: boss, email_verified: true } }, REDIRECT)
  const providers = [{ name: 'oidc', displayName: 'Tower', issuer: oidc.issuer, ...CLIENT }]
  const codes = { otp: { enabled: true, length: 6, duration: 180 }, authAlert: { enabled: false } }
  const token = await mailing.hub.tokenOf('super')
  assert.equal((await call(mailing.hub, `PATCH ${users}`, { oauth2: { enabled: true, providers }, ...codes }, { token })).status, 200)
  assert.equal((await call(mailing.hub, 'PATCH /api/collections/_superusers', codes, { token })).status, 200)
  return {
    ...mailing,
    oidc,
    async [Symbol.asyncDispose]() {
      await oidc[Symbol.asyncDispose]()
      await mailing[Symbol.asyncDispose]()
    },
  }
}

async function mailedCode({ hub, smtp }: Scene, collection: string): Promise<Outcome> {
  const { body } = await call(hub, `POST /api/collections/${collection}/request-otp`, { email: boss })
  const text = (await smtp.next()).mail.text ?? ''
  const code = /^ {4}(\d{6})$/m.exec(text)?.[1] ?? ''
  return call(hub, `POST /api/collections/${collection}/auth-with-otp`, { otpId: body['otpId'], password: code })
}

async function atProvider({ hub, oidc }: Scene): Promise<Outcome> {
  const { body } = await call(hub, `GET ${users}/auth-methods`)
  const { providers } = body['oauth2'] as { readonly providers: readonly { readonly authURL: string; readonly codeVerifier: string }[] } // of the route
  const [provider = assert.fail()] = providers
  const back = await oidc.visit(provider.authURL + encodeURIComponent(REDIRECT), 'boss')
  const { codeVerifier } = provider
  return call(hub, `POST ${users}/auth-with-oauth2`, {
    provider: 'oidc',
    code: back.searchParams.get('code'),
    codeVerifier,
    redirectURL: REDIRECT,
  })
}

/** The sign-in by a proxy's header, behind the check of the header. */
async function byHeader({ hub }: Scene): Promise<Outcome> {
  const collection = hub.engine.collections.find('users') ?? assert.fail()
  const [account = assert.fail()] = await hub.engine.store.loadWhere('users', { email: boss })
  try {
    const visitor = { address: '192.0.2.1', browser: 'test', mfaId: '' }
    const { token } = await hub.accounts.auth.complete(collection, account, 'header', visitor)
    return { status: 200, body: { token } }
  } catch (error) {
    assert.ok(error instanceof SecondProofNeeded)
    return { status: 401, body: { mfaId: error.mfaId, factors: error.factors } }
  }
}

const byPassword =
  (path: string) =>
  ({ hub }: Scene): Promise<Outcome> =>
    call(hub, `POST /api/${path}/auth-with-password`, { identity: boss, password })

const ways: Readonly<Record<string, Way>> = {
  'password of a user': { collection: 'users', attempt: byPassword('collections/users') },
  'password of an admin': { collection: '_superusers', attempt: byPassword('collections/_superusers') },
  'password in the oldest clients': { collection: '_superusers', attempt: byPassword('admins') },
  'mailed code': { collection: 'users', attempt: (scene) => mailedCode(scene, 'users') },
  'mailed code of an admin': { collection: '_superusers', attempt: (scene) => mailedCode(scene, '_superusers') },
  provider: { collection: 'users', attempt: atProvider },
  'header of a proxy': { collection: 'users', attempt: byHeader },
}

const APP = ['app', 'recovery']

const requireFactor = async ({ hub }: Scene, isRequired: boolean): Promise<void> => {
  const ways = await hub.accounts.ways.load()
  const after = { ...ways, users: { ...ways.users, secondFactor: { required: isRequired } } }
  await hub.engine.database.write((unit) => storeSignIn(unit, after))
}

/** Stores a passkey that no authenticator has; the other ways to sign in see only that it exists. */
const storePasskey = ({ hub }: Scene, account: string) =>
  hub.engine.database.write((unit) =>
    unit.sql
      .insertInto('passkeys')
      .values({ id: 'p', account, credential: 'c', publicKey: 'k', counter: 0, transports: '[]', name: 'x', created: 0, used: null })
      .execute(),
  )

/** The states of the account in the order in which the test reaches them. */
const states: Readonly<Record<string, (scene: Scene, before: State) => Promise<State>>> = {
  'no factor': async () => ({}),
  async 'an app that waits for its first code'({ hub }) {
    const token = await passwordToken(hub, boss, password)
    assert.equal((await call(hub, 'POST /api/account/authenticator-app', { password }, { token })).status, 200)
    return {}
  },
  async 'no factor, but one is required'(scene) {
    await requireFactor(scene, true)
    return { factors: ['setup'] }
  },
  async 'a passkey, and a factor is required'(scene) {
    const [{ id } = assert.fail()] = await scene.hub.engine.store.loadWhere('users', { email: boss })
    await storePasskey(scene, id)
    return { factors: ['passkey'] }
  },
  async 'a passkey, and no factor is required'(scene) {
    await requireFactor(scene, false)
    return {}
  },
  async 'an app'({ hub }) {
    await hub.engine.database.write((unit) => unit.sql.deleteFrom('passkeys').execute())
    return { app: await turnOn(hub, await passwordToken(hub, boss, password), password), factors: APP }
  },
  async 'an app, and a factor is required'(scene, before) {
    await requireFactor(scene, true)
    return before
  },
  async 'an app that was turned off'(scene, { app }) {
    await requireFactor(scene, false)
    const sent = { password, code: app?.recoveryCodes[0] }
    const path = 'POST /api/account/authenticator-app/remove'
    assert.equal((await call(scene.hub, path, sent, { token: app?.token ?? '' })).status, 204)
    return {}
  },
}

for (const kind of databases) {
  test(`${kind.name}: each way to sign in, in each state of the second factors`, async () => {
    await using scene = await sceneOf(kind)
    const { hub } = scene
    let current: State = {}
    for (const [state, prepare] of Object.entries(states)) {
      current = await prepare(scene, current)
      const { app, factors } = current
      for (const [way, { collection, attempt }] of Object.entries(ways)) {
        const name = `${way}, ${state}`
        const first = await attempt(scene)
        if (factors === undefined) {
          assert.deepEqual([first.status, typeof first.body['token']], [200, 'string'], name)
          continue
        }
        const { mfaId, ...more } = first.body
        assert.deepEqual([first.status, typeof mfaId, more], [401, 'string', { factors }], name)
        const step = (code: string) => call(hub, `POST /api/collections/${collection}/auth-with-second-factor`, { mfaId, code })
        const setup = (path: string) => call(hub, `POST /api/collections/${collection}/${path}`, { mfaId, code: '123456' })
        const closed = factors[0] === 'setup' ? [] : ['second-factor-setup', 'confirm-second-factor-setup']
        for (const path of closed) assert.equal((await setup(path)).status, 400, name)
        if (app === undefined) {
          assert.equal((await step('123456')).status, 400, name)
          continue
        }
        assert.equal((await step(wrongCodeOf(app.secret))).status, 400, name)
        const second = await step(await freshCode(hub, app))
        assert.equal(second.status, 200, name)
        const token = String(second.body['token'])
        assert.equal((await call(hub, `POST /api/collections/${collection}/auth-refresh`, {}, { token })).status, 200, name)
      }
    }
  })
}
