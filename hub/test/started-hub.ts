import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeMemoryFolder } from './memory-folder.ts'
import { startHubProcess } from './hub-process.ts'

const ADMIN = { email: 'admin@example.com', password: 'correct-horse-1' }
export const RECORDS = '/api/collections/systems/records'
const environment = { VEDETTE_ADMIN_EMAIL: ADMIN.email, VEDETTE_ADMIN_PASSWORD: ADMIN.password }

/** The real program on a new data folder. */
export async function startedHub(more: Readonly<Record<string, string>> = {}, files: Readonly<Record<string, string>> = {}) {
  const stack = new AsyncDisposableStack()
  const data = makeMemoryFolder('vedette-names-')
  stack.defer(() => rmSync(data, { recursive: true, force: true }))
  return startedIn(data, more, files, stack)
}

/** The real program on a data folder that may have been used before. */
export async function startedIn(
  data: string,
  more: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, string>> = {},
  stack = new AsyncDisposableStack(),
) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(data, name), text)
  const hub = await startHubProcess(['--data', data], { ...environment, ...more })
  stack.defer(() => hub.kill('SIGKILL'))
  const call = async (token: string, method: string, path: string, body?: object) => {
    const response = await fetch(`${hub.address}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: token }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as { readonly [name: string]: unknown } } // the hub answers objects
  }
  const signIn = () => call('', 'POST', '/api/collections/users/auth-with-password', { identity: ADMIN.email, password: ADMIN.password })
  const stop = async () => {
    hub.kill('SIGTERM')
    return { status: await hub.ended, complaints: hub.complaints() }
  }
  return { call, signIn, stop, data, address: hub.address, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** The account of a session. */
export const idOf = (session: { readonly [name: string]: unknown }): string => (session['record'] as { readonly id: string }).id // of a session
