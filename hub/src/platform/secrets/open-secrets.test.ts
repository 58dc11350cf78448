import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { databases } from '../../../test/databases.ts'
import { openSecrets, SecretsUnusableError } from './open-secrets.ts'

function folder() {
  const path = mkdtempSync(join(tmpdir(), 'vedette-secrets-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

for (const kind of databases) {
  test(`${kind.name}: openSecrets creates a key file that only its user can read, and reads it again`, async () => {
    using place = folder()
    await using one = await kind.open()
    const options = { directory: place.path, configured: undefined, database: one.database }
    const sealed = (await openSecrets(options)).seal('place', 'secret')
    assert.equal((await openSecrets(options)).open('place', sealed), 'secret')
    assert.equal(statSync(join(place.path, 'secret.key')).mode & 0o777, 0o600)
  })

  test(`${kind.name}: openSecrets refuses a lost, damaged or different key, and creates no new key`, async () => {
    using place = folder()
    await using one = await kind.open()
    const options = { directory: place.path, configured: undefined, database: one.database }
    await openSecrets(options)
    await assert.rejects(openSecrets({ ...options, configured: 'k'.repeat(32) }), /sealed with another key/)
    writeFileSync(join(place.path, 'secret.key'), 'short')
    await assert.rejects(openSecrets(options), /holds no key of 32 bytes/)
    rmSync(join(place.path, 'secret.key'))
    await assert.rejects(openSecrets(options), SecretsUnusableError)
    assert.throws(() => statSync(join(place.path, 'secret.key')))
  })
}
