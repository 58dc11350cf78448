import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { HubProcess } from '../hub-process.ts'
import { call, hubsOfOneDatabase, NATS_AWAY, PASSWORD, signIn, until, type SignedIn } from '../hubs-of-one-database.ts'
import { startNatsServer, withNats } from '../nats-server.ts'
import { streamedEvents } from '../streamed-events.ts'

const SYSTEMS = '/api/collections/systems/records'
const GUESSED = 'guessed@example.com'
const USERS = '/api/collections/users/records'

type NatsState = 'up' | 'away'

/** Two hubs, and an admin on the first. */
async function hubsOf(state: NatsState) {
  const stack = new AsyncDisposableStack()
  const nats = state === 'away' ? NATS_AWAY : stack.use(await startNatsServer()).url
  const hubs = stack.use(await hubsOfOneDatabase(nats))
  const a = await hubs.start('a')
  const b = await hubs.start('b')
  return { a, b, admin: await signIn(a), journalRows: hubs.journalRows, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

type Hubs = Awaited<ReturnType<typeof hubsOf>>

/** A new user, and a system that is shared with this user. */
async function personOn({ a, admin }: Hubs, email: string) {
  const account = { email, password: PASSWORD, passwordConfirm: PASSWORD, role: 'user', verified: true }
  const { body: person } = await call(a, admin.token, `POST ${USERS}`, account)
  const { body: system } = await call(a, admin.token, `POST ${SYSTEMS}`, {
    name: 'web',
    host: '127.0.0.1',
    port: '1',
    users: [person['id']],
  })
  return {
    id: String(person['id']),
    system: String(system['id']),
    rename: (name: string) => call(a, admin.token, `PATCH ${SYSTEMS}/${String(system['id'])}`, { name }),
    signedIn: (hub: HubProcess): Promise<SignedIn> => signIn(hub, email, PASSWORD),
  }
}

const isOpen = async (hub: HubProcess, token: string) => (await call(hub, token, 'POST /api/collections/users/auth-refresh')).status === 200

const named = (name: string) => (event: string) => event.includes(`"name":"${name}"`)

/** A stream of systems, and the name that it must never show. */
async function watching(hub: HubProcess, token: string) {
  const stream = await streamedEvents(hub.address, token, ['systems/*'])
  return {
    shows: (name: string) => stream.next(named(name)),
    async hides(name: string): Promise<() => boolean> {
      let isShown = false
      void stream.next(named(name)).then(() => (isShown = true))
      return () => !isShown
    },
    [Symbol.asyncDispose]: () => stream[Symbol.asyncDispose](),
  }
}

for (const state of ['away', 'up'] as const) {
  describe(`NATS ${state}`, { timeout: 300_000, ...(state === 'up' ? withNats : {}) }, () => {
    let on: Hubs
    before(async () => {
      on = await hubsOf(state)
    })
    after(() => on[Symbol.asyncDispose]())

    test('a session that ends on one hub is invalid for requests and streams of the other hub', async () => {
      const anna = await personOn(on, 'session@example.com')
      const [phone, desk] = [await anna.signedIn(on.a), await anna.signedIn(on.b)]
      await using ofPhone = await watching(on.b, phone.token)
      await using ofDesk = await watching(on.b, desk.token)
      const before = [ofPhone.shows('before'), ofDesk.shows('before')]
      await anna.rename('before')
      await Promise.all(before)
      const { body } = await call(on.a, phone.token, 'GET /api/account/sessions')
      const current = (body['items'] as { id: string; current: boolean }[]).find((session) => session.current) // the form of the response
      assert.equal((await call(on.a, desk.token, `DELETE /api/account/sessions/${current?.id ?? ''}`)).status, 204)
      await until(
        () => isOpen(on.b, phone.token),
        (open) => !open,
      )
      assert.ok(await isOpen(on.b, desk.token))
      const isHidden = await ofPhone.hides('after')
      const after = ofDesk.shows('after')
      await anna.rename('after')
      await after
      assert.ok(isHidden())
    })

    test('a change of role or sharing applies on another hub, also to its open streams', async () => {
      const anna = await personOn(on, 'role@example.com')
      const session = await anna.signedIn(on.b)
      await using stream = await watching(on.b, session.token)
      const mayCreate = async (): Promise<boolean> =>
        (await call(on.b, session.token, `POST ${SYSTEMS}`, { name: 'own', host: '127.0.0.1', port: '1', users: [anna.id] })).status === 200
      assert.ok(await mayCreate())
      await call(on.a, on.admin.token, `PATCH ${USERS}/${anna.id}`, { role: 'readonly' })
      assert.ok(!(await mayCreate()))

      const isListed = async () => (await call(on.b, session.token, `GET ${SYSTEMS}/${anna.system}`)).status === 200
      assert.ok(await isListed())
      await call(on.a, on.admin.token, `PATCH ${SYSTEMS}/${anna.system}`, { users: [on.admin.id] })
      assert.ok(!(await isListed()))
      const isHidden = await stream.hides('hidden')
      await using ofAdmin = await watching(on.b, on.admin.token)
      const shown = ofAdmin.shows('hidden')
      await anna.rename('hidden')
      await shown
      assert.ok(isHidden())
      let isSeen = false
      void stream.shows('seen').then(() => (isSeen = true))
      await call(on.a, on.admin.token, `PATCH ${USERS}/${anna.id}`, { role: 'admin' })
      const renameTwice = async (): Promise<boolean> => {
        await anna.rename('seen')
        await anna.rename('other')
        return isSeen
      }
      await until(renameTwice, (seen) => seen)
    })

    test('a hub accepts subscriptions for an event stream of another hub', async () => {
      const anna = await personOn(on, 'stream@example.com')
      const { token } = await anna.signedIn(on.a)
      await using stream = await streamedEvents(on.a.address, token, ['systems/*'], on.b.address)
      let isSeen = false
      void stream.next(named('seen')).then(() => (isSeen = true))
      const renameTwice = async (): Promise<boolean> => {
        await anna.rename('seen')
        await anna.rename('other')
        return isSeen
      }
      await until(renameTwice, (seen) => seen)
      const foreign = { clientId: `${'0'.repeat(16)}.none`, subscriptions: [] }
      assert.equal((await call(on.b, token, 'POST /api/realtime', foreign)).status, 404)
    })

    test("a guest's subscription to a stream of another hub stores nothing", async () => {
      await using stream = await streamedEvents(on.a.address, '', [])
      const before = await on.journalRows()
      const { status } = await call(on.b, '', 'POST /api/realtime', { clientId: stream.clientId, subscriptions: ['systems/*'] })
      assert.equal(status, state === 'up' ? 204 : 503)
      assert.equal(await on.journalRows(), before)
    })

    test('failed sign-ins count over all hubs, and so does a success', async () => {
      await personOn(on, GUESSED)
      const guess = async (hub: HubProcess, password: string) =>
        (await call(hub, '', 'POST /api/collections/users/auth-with-password', { identity: GUESSED, password })).status
      for (let made = 0; made < 19; made += 1) assert.equal(await guess(made % 2 === 0 ? on.a : on.b, 'wrong'), 400)
      assert.equal(await guess(on.a, PASSWORD), 200)
      for (let made = 0; made < 20; made += 1) assert.equal(await guess(made % 2 === 0 ? on.a : on.b, 'wrong'), 400)
      assert.deepEqual([await guess(on.a, PASSWORD), await guess(on.b, PASSWORD)], [429, 429])
    })

    test('a temporary token, a setting and a job apply on another hub', async () => {
      const lent = async (hub: HubProcess) => (await call(hub, on.admin.token, 'GET /api/beszel/universal-token')).body
      const { body } = await call(on.a, on.admin.token, 'GET /api/beszel/universal-token?enable=1')
      assert.equal(body['active'], true)
      await until(
        () => lent(on.b),
        ({ active, token }) => active === true && token === body['token'],
      )
      await call(on.b, on.admin.token, 'GET /api/beszel/universal-token?enable=0')
      await until(
        () => lent(on.a),
        ({ active }) => active === false,
      )

      const rules = [{ label: '/api/', audience: '', duration: 60, maxRequests: 1 }]
      const { status } = await call(on.a, on.admin.token, 'PATCH /api/settings', { rateLimits: { enabled: true, rules } })
      assert.equal(status, 200)
      await until(
        () => call(on.b, '', 'GET /api/health'),
        ({ status }) => status === 429,
      )
    })
  })
}
