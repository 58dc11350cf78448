import assert from 'node:assert/strict'
import { test } from 'node:test'
import PocketBase from 'pocketbase'
import EarlierPocketBase from 'pocketbase-0-21'
import { serve } from '../../src/platform/http/server.ts'
import { databases, type TestDatabaseKind } from '../databases.ts'
import { dataset, recordedHub } from '../recorded-hub.ts'

/** Every method of the official SDK works, or is refused with the status that callers expect. */

const alice = dataset.aliases['alice'] ?? ''
const { email, password } = dataset.superuser

async function served(kind: TestDatabaseKind) {
  const stack = new AsyncDisposableStack()
  const hub = stack.use(await recordedHub(kind))
  const server = stack.adopt(await serve(hub.app, { host: '127.0.0.1', port: 0 }), ({ close }) => close())
  stack.defer(() => hub.realtime.close())
  return { address: server.address, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** The status of a refusal, or 200 for a successful response. */
async function statusOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 200,
    (error: { status?: number }) => error.status,
  )
}

type Methods<Client> = readonly (readonly [status: number, name: string, run: (client: Client) => Promise<unknown>])[]

const user = { email: 'made@example.com', password: 'long enough', passwordConfirm: 'long enough', verified: true, role: 'user' }

/** Calls as a superuser, in this order. */
const newest: Methods<PocketBase> = [
  [200, 'health.check', ({ health }) => health.check()],
  [200, 'collections.getFullList', ({ collections }) => collections.getFullList()],
  [200, 'collections.getOne', ({ collections }) => collections.getOne('systems')],
  [200, 'collections.getFirstListItem', ({ collections }) => collections.getFirstListItem('name = "alerts"')],
  [200, 'collections.getScaffolds', ({ collections }) => collections.getScaffolds()],
  [200, 'collections.getAllOAuth2Providers', (client) => client.send('/api/collections/meta/oauth2-providers', {})],
  [400, 'collections.create', ({ collections }) => collections.create({ name: 'mine' })],
  [400, 'collections.update', ({ collections }) => collections.update('systems', { name: 'mine' })],
  [400, 'collections.delete', ({ collections }) => collections.delete('systems')],
  [400, 'collections.truncate', ({ collections }) => collections.truncate('systems')],
  [400, 'collections.import', ({ collections }) => collections.import([])],
  [200, 'settings.getAll', ({ settings }) => settings.getAll()],
  [200, 'settings.update', ({ settings }) => settings.update({ meta: { appName: 'Ours' } })],
  [400, 'settings.testS3', ({ settings }) => settings.testS3('backups')],
  [400, 'settings.testEmail', ({ settings }) => settings.testEmail('users', 'a@example.com', 'verification')],
  [400, 'settings.generateAppleClientSecret', ({ settings }) => settings.generateAppleClientSecret('a', 'b', 'c', 'd', 1)],
  [200, 'logs.getList', ({ logs }) => logs.getList(1, 30, { filter: 'data.status >= 400', sort: '-created' })],
  [200, 'logs.getStats', ({ logs }) => logs.getStats({ filter: 'level > 0' })],
  [404, 'logs.getOne', ({ logs }) => logs.getOne('nope')],
  [200, 'backups.getFullList', ({ backups }) => backups.getFullList()],
  [400, 'backups.create', ({ backups }) => backups.create('A b.zip')],
  [400, 'backups.upload', ({ backups }) => backups.upload({ file: new Blob(['x']) })],
  [400, 'backups.restore', ({ backups }) => backups.restore('none.zip')],
  [400, 'backups.delete', ({ backups }) => backups.delete('none.zip')],
  [200, 'crons.getFullList', ({ crons }) => crons.getFullList()],
  [200, 'crons.run', ({ crons }) => crons.run('sessions')],
  [404, 'crons.run of none', ({ crons }) => crons.run('nope')],
  [200, 'files.getToken', ({ files }) => files.getToken()],
  [200, 'create', (client) => client.collection('users').create(user)],
  [200, 'authWithPassword', (client) => new PocketBase(client.baseURL).collection('users').authWithPassword(user.email, user.password)],
  [200, 'authRefresh', (client) => client.collection('_superusers').authRefresh()],
  [
    200,
    'impersonate',
    (client) =>
      client
        .collection('users')
        .impersonate(alice, 60)
        .then((one) => one.collection('systems').getFullList()),
  ],
  [200, 'listAuthMethods', (client) => client.collection('users').listAuthMethods()],
  [403, 'requestOTP', (client) => client.collection('users').requestOTP(user.email)],
  [403, 'authWithOTP', (client) => client.collection('users').authWithOTP('id', '123456')],
  [403, 'authWithOAuth2Code', (client) => client.collection('users').authWithOAuth2Code('google', 'code', 'verifier', 'http://x')],
  [200, 'requestPasswordReset', (client) => client.collection('users').requestPasswordReset('nobody@example.com')],
  [400, 'confirmPasswordReset', (client) => client.collection('users').confirmPasswordReset('x', 'long enough', 'long enough')],
  [200, 'requestVerification', (client) => client.collection('users').requestVerification('nobody@example.com')],
  [400, 'confirmVerification', (client) => client.collection('users').confirmVerification('x')],
  [403, 'requestEmailChange', (client) => client.collection('users').requestEmailChange('other@example.com')],
  [400, 'confirmEmailChange', (client) => client.collection('users').confirmEmailChange('x', 'long enough')],
  [200, 'listExternalAuths', (client) => client.collection('users').listExternalAuths(alice)],
  [404, 'unlinkExternalAuth', (client) => client.collection('users').unlinkExternalAuth(alice, 'google')],
  [404, 'sql', (client) => client.send('/api/sql', { method: 'POST', body: { query: 'select 1' } })],
]

/** The same calls of dashboards that are years old. */
const earlier: Methods<EarlierPocketBase> = [
  [200, 'health.check', ({ health }) => health.check()],
  [200, 'admins.authRefresh', ({ admins }) => admins.authRefresh()],
  [200, 'admins.getFullList', ({ admins }) => admins.getFullList()],
  [200, 'admins.create', ({ admins }) => admins.create({ ...user, email: 'second@example.com' })],
  [200, 'admins.requestPasswordReset', ({ admins }) => admins.requestPasswordReset('nobody@example.com')],
  [400, 'admins.confirmPasswordReset', ({ admins }) => admins.confirmPasswordReset('x', 'long enough', 'long enough')],
  [200, 'settings.getAll', ({ settings }) => settings.getAll()],
  [200, 'settings.update', ({ settings }) => settings.update({ meta: { appName: 'Ours' } })],
  [200, 'logs.getList', ({ logs }) => logs.getList()],
  [200, 'logs.getStats', ({ logs }) => logs.getStats()],
  [200, 'backups.getFullList', ({ backups }) => backups.getFullList()],
  [200, 'collections.getFullList', ({ collections }) => collections.getFullList()],
  [200, 'files.getToken', ({ files }) => files.getToken()],
  [200, 'create', (client) => client.collection('users').create(user)],
  [
    200,
    'authWithPassword',
    (client) => new EarlierPocketBase(client.baseUrl).collection('users').authWithPassword(user.email, user.password),
  ],
  [200, 'listAuthMethods', (client) => client.collection('users').listAuthMethods()],
  [200, 'requestPasswordReset', (client) => client.collection('users').requestPasswordReset('nobody@example.com')],
  [200, 'requestVerification', (client) => client.collection('users').requestVerification('nobody@example.com')],
  [200, 'listExternalAuths', (client) => client.collection('users').listExternalAuths(alice)],
  [404, 'unlinkExternalAuth', (client) => client.collection('users').unlinkExternalAuth(alice, 'google')],
]

for (const kind of databases) {
  test(`${kind.name}: SDK newest: every method gets the expected status`, async (t) => {
    await using hub = await served(kind)
    const client = new PocketBase(hub.address).autoCancellation(false)
    await client.collection('_superusers').authWithPassword(email, password)
    for (const [status, name, run] of newest) await t.test(name, async () => assert.equal(await statusOf(run(client)), status))
    assert.ok(client.authStore.isSuperuser)
  })

  test(`${kind.name}: SDK 0.21: every method gets the expected status`, async (t) => {
    await using hub = await served(kind)
    const client = new EarlierPocketBase(hub.address).autoCancellation(false)
    await client.admins.authWithPassword(email, password)
    for (const [status, name, run] of earlier) await t.test(name, async () => assert.equal(await statusOf(run(client)), status))
    assert.ok(client.authStore.isAdmin)
  })
}
