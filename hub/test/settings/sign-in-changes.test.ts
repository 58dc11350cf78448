import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadSignIn, SIGN_IN_LOCK, storeSignIn } from '../../src/accounts/sessions/sign-in-settings.ts'
import { applyConfig } from '../../src/operations/configuration/apply-config.ts'
import { databases } from '../databases.ts'
import { call } from '../mailing-hub.ts'
import { recordedHub, type RecordedHub } from '../recorded-hub.ts'
import { transactionWaits } from '../waiting-transaction.ts'

const noSecrets = { variable: () => undefined, file: () => undefined }
const applied = { isDryRun: false, deletesMissing: false, secrets: noSecrets }

/** Changes that switch off the emails about sign-ins from new places, each by another way. */
const changes: Readonly<Record<string, (hub: RecordedHub) => Promise<unknown>>> = {
  'a request': async (hub) => {
    const sent = { authAlert: { enabled: false } }
    assert.equal((await call(hub, 'PATCH /api/collections/users', sent, { token: await hub.tokenOf('super') })).status, 200)
  },
  'a configuration file': (hub) => applyConfig(hub.engine, 'version: 1\nsignIn: { users: { authAlert: { enabled: false } } }\n', applied),
}

for (const kind of databases)
  for (const [name, change] of Object.entries(changes))
    test(`${kind.name}: ways to sign in: ${name} waits for a change of somebody else and keeps it`, async () => {
      await using hub = await recordedHub(kind)
      const { database } = hub.test
      const { promise: held, resolve: onHeld } = Promise.withResolvers<void>()
      const { promise: free, resolve: release } = Promise.withResolvers<void>()
      const holding = database.write(async (unit) => {
        await unit.alone(SIGN_IN_LOCK)
        const stored = await loadSignIn(unit.sql)
        onHeld()
        await free
        await storeSignIn(unit, { ...stored, users: { ...stored.users, otp: { ...stored.users.otp, duration: 300 } } })
      })
      await held
      const changing = change(hub)
      // SQLite has one writer: the change waits by itself.
      if (kind.name === 'postgres') await Promise.race([transactionWaits(database), changing])
      release()
      await Promise.all([holding, changing])
      const { users } = await loadSignIn(database.kysely)
      assert.deepEqual([users.otp.duration, users.alert.enabled], [300, false])
    })
