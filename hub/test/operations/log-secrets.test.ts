import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { openLogDatabase } from '../../src/operations/logs/log-database.ts'
import { logSize } from '../../src/operations/logs/log-table.ts'
import { databases, silentLog } from '../databases.ts'
import { startHubProcess } from '../hub-process.ts'

const ADMIN = { email: 'admin@example.com', password: 'mark-secret-of-the-admin' }
/** Places of a request that may contain a secret. */
const MARK = 'mark-secret'

type Description = {
  readonly paths: { readonly [path: string]: { readonly [method: string]: { readonly requestBody?: unknown } } }
}

/** Routes that would replace the hub's data or delete its log. */
const spared = new Set(['post /api/backups/{name}/restore', 'delete /api/logs'])

for (const kind of databases) {
  test(`${kind.name}: no secret of a request, in any place, appears in the log or in the hub's output`, { timeout: 300_000 }, async () => {
    await using place = await kind.place()
    const directory = mkdtempSync(join(tmpdir(), 'vedette-secrets-'))
    const at = 'url' in place.at ? place.at : { directory }
    try {
      const flags = ['--data', directory, '--log-level', 'debug', ...('url' in at ? ['--database', at.url] : [])]
      const hub = await startHubProcess([...flags, `--admin-email=${ADMIN.email}`], { VEDETTE_ADMIN_PASSWORD: ADMIN.password })
      const signedIn = await fetch(`${hub.address}/api/collections/users/auth-with-password`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ identity: ADMIN.email, password: ADMIN.password }),
      })
      const { token } = (await signedIn.json()) as { readonly token: string } // the response of a sign-in
      const asked = await askEverything(hub.address, token)
      assert.ok(asked > 250, `asked ${asked} times`)
      hub.kill('SIGTERM')
      await hub.ended

      const main = await openDatabase({ at, bus: inProcessEventBus(), log: silentLog })
      try {
        await using logs = await openLogDatabase(main, directory, inProcessEventBus(), silentLog)
        const { entries } = await logSize(logs.database)
        assert.ok(entries > asked / 2, `${entries} entries of ${asked} requests`)
        const stored = JSON.stringify(await logs.database.kysely.selectFrom('logs').selectAll().execute())
        for (const secret of [MARK, token, token.split('.')[2] ?? token])
          assert.ok(!stored.includes(secret), `${secret} stands in the log: ${around(stored, secret)}`)
        assert.ok(!hub.complaints().includes(MARK), `on the standard error: ${around(hub.complaints(), MARK)}`)
        assert.ok(!hub.complaints().includes(token))
      } finally {
        await main.close()
      }
      for (const file of readdirSync(directory).filter((name) => name.startsWith('logs.sqlite')))
        assert.ok(!readFileSync(join(directory, file)).includes(MARK), file)
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  })
}

const around = (text: string, found: string): string => text.slice(Math.max(0, text.indexOf(found) - 200), text.indexOf(found) + 100)

/**
 * Sends every described request as a guest and as an admin with marks in all places, then requests pages with tokens in their paths.
 */
async function askEverything(address: string, token: string): Promise<number> {
  const description = (await (await fetch(`${address}/api/vedette/openapi.json`)).json()) as Description // the description of the API
  const calls = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method, path: path.replaceAll(/\{collection\}/g, 'users'), call: `${method} ${path}` })),
  )
  const pages = [
    `/reset-password/${MARK}-path`,
    `/api/share/${MARK}-path`,
    `/${MARK}-page`,
    `/api/collections/users/records/${MARK}/${MARK}`,
  ]
  const all = [...calls, ...pages.map((path) => ({ method: 'get', path, call: `get ${path}` }))].filter(({ call }) => !spared.has(call))
  const query = ['token', 'code', 'state', 'password', 'filter', 'sort', 'system', 'from', MARK]
    .map((name) => `${name}=${MARK}-query`)
    .join('&')
  let asked = 0
  for (const authorization of ['', token, `Bearer ${MARK}-authorization`]) {
    for (const { method, path } of all) {
      const url = `${address}${path.replaceAll(/\{\w+\}/g, `${MARK}-part`)}?${query}`
      const headers = {
        cookie: `session=${MARK}-cookie`,
        'x-token': `${MARK}-header`,
        referer: `${address}/reset-password/${MARK}-referer?token=${MARK}`,
        'content-type': 'application/json',
        ...(authorization === '' ? {} : { authorization }),
      }
      const names = [
        'password',
        'token',
        'identity',
        'oldPassword',
        'passwordConfirm',
        'code',
        'otpId',
        'email',
        'url',
        'name',
        'passphrase',
      ]
      const body = method === 'get' ? null : JSON.stringify(Object.fromEntries(names.map((name) => [name, `${MARK}-body`])))
      const response = await fetch(url, { method: method.toUpperCase(), headers, body, redirect: 'manual' })
      await response.body?.cancel()
      asked += 1
    }
  }
  return asked
}
