import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Registration } from '../../src/accounts/second-factors/passkeys.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { joinHubs, type Membership } from '../../src/platform/cluster/membership.ts'
import { thisProgram, type Program } from '../../src/platform/db/migrations/all-migrations.ts'
import { loadSchema } from '../../src/platform/db/schema-support.ts'
import { databases, silentLog } from '../databases.ts'
import { call } from '../mailing-hub.ts'
import { dataset, recordedHub, type RecordedHub } from '../recorded-hub.ts'
import { codeOfStep, passwordToken, stepAt, turnOn } from '../second-factor-scene.ts'
import { softAuthenticator, type SoftAuthenticator } from '../soft-authenticator.ts'

const alice = 'alice@example.com'
const aliceId = dataset.aliases['alice'] ?? ''
const party = { id: 'hub.example.com', origin: 'https://hub.example.com' }
const REFUSAL = /The hub "older" of version 0\.0\.9 uses this database and knows no second factors/

/** The last version without second factors. */
const older: Program = { ...thisProgram, version: '0.0.9', migrations: thisProgram.migrations.slice(0, 25) }

const join = ({ engine: { database } }: RecordedHub, renewEveryMs = 20): Promise<Membership> =>
  joinHubs({ database, log: silentLog, clock: systemClock, name: 'older', shares: true, program: older, renewEveryMs })
const oldestOf = async ({ engine: { database } }: RecordedHub) => (await loadSchema(database.kysely, database.name)).support?.oldest.schema

for (const kind of databases)
  test(`${kind.name}: a second factor that is on keeps hubs out that do not know it`, async () => {
    await using hub = await recordedHub(kind)
    await turnOn(hub, await passwordToken(hub, alice))
    assert.equal(await oldestOf(hub), 26)
    if (kind.name === 'postgres') await assert.rejects(join(hub), /versions 0\.1\.0 to 0\.1\.0 may run together, so start one of them/)
  })

const postgres = databases.find(({ name }) => name === 'postgres') ?? assert.fail()

test('nobody turns a second factor on while a hub runs that does not know it', async () => {
  await using hub = await recordedHub(postgres)
  const { passkeys } = hub.accounts
  const token = await passwordToken(hub, alice)
  const app = (path = '', sent: object = {}) => call(hub, `POST /api/account/authenticator-app${path}`, sent, { token })
  const begun = await app('', { password: dataset.password })
  const code = codeOfStep(String(begun.body['secret']), stepAt(Date.now()))
  const options = () => passkeys.beginRegistration(party, { account: aliceId, email: alice, hubName: 'Hub' })
  // Both have the form of the standard.
  const created = softAuthenticator(party.origin).create((await options()) as Parameters<SoftAuthenticator['create']>[0])
  const registration = { account: aliceId, name: 'Key', response: created as Registration['response'] }
  {
    await using running = await join(hub)
    const admin = await hub.tokenOf('super')
    const required = await call(hub, 'PATCH /api/collections/users', { secondFactor: { required: true } }, { token: admin })
    for (const { status, body } of [required, await app('', { password: dataset.password }), await app('/confirm', { code })]) {
      assert.equal(status, 400)
      assert.match(String(body['message']), REFUSAL)
    }
    await assert.rejects(options, REFUSAL)
    await assert.rejects(
      passkeys.register(party, registration, async () => {}),
      REFUSAL,
    )
    assert.deepEqual(await passkeys.list(aliceId), [])
    assert.equal((await hub.accounts.apps.stateOf(aliceId)).isOn, false)
    assert.equal(await oldestOf(hub), 18)
    await running.renew()
    assert.equal(running.living().length, 1)
  }
  assert.equal((await app('/confirm', { code })).status, 200)
  assert.equal((await passkeys.register(party, registration, async () => {})).name, 'Key')
})

test('a hub without second factors that was frozen while one was turned on ends when it resumes', async () => {
  await using hub = await recordedHub(postgres)
  await using frozen = await join(hub, 3_600_000)
  await hub.engine.database.kysely.updateTable('hubs').set({ seen_at: 0 }).execute()
  await turnOn(hub, await passwordToken(hub, alice))
  await frozen.renew()
  assert.match((await frozen.replaced).message, /versions 0\.1\.0 to 0\.1\.0 may run together/)
})
