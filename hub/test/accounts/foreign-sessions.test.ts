import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { signToken, type TokenClaims } from '../../src/accounts/sessions/sessions.ts'
import { hashPassword } from '../../src/accounts/passwords/password.ts'
import { planSessions } from '../../src/operations/transfer/source/plan-sessions.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { openSecrets } from '../../src/platform/secrets/open-secrets.ts'
import { randomId } from '../../src/platform/secrets/random-id.ts'
import { collections } from '../../src/records/collections/collections.ts'
import { recordTableStore } from '../../src/records/engine/record-table-store.ts'
import { databases, silentLog } from '../databases.ts'
import { startHubProcess } from '../hub-process.ts'
import { makeMemoryFolder } from '../memory-folder.ts'
import { foreignFolder } from '../transfer/source/foreign-folder.ts'

const DAY_S = 86_400
/** Secrets of the dump for the tokens of `users`, with its duration of 5 days, and of `_superusers`. */
const SECRET = 'EwAtVKm09ywsDWNEp2MxSpeDiiQcKJloBbggjots40aYBMEeD3'
const SUPERUSER_SECRET = '7xNQ6sozGS1iA7N7pYf2VxDxMAnA7gcj0Zf5CaManIjNIirb00'
const PASSWORD = 'a good password'

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
const claimsOf = (id: string, more: Partial<Extract<TokenClaims, { type: 'auth' }>> = {}): TokenClaims => ({
  type: 'auth',
  id,
  collectionId: '_pb_users_auth_',
  exp: inSeconds(4 * DAY_S),
  refreshable: true,
  ...more,
})

for (const kind of databases) {
  test(
    `${kind.name}: session tokens of an imported hub are valid for its users, until they expire, and for nobody else`,
    { timeout: 300_000 },
    async () => {
      using theirs = foreignFolder()
      await using place = await kind.ready()
      const directory = 'directory' in place.at ? place.at.directory : makeMemoryFolder('vedette-sessions-')
      const where = ['--data', directory, ...('url' in place.at ? ['--database', place.at.url] : [])]
      const people = { user: 'user', readonly: 'readonly', admin: 'admin', unverified: 'user' } as const
      const ids = new Map<string, { readonly id: string; readonly tokenKey: string }>()
      {
        const database = await openDatabase({ at: place.at, bus: inProcessEventBus(), log: silentLog })
        const secrets = await openSecrets({ directory, configured: undefined, database })
        const records = recordTableStore({ database, collections, secrets, clock: systemClock })
        const password = await hashPassword(PASSWORD)
        await database.write(async (unit) => {
          for (const [name, role] of Object.entries(people)) {
            const tokenKey = randomId(50)
            const verified = name !== 'unverified'
            const { id } = await records.insert(unit, 'users', { email: `${name}@example.com`, password, role, verified, tokenKey })
            ids.set(name, { id, tokenKey })
          }
        })
        const foreign = new DatabaseSync(theirs.database, { readOnly: true })
        await planSessions({ database: foreign }, { database, records, secrets, clock: systemClock }).write(
          () => {},
          new AbortController().signal,
        )
        foreign.close()
        await database.close()
      }
      const of = (name: string) => ids.get(name) ?? { id: '', tokenKey: '' }
      const { id, tokenKey } = of('user')
      const good = signToken(claimsOf(id), tokenKey + SECRET)
      const hub = await startHubProcess(where)
      try {
        const call = async (method: string, path: string, token: string, body?: object) => {
          const headers = { authorization: token, 'content-type': 'application/json' }
          const response = await fetch(`${hub.address}${path}`, {
            method,
            headers,
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          })
          return { status: response.status, body: (await response.json()) as { readonly token?: string; readonly id?: string } } // an object
        }
        const statusOf = async (token: string) => (await call('GET', `/api/beszel/info`, token)).status
        assert.equal(await statusOf(good), 200)
        const readonly = of('readonly')
        assert.equal(await statusOf(signToken(claimsOf(readonly.id), readonly.tokenKey + SECRET)), 200)
        const refused = {
          'of an admin': signToken(claimsOf(of('admin').id), of('admin').tokenKey + SECRET),
          'of an account that is not verified': signToken(claimsOf(of('unverified').id), of('unverified').tokenKey + SECRET),
          'of another account': signToken(claimsOf(of('admin').id), tokenKey + SECRET),
          'with another secret': signToken(claimsOf(id), `${tokenKey}x`),
          'with the secret of superusers': signToken(claimsOf(id), tokenKey + SUPERUSER_SECRET),
          'of superusers': signToken(claimsOf(of('admin').id, { collectionId: 'pbc_3142635823' }), of('admin').tokenKey + SUPERUSER_SECRET),
          expired: signToken(claimsOf(id, { exp: inSeconds(-1) }), tokenKey + SECRET),
          'longer than the other hub makes them': signToken(claimsOf(id, { exp: inSeconds(6 * DAY_S) }), tokenKey + SECRET),
          'of the admins of the oldest clients': signToken(
            { type: 'admin', id: of('admin').id, exp: inSeconds(DAY_S) },
            of('admin').tokenKey + SECRET,
          ),
        }
        for (const [what, token] of Object.entries(refused)) assert.equal(await statusOf(token), 401, what)
        const refreshed = await call('POST', '/api/collections/users/auth-refresh', good)
        assert.equal(refreshed.status, 200)
        assert.equal(await statusOf(refreshed.body.token ?? ''), 200)
        // A new password ends these sessions as it ends all.
        const next = 'another password'
        const change = { oldPassword: PASSWORD, password: next, passwordConfirm: next }
        const changed = await call('POST', '/api/account/password', good, change)
        assert.equal(changed.status, 200)
        assert.equal(await statusOf(good), 401)
        assert.equal(await statusOf(refreshed.body.token ?? ''), 401)
      } finally {
        hub.kill('SIGTERM')
        await hub.ended
        if ('url' in place.at) rmSync(directory, { recursive: true, force: true })
      }
    },
  )
}
