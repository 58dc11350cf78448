import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSessions } from '../../src/accounts/sessions/sessions.ts'
import { databases } from '../databases.ts'
import { call, type JsonBody } from '../mailing-hub.ts'
import { dataset, recordedHub, type RecordedHub } from '../recorded-hub.ts'

const users = '/api/collections/users'

type ListedSession = {
  readonly id: string
  readonly browser: string
  readonly address: string
  readonly current: boolean
  readonly by: string
}

async function signIn(hub: RecordedHub, browser: string, from = '192.0.2.1'): Promise<string> {
  const sent = { identity: 'alice@example.com', password: dataset.password }
  const { status, body } = await call(hub, `POST ${users}/auth-with-password`, sent, { browser, from })
  assert.equal(status, 200)
  return String(body['token'])
}

async function listOf(hub: RecordedHub, token: string): Promise<readonly ListedSession[]> {
  const { status, body } = await call(hub, 'GET /api/account/sessions', {}, { token })
  assert.equal(status, 200)
  return (body as JsonBody & { readonly items: readonly ListedSession[] }).items // the response of the route
}

const isGood = async (hub: RecordedHub, token: string) => (await call(hub, `POST ${users}/auth-refresh`, {}, { token })).status === 200

/** An event stream of a session. */
async function follow(hub: RecordedHub, token: string) {
  const response = await hub.app.request('/api/realtime')
  const reader = response.body?.getReader() ?? assert.fail()
  const decoder = new TextDecoder()
  const clientId = /^id:(.+)$/m.exec(decoder.decode((await reader.read()).value))?.[1]
  assert.equal((await call(hub, 'POST /api/realtime', { clientId, subscriptions: ['systems/*'] }, { token })).status, 204)
  const pending = reader.read()
  return {
    /** Whether an event has arrived since. */
    async hears(): Promise<boolean> {
      await hub.realtime.settled()
      return (await Promise.race([pending, new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)))])) !== undefined
    },
    stop: () => reader.cancel(),
  }
}

const rename = async (hub: RecordedHub, name: string) =>
  call(hub, 'PATCH /api/collections/systems/records/sys000000000006', { name }, { token: await hub.tokenOf('super') })

for (const kind of databases) {
  test(`${kind.name}: a user lists their sessions and ends one; its token and event stream are invalid at once`, async () => {
    await using hub = await recordedHub(kind)
    const [phone, desk] = [await signIn(hub, 'Phone', '198.51.100.1'), await signIn(hub, 'Desk')]
    const shown = await listOf(hub, desk)
    assert.deepEqual(
      shown.map(({ browser, address, current, by }) => [browser, address, current, by]),
      [
        ['Desk', '192.0.2.1', true, ''],
        ['Phone', '198.51.100.1', false, ''],
      ],
    )
    const streams = [await follow(hub, phone), await follow(hub, desk)]
    const session = shown.find(({ browser }) => browser === 'Phone')?.id ?? ''
    const end = async (token: string) => (await call(hub, `DELETE /api/account/sessions/${session}`, {}, { token })).status
    assert.equal(await end(await hub.tokenOf('bob')), 404)
    assert.ok(await isGood(hub, phone))
    assert.equal(await end(desk), 204)
    assert.equal(await end(desk), 404)
    assert.ok(!(await isGood(hub, phone)))
    await rename(hub, 'heard')
    assert.deepEqual(await Promise.all(streams.map((stream) => stream.hears())), [false, true])
    for (const stream of streams) await stream.stop()
    assert.ok(await isGood(hub, desk))
    assert.ok(await isGood(hub, await signIn(hub, 'Phone', '198.51.100.1')), 'signing in again is another session')
    const again = await openSessions({ ...hub.engine, bus: hub.test.bus })
    assert.ok(again.hasEnded(phone) && !again.hasEnded(desk), 'also for a hub that is started anew')
  })

  test(`${kind.name}: a renewed session is listed once, and ends with all its tokens`, async () => {
    await using hub = await recordedHub(kind)
    const first = await signIn(hub, 'Desk')
    const renewed = String((await call(hub, `POST ${users}/auth-refresh`, {}, { token: first })).body['token'])
    assert.notEqual(renewed, first)
    const shown = await listOf(hub, first)
    assert.deepEqual(
      shown.map(({ current }) => current),
      [true],
    )
    await call(hub, `DELETE /api/account/sessions/${shown[0]?.id ?? ''}`, {}, { token: renewed })
    assert.deepEqual([await isGood(hub, first), await isGood(hub, renewed)], [false, false])
  })

  test(`${kind.name}: ending all sessions starts a new session, and a change of password ends all`, async () => {
    await using hub = await recordedHub(kind)
    const [phone, desk] = [await signIn(hub, 'Phone'), await signIn(hub, 'Desk')]
    const stream = await follow(hub, phone)
    const { body } = await call(hub, 'DELETE /api/account/sessions', {}, { token: desk })
    const fresh = String(body['token'])
    assert.deepEqual([await isGood(hub, phone), await isGood(hub, desk), await isGood(hub, fresh)], [false, false, true])
    await rename(hub, 'heard')
    assert.ok(!(await stream.hears()))
    await stream.stop()
    assert.equal((await listOf(hub, fresh)).length, 1)
    const better = { password: 'a better one', passwordConfirm: 'a better one' }
    const token = await hub.tokenOf('super')
    await call(hub, `PATCH ${users}/records/${dataset.aliases['alice'] ?? ''}`, better, { token })
    const rows = await hub.engine.database.kysely.selectFrom('session_tokens').select('account').execute()
    assert.ok(rows.every(({ account }) => account !== dataset.aliases['alice']))
  })

  test(`${kind.name}: an impersonated user sees the impersonating admin in the sessions, and can end the session`, async () => {
    await using hub = await recordedHub(kind)
    const alice = dataset.aliases['alice'] ?? ''
    const acted = await call(hub, `POST ${users}/impersonate/${alice}`, { duration: 60 }, { token: await hub.tokenOf('super') })
    const mine = await signIn(hub, 'Desk')
    const foreign = (await listOf(hub, mine)).find(({ by }) => by !== '')
    assert.equal(foreign?.by, dataset.superuser.email)
    assert.equal((await call(hub, `DELETE /api/account/sessions/${foreign?.id ?? ''}`, {}, { token: mine })).status, 204)
    assert.ok(!(await isGood(hub, String(acted.body['token']))))
  })

  test(`${kind.name}: a program that signs in constantly leaves at most 200 session rows`, async () => {
    await using hub = await recordedHub(kind)
    const sessions = await openSessions({ ...hub.engine, bus: hub.test.bus })
    const base = { account: 'somebody', collection: 'users', address: '', browser: '', expiresMs: Date.now() + 60_000 }
    for (let at = 0; at < 210; at += 1) await sessions.remember({ ...base, token: `token ${at}` })
    const rows = await hub.engine.database.kysely.selectFrom('session_tokens').select('digest').where('account', '=', 'somebody').execute()
    assert.equal(rows.length, 200)
  })
}
