import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { parseHubConfig } from '../src/startup/config.ts'
import { startHub } from '../src/hub.ts'
import { makeMemoryFolder } from './memory-folder.ts'
import { silentLog, type TestDatabaseKind } from './databases.ts'

const ADMIN = { email: 'admin@example.com', password: 'a good password' }

export type Answer = { readonly status: number; readonly body: { readonly [field: string]: Json }; readonly headers: Headers }

/** A whole hub in this process, on its own port, with one admin. `onWarning` receives the warnings in its log. */
export async function runningHub(kind: TestDatabaseKind, options: readonly string[] = [], onWarning: (message: string) => void = () => {}) {
  const stack = new AsyncDisposableStack()
  const { at } = stack.use(await kind.ready())
  const directory = 'directory' in at ? at.directory : makeMemoryFolder('vedette-hub-')
  if ('url' in at) stack.defer(() => rmSync(directory, { recursive: true, force: true }))
  const webRoot = join(directory, 'web')
  mkdirSync(webRoot, { recursive: true })
  writeFileSync(join(webRoot, 'index.html'), '<html></html>')
  const place = 'url' in at ? ['--database', at.url] : []
  const parsed = parseHubConfig(
    ['--listen=127.0.0.1:0', `--data=${directory}`, `--web-root=${webRoot}`, `--admin-email=${ADMIN.email}`].concat(
      `--admin-password=${ADMIN.password}`,
      place,
      options,
    ),
    {},
  )
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
  const hub = stack.adopt(await startHub(parsed.config, () => ({ ...silentLog, warn: onWarning })), ({ close }) => close())

  async function call(token: string, request: string, body?: object): Promise<Answer> {
    const [method = '', path = ''] = request.split(' ')
    const headers = { ...(token === '' ? {} : { authorization: token }), 'content-type': 'application/json' }
    const response = await fetch(`${hub.address}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    // JSON responses of the hub are objects in these tests.
    return { status: response.status, body: isJson ? (JSON.parse(text) as Answer['body']) : { text }, headers: response.headers }
  }

  async function signIn(identity: string, password: string): Promise<{ readonly token: string; readonly id: string }> {
    const { body } = await call('', 'POST /api/collections/users/auth-with-password', { identity, password })
    const { id } = body['record'] as { readonly id: string } // what signing in answers
    return { token: String(body['token']), id }
  }

  return {
    address: hub.address,
    call,
    signIn,
    admin: await signIn(ADMIN.email, ADMIN.password),
    /** Repeats a request until the response `fits`; the test's own timeout is the limit. */
    async until(token: string, request: string, fits: (answer: Answer) => boolean): Promise<Answer> {
      for (;;) {
        const answer = await call(token, request)
        if (fits(answer)) return answer
      }
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

export type RunningHub = Awaited<ReturnType<typeof runningHub>>

/** The rows of a list. */
export const itemsOf = ({ body }: Answer) => (body['items'] ?? []) as readonly { readonly [field: string]: Json }[]
