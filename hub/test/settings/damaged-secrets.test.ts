import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { test } from 'node:test'
import { loadConfig } from '../../src/operations/configuration/stored-config.ts'
import { settingsOf } from '../../src/settings/settings.ts'
import { databases } from '../databases.ts'
import { call } from '../mailing-hub.ts'
import { recordedHub, type RecordedHub } from '../recorded-hub.ts'

const users = '/api/collections/users'
const providers = [
  { name: 'oidc', displayName: 'Tower', issuer: 'https://id.example.com', clientId: 'hub', clientSecret: 'of the tower' },
  { name: 'github', displayName: 'GitHub', issuer: 'https://github.com', clientId: 'hub', clientSecret: 'of github' },
]

/** Damages the first secret below `member` of the hub's stored state `name`, as a disk or a careless edit would. */
async function damage({ test: { database } }: RecordedHub, name: string): Promise<void> {
  await database.write(async (unit) => {
    const { rows } = await sql<{ value: string }>`select value from hub_state where name = ${name}`.execute(unit.sql)
    const value = rows[0]?.value.replace(/"v1\.[\w-]+"/, '"v1.damaged"')
    assert.notEqual(value, rows[0]?.value)
    await sql`update hub_state set value = ${value} where name = ${name}`.execute(unit.sql)
  })
}

type Offer = {
  readonly oauth2: { readonly providers: readonly { readonly name: string }[] }
  readonly password: { readonly enabled: boolean }
}

for (const kind of databases) {
  test(`${kind.name}: a damaged client secret takes away only its provider, also from the page of sign-in`, async () => {
    await using hub = await recordedHub(kind)
    const token = await hub.tokenOf('super')
    assert.equal((await call(hub, `PATCH ${users}`, { oauth2: { enabled: true, providers } }, { token })).status, 200)
    await damage(hub, 'providers')
    const { status, body } = await call(hub, `GET ${users}/auth-methods`)
    assert.equal(status, 200)
    const { oauth2, password } = body as unknown as Offer // the response of the route
    assert.deepEqual([oauth2.providers.map(({ name }) => name), password.enabled], [['github'], true])
    assert.equal((await call(hub, `GET ${users}`, {}, { token })).status, 200)
    const again = { oauth2: { enabled: true, providers: providers.map((one) => ({ ...one, clientSecret: '' })) } }
    const refused = await call(hub, `PATCH ${users}`, again, { token })
    assert.match(JSON.stringify([refused.status, refused.body['data']]), /^\[400,\{"oauth2":\{"providers":\{"0":\{"clientSecret":/)
    assert.equal((await call(hub, `PATCH ${users}`, { oauth2: { enabled: true, providers } }, { token })).status, 200)
    assert.equal((await call(hub, `POST ${users}/auth-with-oauth2`, { provider: 'oidc', code: 'c', codeVerifier: 'v' })).status, 400)
  })

  test(`${kind.name}: the only provider with a damaged client secret does not count as a way to sign in`, async () => {
    await using hub = await recordedHub(kind)
    const token = await hub.tokenOf('super')
    const oauth2 = { enabled: true, providers: providers.slice(1) }
    assert.equal((await call(hub, `PATCH ${users}`, { oauth2 }, { token })).status, 200)
    await damage(hub, 'providers')
    assert.equal((await call(hub, `PATCH ${users}`, { passwordAuth: { enabled: false } }, { token })).status, 400)
  })

  test(`${kind.name}: a damaged password of the mail server leaves the other settings readable, also at the start and for an export`, async () => {
    await using hub = await recordedHub(kind)
    const token = await hub.tokenOf('super')
    const smtp = { enabled: true, host: 'mail.example.com', port: 587, username: 'hub', password: 'of the mail server' }
    const sent = { smtp, meta: { appName: 'Tower', senderName: 'Tower', senderAddress: 'tower@example.com' } }
    assert.equal((await call(hub, 'PATCH /api/settings', sent, { token })).status, 200)
    await damage(hub, 'settings')
    const { status, body } = await call(hub, 'GET /api/settings', {}, { token })
    assert.deepEqual([status, (body['meta'] as { readonly appName: string }).appName], [200, 'Tower']) // the response of the route
    const names: string[] = []
    await settingsOf(hub.test.database, hub.engine.secrets).follow(({ meta }) => names.push(meta.appName))
    assert.deepEqual(names, ['Tower'])
    assert.equal((await loadConfig(hub.engine)).settings.meta.appName, 'Tower')
    assert.equal((await call(hub, 'PATCH /api/settings', { smtp }, { token })).status, 200)
    assert.equal((await settingsOf(hub.test.database, hub.engine.secrets).load()).smtp.password, 'of the mail server')
  })
}
