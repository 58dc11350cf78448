import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectionAddress, placeOf } from './places.ts'
import { partsOf } from './use-hash-address.ts'

const placeAt = (address: string) => {
  const { path, search } = partsOf(address)
  return placeOf(path, search)
}

test('placeOf resolves existing links', () => {
  const kinds = Object.fromEntries(
    [
      '/',
      '/logs',
      '/logs?filter=a%3Fb',
      '/settings/backups',
      '/settings/import',
      '/settings/auth-providers',
      '/settings/mail',
      '/toString',
      '/constructor',
    ].map((address) => [address, placeAt(address).kind]),
  )
  assert.deepEqual(kinds, {
    '/': 'collection',
    '/logs': 'logs',
    '/logs?filter=a%3Fb': 'logs',
    '/settings/backups': 'backups',
    '/settings/import': 'import',
    '/settings/auth-providers': 'sign-in',
    '/settings/mail': 'mail',
    '/toString': 'unknown',
    '/constructor': 'unknown',
  })
  assert.deepEqual(placeAt('/collections?collection=systems'), { kind: 'collection', key: 'collection systems', collection: 'systems' })
})

test('collectionAddress returns the address of its collection', () => {
  for (const name of ['systems', 'users', '__proto__', 'a&b'])
    assert.deepEqual(placeAt(collectionAddress(name)), { kind: 'collection', key: `collection ${name}`, collection: name })
})

test('partsOf splits at the first question mark', () => {
  assert.deepEqual(partsOf('/logs'), { path: '/logs', search: '' })
  assert.deepEqual(partsOf('/logs?a=1?b'), { path: '/logs', search: 'a=1?b' })
})
