import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { firstRunOf } from '../../src/accounts/first-run.ts'
import { hashPassword } from '../../src/accounts/passwords/password.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { collections } from '../../src/records/collections/collections.ts'
import type { Engine } from '../../src/records/engine/engine.ts'
import { RecordError } from '../../src/records/model/record-error.ts'
import { recordTableStore } from '../../src/records/engine/record-table-store.ts'
import { deleteRecord, updateRecord } from '../../src/records/writing/write.ts'
import { secretBox } from '../../src/platform/secrets/secret-box.ts'
import { databases, silentLog, type TestDatabaseKind } from '../databases.ts'
import { Hono } from 'hono'
import { clientAddress, setClientAddress, trustedProxies } from '../../src/platform/http/client-address.ts'
import type { RequestContext } from '../../src/http/requests/request-context.ts'
import { createFirstUser, readFirstRun } from '../../src/accounts/routes/first-run.ts'
import { mountRoutes } from '../../src/http/routing/define-route.ts'
import { memoryCounts } from '../../src/platform/limits/attempt-counts.ts'
import { signInAttempts } from '../../src/accounts/attempts.ts'
import { errorResponse } from '../../src/http/requests/error-response.ts'

async function unused(kind: TestDatabaseKind) {
  const opened = await kind.open()
  const secrets = secretBox(randomBytes(32))
  const store = recordTableStore({ database: opened.database, collections, secrets, clock: systemClock })
  const engine: Engine = { database: opened.database, collections, store, sources: new Map(), secrets, clock: systemClock, hashPassword }
  const firstRun = firstRunOf(engine)
  const proxies = trustedProxies([])
  const app = new Hono<RequestContext>().use(
    setClientAddress(({ socket, headers = {} }) => clientAddress(socket.remoteAddress ?? '', headers, proxies)),
  )
  mountRoutes(app, [readFirstRun, createFirstUser], { firstRun, attempts: signInAttempts(memoryCounts(systemClock)) })
  app.onError(errorResponse(silentLog))
  /** Sends a request from an address. The headers are those that a proxy on this machine adds. */
  const ask = (address: string, body?: object, headers: Record<string, string> = {}) =>
    app.request(
      body === undefined ? '/api/beszel/first-run' : '/api/beszel/create-user',
      {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
      { incoming: { socket: { remoteAddress: address } } },
    )
  return { ...opened, engine, store, firstRun, ask, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() }
}

const admin = { email: 'admin@example.com', password: 'correct-horse-1' }

for (const kind of databases) {
  test(`${kind.name}: of two simultaneous first users exactly one is created, and owns all systems without a user`, async () => {
    await using hub = await unused(kind)
    await hub.database.write((unit) => hub.store.insert(unit, 'systems', { name: 'early', host: '/run/agent', users: [] }))
    const outcomes = await Promise.allSettled(
      ['one@example.com', 'two@example.com'].map((email) =>
        hub.firstRun.createAdmin({ email, password: admin.password, setupCode: 'not needed' }),
      ),
    )
    assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    const users = await hub.store.loadWhere('users', {})
    assert.equal(users.length, 1)
    assert.equal(users[0]?.['role'], 'admin')
    assert.deepEqual((await hub.store.loadWhere('systems', {}))[0]?.['users'], [users[0]?.id])
  })

  test(`${kind.name}: the first user needs the setup code on another machine`, async () => {
    await using hub = await unused(kind)
    const needed = async (...from: Parameters<typeof hub.ask>) => (await hub.ask(...from)).json()
    assert.deepEqual(await needed('127.0.0.1'), { firstRun: true, setupCodeNeeded: false })
    assert.deepEqual(await needed('192.0.2.7'), { firstRun: true, setupCodeNeeded: true })
    assert.deepEqual(await needed('127.0.0.1', undefined, { 'x-forwarded-for': '127.0.0.1' }), { firstRun: true, setupCodeNeeded: true })
    assert.equal((await hub.ask('192.0.2.7', admin)).status, 403)
    assert.equal((await hub.ask('127.0.0.1', admin, { 'x-forwarded-for': '127.0.0.1' })).status, 403)
    assert.equal((await hub.ask('192.0.2.7', { ...admin, setupCode: 'AAAA-BBBB-CCCC' })).status, 403)
    assert.equal((await hub.ask('192.0.2.7', { ...admin, setupCode: 'ÄÄÄÄ-ÖÖÖÖ-ÜÜÜÜ' })).status, 403)
    assert.equal((await hub.ask('192.0.2.7', { ...admin, setupCode: ` ${hub.firstRun.setupCode.toLowerCase()} ` })).status, 200)
    assert.deepEqual(await needed('192.0.2.7'), { firstRun: false, setupCodeNeeded: false })
    assert.equal((await hub.ask('127.0.0.1', admin)).status, 403)
  })

  test(`${kind.name}: the first user's email and password are validated, each with its own error`, async () => {
    await using hub = await unused(kind)
    const response = await hub.ask('::1', { email: 'nobody', password: 'short' })
    assert.equal(response.status, 400)
    const { data } = (await response.json()) as { data: Record<string, { code: string }> } // the error envelope
    assert.deepEqual([data['email']?.code, data['password']?.code], ['validation_is_email', 'validation_min_text_constraint'])
  })

  test(`${kind.name}: the last admin can be neither demoted nor deleted`, async () => {
    await using hub = await unused(kind)
    await hub.firstRun.createAdmin({ ...admin, setupCode: 'not needed' })
    const [record] = await hub.store.loadWhere('users', {})
    const users = collections.find('users')
    assert.ok(record && users)
    const facts = { actor: record, context: 'default', method: 'PATCH', query: {}, headers: {} } as const
    for (const body of [{ role: 'user' }, { verified: false }]) {
      await assert.rejects(updateRecord(hub.engine, users, { ...facts, body }, record.id), RecordError)
    }
    await assert.rejects(deleteRecord(hub.engine, users, facts, record.id), RecordError)
    assert.equal((await hub.store.load('users', record.id))?.['role'], 'admin')
  })
}
