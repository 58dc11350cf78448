import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import ssh2 from 'ssh2'
import { generatePrivateKey, HubKeyUnusable, readHubKey } from './hub-key.ts'

function folder() {
  const path = mkdtempSync(join(tmpdir(), 'vedette-key-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

test('generatePrivateKey makes only keys that can be read back', () => {
  const unreadable = Array.from({ length: 1500 }, generatePrivateKey).filter((pem) => ssh2.utils.parseKey(pem) instanceof Error)
  assert.deepEqual(unreadable, [])
})

test('readHubKey makes a key for its owner alone, once, with the public line beside it', () => {
  using place = folder()
  const key = readHubKey(place.path)
  assert.equal(readHubKey(place.path).publicLine, key.publicLine)
  assert.equal(statSync(join(place.path, 'id_ed25519')).mode & 0o777, 0o600)
  assert.equal(readFileSync(join(place.path, 'id_ed25519.pub'), 'utf8'), `${key.publicLine}\n`)
  assert.equal(key.sign('token').length, 64)
})

test('readHubKey refuses a damaged key and leaves it', () => {
  using place = folder()
  writeFileSync(join(place.path, 'id_ed25519'), 'damaged')
  assert.throws(() => readHubKey(place.path), HubKeyUnusable)
  assert.equal(readFileSync(join(place.path, 'id_ed25519'), 'utf8'), 'damaged')
})
