import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { claimedValues } from '../../src/accounts/groups/claimed-groups.ts'
import { textOf } from '../../src/records/model/stored-record.ts'
import { databases, type TestDatabaseKind } from '../databases.ts'
import { call, codeOf, type JsonBody } from '../mailing-hub.ts'
import { CLIENT, testOidc, type Person } from '../oidc-server.ts'
import { dataset, recordedHub } from '../recorded-hub.ts'

const users = '/api/collections/users'
const REDIRECT = 'https://hub.example.com/api/oauth2-redirect'
const ALICE = dataset.aliases['alice'] ?? ''
const bossEmail = dataset.superuser.email

/** A hub with a provider of which the test sets the claims of each person. */
async function scene(kind: TestDatabaseKind, inIdToken = false) {
  const stack = new AsyncDisposableStack()
  const hub = stack.use(await recordedHub(kind))
  const people: Record<string, Person> = {}
  const oidc = stack.use(await testOidc(people, REDIRECT, inIdToken))
  const token = await hub.tokenOf('super')
  const setProvider = (more: object = {}) => {
    const providers = [{ name: 'oidc', issuer: oidc.issuer, ...CLIENT, ...more }]
    return call(hub, `PATCH ${users}`, { oauth2: { enabled: true, createUsers: true, providers } }, { token })
  }
  assert.equal((await setProvider()).status, 200)
  const { store } = hub.engine

  /** Signs a person in, whose claims are these. Returns the status and the account in the response. */
  async function enter(email: string, claims: Readonly<Record<string, Json>>) {
    people[email] = { email, email_verified: true, ...claims }
    const { body } = await call(hub, `GET ${users}/auth-methods`)
    const [offered = assert.fail()] = (body['oauth2'] as { providers: { authURL: string; codeVerifier: string }[] }).providers // of the route
    const back = await oidc.visit(offered.authURL + encodeURIComponent(REDIRECT), email)
    const sent = { provider: 'oidc', code: back.searchParams.get('code'), codeVerifier: offered.codeVerifier, redirectURL: REDIRECT }
    const response = await call(hub, `POST ${users}/auth-with-oauth2`, sent)
    assert.equal(response.status, 200)
    const { id, role } = response.body['record'] as { readonly id: string; readonly role: string } // of a session
    const account = (await store.load('users', id)) ?? assert.fail()
    return { id, role, viewTags: account['viewTags'] }
  }
  const create = async (name: string, body: object) => {
    const { status, body: record } = await call(hub, `POST /api/collections/${name}/records`, body, { token })
    assert.equal(status, 200)
    return String(record['id'])
  }
  const change = (name: string, id: string, body: object) => call(hub, `PATCH /api/collections/${name}/records/${id}`, body, { token })
  const membersOf = async (group: string) => (await store.load('groups', group))?.['claimMembers']
  return { hub, token, store, setProvider, enter, create, change, membersOf, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

for (const kind of databases) {
  test(`${kind.name}: groups and role of a person follow the claim at each sign-in`, async () => {
    await using one = await scene(kind)
    const ops = await one.create('groups', { name: 'ops', claim: '/ops', members: [ALICE] })
    const leads = await one.create('groups', { name: 'leads', claim: 'leads', role: 'admin' })
    const guests = await one.create('groups', { name: 'guests', claim: 'guests', role: 'readonly' })
    await one.create('tag_access', { tag: 'env=prod', group: ops, may: 'view' })
    await one.create('tag_access', { tag: 'lead', group: leads, may: 'change' })

    const email = 'new@example.com'
    const { id } = await one.enter(email, {})
    const enter = (groups: Json) => one.enter(email, { groups })
    assert.deepEqual(await enter(['/ops', 'leads', 'guests', 'unknown']), { id, role: 'admin', viewTags: ['env=prod', 'lead'] })
    assert.deepEqual([await one.membersOf(ops), await one.membersOf(leads)], [[id], [id]])
    assert.deepEqual(await enter(['/ops', 'guests']), { id, role: 'readonly', viewTags: ['env=prod'] })
    assert.deepEqual([await one.membersOf(leads), await one.membersOf(guests)], [[], [id]])
    assert.deepEqual(await enter('/ops'), { id, role: 'user', viewTags: ['env=prod'] }, 'a text is a list of one, and no role remains')
    assert.deepEqual(await enter(['OPS', 'ops', 'LEADS']), { id, role: 'user', viewTags: [] })

    const alice = await one.enter('alice@example.com', { groups: [] })
    assert.deepEqual([alice.id, alice.role, alice.viewTags], [ALICE, 'user', ['env=prod']], 'members that admins list stay')
    const { body } = await call(one.hub, 'GET /api/vedette/audit?perPage=100', {}, { token: one.token })
    for (const noted of ['"groups":[[],["guests","leads","ops"]]', '"role":["user","admin"]', '"role":["admin","readonly"]'])
      assert.ok(JSON.stringify(body).includes(noted), noted)
  })

  test(`${kind.name}: the only admin stays one, and roles that an admin gave stay`, async () => {
    await using one = await scene(kind)
    const guests = await one.create('groups', { name: 'guests', claim: 'guests', role: 'readonly' })
    const admins = (await one.store.loadWhere('users', { role: 'admin', verified: true })).filter(
      (one) => textOf(one, 'email') !== bossEmail,
    )
    for (const { id } of admins) assert.equal((await one.change('users', id, { role: 'user' })).status, 200)
    const boss = await one.enter(bossEmail, { groups: ['guests'] })
    assert.deepEqual([boss.role, await one.membersOf(guests)], ['admin', [boss.id]])

    const email = 'new@example.com'
    const { id } = await one.enter(email, { groups: ['guests'] })
    assert.equal((await one.change('users', id, { role: 'admin' })).status, 200)
    assert.equal((await one.enter(email, {})).role, 'admin', 'no claim gave this role')
    assert.equal((await one.enter(bossEmail, { groups: ['guests'] })).role, 'readonly', 'there is another admin now')
  })
}

const [kind = assert.fail()] = databases

test(`a malformed claim never fails a sign-in and never gives access`, async () => {
  await using one = await scene(kind)
  const ops = await one.create('groups', { name: 'ops', claim: 'ops', role: 'admin' })
  await one.create('groups', { name: 'proto', claim: '__proto__' })
  await one.create('tag_access', { tag: 'env=prod', group: ops, may: 'view' })
  const email = 'new@example.com'
  const { id } = await one.enter(email, {})
  const many = Array.from({ length: 10_000 }, (_, at) => `g${at}`)
  const plain = { id, role: 'user', viewTags: [] }
  for (const groups of [null, 7, true, { ops: 'ops' }, [['ops']], [{ name: 'ops' }], [null, 1, ''], '', 'x,ops', [...many, 'ops']]) {
    assert.deepEqual((await one.enter(email, { groups: ['ops'] })).role, 'admin')
    assert.deepEqual(await one.enter(email, { groups }), plain, JSON.stringify(groups).slice(0, 40))
  }
  assert.deepEqual(await one.enter(email, { groups: ['__proto__', 'constructor'] }), plain)
  assert.equal((await one.setProvider({ groupsClaim: '__proto__' })).status, 200)
  assert.deepEqual(await one.enter(email, { groups: ['ops'] }), plain)
  assert.deepEqual(await one.membersOf(ops), [])
})

test('the provider names the claim, which may be in the id token only', async () => {
  await using one = await scene(kind, true)
  const ops = await one.create('groups', { name: 'ops', claim: 'ops' })
  const { body } = await one.setProvider({ groupsClaim: 'teams' })
  const { providers } = body['oauth2'] as { readonly providers: readonly JsonBody[] } // of the route
  assert.equal(providers[0]?.['groupsClaim'], 'teams')
  const { id } = await one.enter('new@example.com', { groups: [], teams: ['ops'] })
  assert.deepEqual(await one.membersOf(ops), [id])
  const refused = await one.setProvider({ groupsClaim: 'x'.repeat(256) })
  assert.equal(refused.status, 400)
  assert.match(JSON.stringify(refused.body), /"groupsClaim":\{"code":"validation_max_text_constraint"/)
})

test('nobody writes members by claim, a claim maps once, and another claim of a group ends their membership', async () => {
  await using one = await scene(kind)
  const ops = await one.create('groups', { name: 'ops', claim: 'ops', claimMembers: [ALICE] })
  assert.deepEqual(await one.membersOf(ops), [])
  await one.create('tag_access', { tag: 'env=prod', group: ops, may: 'view' })
  for (const name of ['a', 'b']) await one.create('groups', { name })
  const twice = await call(one.hub, 'POST /api/collections/groups/records', { name: 'c', claim: 'ops' }, { token: one.token })
  assert.deepEqual([twice.status, codeOf(twice.body, 'claim')], [400, 'validation_not_unique'])
  const { id, viewTags } = await one.enter('new@example.com', { groups: ['ops'] })
  assert.deepEqual(viewTags, ['env=prod'])
  await one.change('groups', ops, { 'claimMembers-': [id], name: 'operations' })
  assert.deepEqual(await one.membersOf(ops), [id])
  assert.equal((await one.change('groups', ops, { claim: 'operations' })).status, 200)
  assert.deepEqual([await one.membersOf(ops), (await one.store.load('users', id))?.['viewTags']], [[], []])
})

test('claimedValues reads only texts, and at most 1,000 values', () => {
  const claims = JSON.parse('{"__proto__": ["ops"], "groups": ["a", 1, ["b"], "", "a"]}') as Record<string, Json>
  assert.deepEqual([...claimedValues(claims, 'groups').values], ['a'])
  for (const name of ['toString', 'constructor', 'missing', '']) assert.deepEqual([...claimedValues(claims, name).values], [])
  const many = Array.from({ length: 1_001 }, (_, at) => `g${at}`)
  const { values, isCut } = claimedValues({ groups: many }, 'groups')
  assert.deepEqual([values.size, isCut, values.has('g1000')], [1_000, true, false])
})
