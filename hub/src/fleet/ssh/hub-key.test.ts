import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import ssh2 from 'ssh2'
import { postgres, secrets } from '../../../test/two-databases.ts'
import { generatePrivateKey, HubKeyUnusable, readHubKey, readSharedHubKey } from './hub-key.ts'

function folder() {
  const path = mkdtempSync(join(tmpdir(), 'vedette-key-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

test('generatePrivateKey generates only keys that ssh2 can parse', () => {
  const unreadable = Array.from({ length: 1500 }, generatePrivateKey).filter((pem) => ssh2.utils.parseKey(pem) instanceof Error)
  assert.deepEqual(unreadable, [])
})

test('readHubKey creates a key once, readable by its user only, with the public key file', () => {
  using place = folder()
  const key = readHubKey(place.path)
  assert.equal(readHubKey(place.path).publicLine, key.publicLine)
  assert.equal(statSync(join(place.path, 'id_ed25519')).mode & 0o777, 0o600)
  assert.equal(readFileSync(join(place.path, 'id_ed25519.pub'), 'utf8'), `${key.publicLine}\n`)
  assert.equal(key.sign('token').length, 64)
})

test('readHubKey throws for a damaged key and leaves the file unchanged', () => {
  using place = folder()
  writeFileSync(join(place.path, 'id_ed25519'), 'damaged')
  assert.throws(() => readHubKey(place.path), HubKeyUnusable)
  assert.equal(readFileSync(join(place.path, 'id_ed25519'), 'utf8'), 'damaged')
})

test('readSharedHubKey stores the first hub’s key, writes it for the next hub, and refuses a hub with another key', async () => {
  await using opened = await postgres.open()
  const { database } = opened
  using firstFolder = folder()
  using secondFolder = folder()
  using strangeFolder = folder()
  const [first, second, stranger] = [firstFolder.path, secondFolder.path, strangeFolder.path]
  const { publicLine } = readHubKey(first)
  const shared = await readSharedHubKey({ directory: first, database, secrets })
  assert.equal(shared.publicLine, publicLine)
  assert.equal((await readSharedHubKey({ directory: second, database, secrets })).publicLine, publicLine)
  assert.equal(readHubKey(second).publicLine, publicLine)
  assert.equal(statSync(join(second, 'id_ed25519')).mode & 0o777, 0o600)
  const stored = await database.kysely.selectFrom('hub_state').select('value').where('name', '=', 'hubKey').executeTakeFirstOrThrow()
  assert.ok(!stored.value.includes('PRIVATE KEY'))
  readHubKey(stranger)
  await assert.rejects(readSharedHubKey({ directory: stranger, database, secrets }), HubKeyUnusable)
})

test('readSharedHubKey gives the same key to hubs that start at the same time', async () => {
  await using opened = await postgres.open()
  using one = folder()
  using other = folder()
  const read = ({ path }: { readonly path: string }) => readSharedHubKey({ directory: path, database: opened.database, secrets })
  const results = await Promise.allSettled([read(one), read(other)])
  const lines = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.publicLine] : []))
  assert.deepEqual([lines.length, new Set(lines).size], [2, 1])
})
