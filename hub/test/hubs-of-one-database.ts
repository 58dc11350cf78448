import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { databases, type TestDatabaseKind } from './databases.ts'
import { startHubProcess, type HubProcess } from './hub-process.ts'
import { makeMemoryFolder } from './memory-folder.ts'

const ADMIN = { email: 'admin@example.com', password: 'correct-horse-1' }
export const PASSWORD = 'another-horse-2'
/** Nobody listens on this port. */
export const NATS_AWAY = 'nats://127.0.0.1:1'

const ASK_EVERY_MS = 50

type Answer = { readonly status: number; readonly body: { readonly [field: string]: Json } }

/** Sends a request to a hub, such as `GET /api/health`. */
export async function call(hub: { readonly address: string }, token: string, request: string, body?: object): Promise<Answer> {
  const [method = '', path = ''] = request.split(' ')
  const response = await fetch(`${hub.address}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: token }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Answer['body'] } // the hub sends objects
}

export type SignedIn = { readonly token: string; readonly id: string }

export async function signIn(hub: Pick<HubProcess, 'address'>, identity = ADMIN.email, password = ADMIN.password): Promise<SignedIn> {
  const { status, body } = await call(hub, '', 'POST /api/collections/users/auth-with-password', { identity, password })
  assert.equal(status, 200)
  return { token: String(body['token']), id: (body['record'] as { readonly id: string }).id } // a session
}

const bundled = databases.find(({ name }) => name === 'postgres')

/** Hub processes on one new PostgreSQL database. The names of the hubs are `a`, `b` and so on. */
export async function hubsOfOneDatabase(nats: string, postgres: TestDatabaseKind | undefined = bundled) {
  const stack = new AsyncDisposableStack()
  assert.ok(postgres)
  const { at } = stack.use(await postgres.ready())
  assert.ok('url' in at)
  const { url } = at
  const folder = makeMemoryFolder('vedette-hubs-')
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const flags = (key = 'one key for all hubs of a database') => ['--database', url, '--nats', nats, '--secret-key', key]
  const environment = { VEDETTE_ADMIN_EMAIL: ADMIN.email, VEDETTE_ADMIN_PASSWORD: ADMIN.password }

  async function start(name: string, more: readonly string[] = []): Promise<HubProcess> {
    const hub = await startHubProcess([...flags(), '--data', join(folder, name), '--hub-name', name, ...more], environment)
    stack.defer(async () => {
      hub.kill('SIGKILL')
      await hub.ended
    })
    return hub
  }

  async function journalRows(): Promise<number> {
    const client = new Client({ connectionString: url })
    await client.connect()
    try {
      return Number((await client.query<{ count: string }>('select count(*) from changes')).rows[0]?.count)
    } finally {
      await client.end()
    }
  }

  return { start, flags, folder, journalRows, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** Repeats a request until the response fits. The timeout of the test is the limit. */
export async function until<T>(ask: () => Promise<T>, fits: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (fits(answer)) return answer
    // Leaves the processor to the hubs.
    await wait(ASK_EVERY_MS)
  }
}
