import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { databases } from './databases.ts'
import { startHubProcess, type HubProcess } from './hub-process.ts'
import { makeMemoryFolder } from './memory-folder.ts'
import { startPgbouncer } from './pgbouncer.ts'
import { streamedEvents } from './streamed-events.ts'

const postgres = databases.find(({ name }) => name === 'postgres')
assert.ok(postgres)
const { ready } = postgres

const ADMIN = { email: 'admin@example.com', password: 'correct-horse-1' }

/** Two hub processes on one PostgreSQL and one NATS, and what an admin does at each. `isPooled`: through PgBouncer. */
export async function twoHubs(natsUrl: string, { isPooled = false } = {}) {
  const stack = new AsyncDisposableStack()
  const place = stack.use(await ready())
  assert.ok('url' in place.at)
  const { url } = place.at
  const pooler = isPooled ? ['--database-pooler', stack.use(await startPgbouncer(url)).url] : []
  const folder = makeMemoryFolder('vedette-two-hubs-')
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))

  async function start(name: string): Promise<HubProcess> {
    const flags = ['--data', join(folder, name), '--database', url, ...pooler, '--nats', natsUrl, '--hub-name', name]
    const hub = await startHubProcess([...flags, '--secret-key', 'one key for all hubs of a database', '--log-level', 'error'], {
      VEDETTE_ADMIN_EMAIL: ADMIN.email,
      VEDETTE_ADMIN_PASSWORD: ADMIN.password,
    })
    stack.defer(async () => {
      hub.kill('SIGKILL')
      await hub.ended
    })
    return hub
  }

  const [first, second] = [await start('a'), await start('b')]
  const { token, record } = await signIn(first)
  return {
    a: adminAt(first, token),
    b: adminAt(second, token),
    adminId: record.id,
    databaseUrl: url,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

function adminAt(hub: HubProcess, token: string) {
  return {
    hub,
    stream: (topics: readonly string[]) => streamedEvents(hub.address, token, topics),
    send: <T>(method: string, path: string, body?: object): Promise<T> => send<T>(hub, token, { method, path, body }),
  }
}

type Sent = { readonly method: string; readonly path: string; readonly body?: object | undefined }

async function send<T>({ address }: HubProcess, token: string, { method, path, body }: Sent): Promise<T> {
  const response = await fetch(`${address}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: token }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as T // the caller knows the route
}

function signIn(hub: HubProcess): Promise<{ readonly token: string; readonly record: { readonly id: string } }> {
  const body = { identity: ADMIN.email, password: ADMIN.password }
  return send(hub, '', { method: 'POST', path: '/api/collections/users/auth-with-password', body })
}
