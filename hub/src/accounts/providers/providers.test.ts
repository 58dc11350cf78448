import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { databases } from '../../../test/databases.ts'
import { loadState, saveState } from '../../platform/db/hub-state.ts'
import { secretBox } from '../../platform/secrets/secret-box.ts'
import { providerStore, storeProviders, type Provider } from './providers.ts'

const github: Provider = {
  name: 'github',
  displayName: 'GitHub',
  clientId: 'id',
  clientSecret: 'secret',
  issuer: 'https://github.com',
  groupsClaim: '',
}

for (const kind of databases)
  test(`${kind.name}: storeProviders keeps a provider that only a newer hub version supports`, async () => {
    await using opened = await kind.open()
    const { database } = opened
    const secrets = secretBox(randomBytes(32))
    const store = providerStore(database, secrets, false)
    const newer = { name: 'newer', displayName: 'Newer', clientId: 'n', clientSecret: 'sealed', issuer: '' }
    await database.write((unit) => saveState(unit.sql, 'providers', JSON.stringify({ enabled: true, providers: [newer] })))
    assert.deepEqual((await store.load()).providers, [])
    const save = (providers: readonly Provider[]) =>
      database.write((unit) => storeProviders(unit, secrets, { enabled: true, createUsers: false, providers }))
    await save([github])
    assert.deepEqual((await store.load()).providers, [github])
    await save([])
    assert.deepEqual((await store.load()).providers, [])
    assert.deepEqual(JSON.parse((await loadState(database.kysely, 'providers')) ?? ''), {
      enabled: true,
      createUsers: false,
      providers: [newer],
    })
  })
