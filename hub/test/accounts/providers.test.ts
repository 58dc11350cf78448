import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases, type TestDatabaseKind } from '../databases.ts'
import { call, codeOf, type JsonBody } from '../mailing-hub.ts'
import { CLIENT, testOidc, type Person, type TestOidc } from '../oidc-server.ts'
import { dataset, recordedHub, type RecordedHub } from '../recorded-hub.ts'

const users = '/api/collections/users'
const REDIRECT = 'https://hub.example.com/api/oauth2-redirect'

const people = {
  alice: { email: 'alice@example.com', email_verified: true, name: 'Alice of there' },
  liar: { email: 'alice@example.com', email_verified: false },
  una: { email: 'una+tag@sub.example.net', email_verified: true },
  new: { email: 'new@example.com', email_verified: true, name: 'New' },
  silent: {},
} as const satisfies Readonly<Record<string, Person>>

type Scene = { readonly hub: RecordedHub; readonly oidc: TestOidc } & AsyncDisposable

async function scene(kind: TestDatabaseKind, more: object = {}): Promise<Scene> {
  const hub = await recordedHub(kind)
  const oidc = await testOidc(people, REDIRECT)
  const oauth2 = { enabled: true, providers: [{ name: 'oidc', displayName: 'Tower', issuer: oidc.issuer, ...CLIENT }], ...more }
  const { status, body } = await call(hub, `PATCH ${users}`, { oauth2 }, { token: await hub.tokenOf('super') })
  assert.equal(status, 200)
  assert.doesNotMatch(JSON.stringify(body), /a secret of the hub/)
  return {
    hub,
    oidc,
    async [Symbol.asyncDispose]() {
      await oidc[Symbol.asyncDispose]()
      await hub[Symbol.asyncDispose]()
    },
  }
}

type Offered = {
  readonly name: string
  readonly authURL: string
  readonly authUrl: string
  readonly codeVerifier: string
  readonly state: string
}

async function offered({ hub }: Scene): Promise<readonly Offered[]> {
  const { body } = await call(hub, `GET ${users}/auth-methods`)
  return (body['oauth2'] as { readonly providers: readonly Offered[] }).providers // the response of the route
}

/** Signs in like a client: redirect to the provider, its response, and the final request. */
async function codeFor(
  one: Scene,
  person: keyof typeof people,
): Promise<{ provider: string; code: string; codeVerifier: string; redirectURL: string }> {
  const [provider = assert.fail()] = await offered(one)
  const back = await one.oidc.visit(provider.authURL + encodeURIComponent(REDIRECT), person)
  assert.equal(back.searchParams.get('state'), provider.state)
  return { provider: 'oidc', code: back.searchParams.get('code') ?? '', codeVerifier: provider.codeVerifier, redirectURL: REDIRECT }
}

const enter = async ({ hub }: Scene, sent: object, token = '') => call(hub, `POST ${users}/auth-with-oauth2`, sent, { token })

const idIn = ({ body }: { readonly body: JsonBody }): unknown => (body['record'] as { readonly id?: string } | undefined)?.id

for (const kind of databases) {
  test(`${kind.name}: an admin tests a provider and learns whether it is reachable and accepts this hub`, async () => {
    await using one = await scene(kind)
    const token = await one.hub.tokenOf('super')
    const asked = async (name = 'oidc', redirectURL = REDIRECT) => {
      const { status, body } = await call(one.hub, `POST /api/vedette/providers/${name}/test`, { redirectURL }, { token })
      return [status, body['verdict'] ?? body['message'], body['said']]
    }
    assert.deepEqual((await asked()).slice(0, 2), [200, 'accepted'])
    assert.equal((await asked('oidc', ''))[0], 400)
    assert.equal((await asked('google'))[0], 404)
    const change = (more: object) => {
      const providers = [{ name: 'oidc', issuer: one.oidc.issuer, ...CLIENT, ...more }]
      return call(one.hub, `PATCH ${users}`, { oauth2: { providers } }, { token })
    }
    assert.equal((await change({ clientSecret: 'another one' })).status, 200)
    assert.deepEqual((await asked()).slice(0, 2), [200, 'refused'])
    assert.match(String((await asked())[2]), /^invalid_client: /)
    assert.equal((await change({ issuer: 'http://127.0.0.1:1' })).status, 200)
    assert.deepEqual(await asked(), [
      400,
      `Failed to test the provider. Raw error: \nCannot finish the discovery step: Cannot ask "127.0.0.1": ECONNREFUSED`,
      undefined,
    ])
  })

  test(`${kind.name}: a user whose address the provider verified signs in to their account, which stays linked`, async () => {
    await using one = await scene(kind)
    const first = await enter(one, await codeFor(one, 'alice'))
    assert.deepEqual([first.status, idIn(first)], [200, dataset.aliases['alice']])
    const meta = first.body['meta'] as JsonBody // the response of the route
    assert.deepEqual([meta['email'], meta['isNew'], meta['name']], ['alice@example.com', false, 'Alice of there'])
    const token = String(first.body['token'])
    await call(
      one.hub,
      `PATCH ${users}/records/${dataset.aliases['alice'] ?? ''}`,
      { email: 'moved@example.com' },
      { token: await one.hub.tokenOf('super') },
    )
    assert.equal((await enter(one, await codeFor(one, 'alice'))).status, 200)
    const links = await call(
      one.hub,
      `GET ${users}/records/${dataset.aliases['alice'] ?? ''}/external-auths`,
      {},
      { token: await one.hub.tokenOf('super') },
    )
    assert.equal((links.body as unknown as readonly JsonBody[])[0]?.['providerId'], 'alice') // a list
    assert.equal((await call(one.hub, `POST ${users}/auth-refresh`, {}, { token })).status, 401)
  })

  test(`${kind.name}: a sign-in with an unverified address or without an address is refused`, async () => {
    await using one = await scene(kind, { createUsers: true })
    for (const person of ['liar', 'silent'] as const) {
      const { status, body } = await enter(one, await codeFor(one, person))
      assert.deepEqual([status, body['message']], [400, 'Failed to authenticate.'])
    }
    assert.deepEqual(await one.hub.engine.store.loadWhere('_externalAuths', {}), [])
  })

  test(`${kind.name}: an unknown user gets an account only if the hub creates users`, async () => {
    await using closed = await scene(kind)
    assert.equal((await enter(closed, await codeFor(closed, 'new'))).status, 400)
    await using one = await scene(kind, { createUsers: true })
    const sent = { ...(await codeFor(one, 'new')), createData: { role: 'admin', verified: true } }
    const entered = await enter(one, sent)
    const record = entered.body['record'] as JsonBody // the response of the route
    assert.deepEqual([entered.status, record['email'], record['role'], record['name']], [200, 'new@example.com', 'user', 'New'])
    assert.equal((entered.body['meta'] as JsonBody)['isNew'], true) // the response of the route
  })

  test(`${kind.name}: a provider sign-in takes over an account with an unverified address and ends its earlier access`, async () => {
    await using one = await scene(kind)
    const una = dataset.aliases['una'] ?? 'usruna000000001'
    const before = await one.hub.tokenOf('una')
    const entered = await enter(one, await codeFor(one, 'una'))
    assert.deepEqual([entered.status, idIn(entered)], [200, una])
    if (before !== '') assert.equal((await call(one.hub, `POST ${users}/auth-refresh`, {}, { token: before })).status, 401)
    const sent = { identity: people.una.email, password: dataset.password }
    assert.equal((await call(one.hub, `POST ${users}/auth-with-password`, sent)).status, 400)
  })

  test(`${kind.name}: a signed-in user links a provider to their own account`, async () => {
    await using one = await scene(kind)
    const token = await one.hub.tokenOf('bob')
    const { body } = await call(one.hub, `POST ${users}/auth-with-password`, {
      identity: 'bob.builder@example.org',
      password: dataset.password,
    })
    const linked = await enter(one, await codeFor(one, 'silent'), String(body['token']))
    assert.deepEqual([linked.status, idIn(linked)], [200, dataset.aliases['bob']])
    assert.equal(idIn(await enter(one, await codeFor(one, 'silent'))), dataset.aliases['bob'])
    const bobs = `${users}/records/${dataset.aliases['bob'] ?? ''}/external-auths/oidc`
    assert.equal((await call(one.hub, `DELETE ${bobs}`, {}, { token })).status, 204)
    assert.equal((await enter(one, await codeFor(one, 'silent'))).status, 400)
  })
}

const [kind = assert.fail()] = databases

test('a used code, a wrong verifier and a wrong redirect address do not sign in', async () => {
  await using one = await scene(kind)
  const sent = await codeFor(one, 'alice')
  const refused = async (body: object) => {
    const { status, body: told } = await enter(one, body)
    return [status, told['message']]
  }
  const failed = [400, 'Failed to fetch OAuth2 token.']
  assert.deepEqual(await refused({ ...(await codeFor(one, 'alice')), codeVerifier: 'x'.repeat(43) }), failed)
  assert.deepEqual(await refused({ ...sent, redirectURL: 'https://elsewhere.example.com/' }), failed)
  const good = await codeFor(one, 'alice')
  assert.equal((await enter(one, good)).status, 200)
  assert.deepEqual(await refused(good), failed)
})

test('an ID token that is signed with an unpublished key does not sign in', async () => {
  await using one = await scene(kind)
  one.oidc.showOtherKeys()
  const { status, body } = await enter(one, await codeFor(one, 'alice'))
  assert.deepEqual([status, body['message']], [400, 'Failed to fetch OAuth2 token.'])
  assert.deepEqual(await one.hub.engine.store.loadWhere('_externalAuths', {}), [])
})

test('a hub with a wrong clock accepts no sign-in of a provider', async () => {
  await using one = await scene(kind)
  const { askProvider } = one.hub.accounts
  const { askProvider: askAt } = await import('../../src/accounts/providers/ask-provider.ts')
  const [provider = assert.fail()] = (await one.hub.accounts.providers.load()).providers
  for (const [offByMs, isGood] of [
    [0, true],
    [-30_000, true],
    [2 * 3_600_000, false],
  ] as const) {
    const { code, codeVerifier, redirectURL } = await codeFor(one, 'alice')
    const asked = askAt({ now: () => Date.now() + offByMs }).profile(provider, { code, codeVerifier, redirectUrl: redirectURL })
    if (isGood) assert.equal((await asked).id, 'alice')
    else await assert.rejects(asked)
  }
  await assert.rejects(
    askProvider.profile({ ...provider, issuer: 'http://127.0.0.1:1' }, { code: 'x', codeVerifier: '', redirectUrl: REDIRECT }),
  )
})

test('an unreachable provider is not offered at sign-in, but all others are', async () => {
  await using one = await scene(kind)
  const token = await one.hub.tokenOf('super')
  const providers = [
    { name: 'oidc', issuer: one.oidc.issuer, ...CLIENT },
    { name: 'oidc2', issuer: 'http://127.0.0.1:1', ...CLIENT },
    { name: 'github', ...CLIENT },
  ]
  await call(one.hub, `PATCH ${users}`, { oauth2: { providers } }, { token })
  const shown = await offered(one)
  assert.deepEqual(
    shown.map(({ name }) => name),
    ['oidc', 'github'],
  )
  for (const { authURL, authUrl } of shown) {
    assert.equal(authURL, authUrl)
    assert.match(authURL, /code_challenge_method=S256&redirect_uri=$/)
  }
})

test('invalid providers are refused with an error for their field', async () => {
  await using hub = await recordedHub(kind)
  const token = await hub.tokenOf('super')
  const whole = { name: 'oidc', issuer: 'https://id.example.com', ...CLIENT }
  for (const [wrong, field] of [
    [{ ...whole, name: 'nobody' }, 'name'],
    [{ ...whole, clientId: '' }, 'clientId'],
    [{ ...whole, clientSecret: '' }, 'clientSecret'],
    [{ ...whole, issuer: 'http://id.example.com' }, 'issuer'],
    [{ ...whole, issuer: 'id' }, 'issuer'],
  ] as const) {
    const { status, body } = await call(hub, `PATCH ${users}`, { oauth2: { providers: [wrong] } }, { token })
    const { providers } = (body['data'] as { readonly oauth2: { readonly providers: { readonly 0: JsonBody } } }).oauth2 // errors by path
    assert.equal(status, 400)
    assert.deepEqual(Object.keys(providers[0]), [field])
  }
  assert.equal((await call(hub, 'PATCH /api/collections/_superusers', { oauth2: { enabled: true } }, { token })).status, 400)
  const off = await call(hub, `POST ${users}/auth-with-oauth2`, { provider: 'oidc', code: 'x', redirectURL: REDIRECT })
  assert.equal(off.status, 403)
  await call(hub, `PATCH ${users}`, { oauth2: { enabled: true, providers: [whole] } }, { token })
  const unknown = await call(hub, `POST ${users}/auth-with-oauth2`, { provider: 'nobody', code: '', redirectURL: '' })
  assert.deepEqual(
    ['provider', 'code', 'redirectURL'].map((name) => codeOf(unknown.body, name)),
    ['validation_invalid_provider', 'validation_required', 'validation_required'],
  )
})

test('the response of a provider is sent once, to the event stream that requested it', async () => {
  await using hub = await recordedHub(kind)
  const streams = await Promise.all(
    [1, 2].map(async () => {
      const reader = (await hub.app.request('/api/realtime')).body?.getReader() ?? assert.fail()
      const text = async () => new TextDecoder().decode((await reader.read()).value)
      const clientId = /^id:(.+)$/m.exec(await text())?.[1] ?? ''
      await call(hub, 'POST /api/realtime', { clientId, subscriptions: ['@oauth2'] })
      return { clientId, text, stop: () => reader.cancel() }
    }),
  )
  const [mine = assert.fail(), other = assert.fail()] = streams
  const back = async (query: string) => (await hub.app.request(`/api/oauth2-redirect?${query}`)).headers.get('location')
  const asked = `state=${mine.clientId}&code=the-code`
  assert.equal(await back(asked), '../_/#/auth/oauth2-redirect-success')
  assert.match(await mine.text(), /event:@oauth2\ndata:{"state":"[^"]+","code":"the-code"}/)
  assert.equal(await back(asked), '../_/#/auth/oauth2-redirect-failure')
  assert.equal(await back('state=made-up&code=x'), '../_/#/auth/oauth2-redirect-failure')
  assert.equal(await back(`state=${other.clientId}&error=access_denied`), '../_/#/auth/oauth2-redirect-failure')
  assert.match(await other.text(), /"error":"access_denied"/)
  for (const { stop } of streams) await stop()
})
