import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAddress } from './address.ts'
import { placeOf } from './places.ts'

test('existing links lead where they say', () => {
  const kinds = Object.fromEntries(
    ['', '#/', '#/logs', '#/settings/backups', '#/settings/auth-providers', '#/settings/mail', '#/toString', '#/constructor'].map(
      (hash) => [hash, placeOf(parseAddress(hash)).kind],
    ),
  )
  assert.deepEqual(kinds, {
    '': 'collection',
    '#/': 'collection',
    '#/logs': 'logs',
    '#/settings/backups': 'backups',
    '#/settings/auth-providers': 'sign-in',
    '#/settings/mail': 'mail',
    '#/toString': 'unknown',
    '#/constructor': 'unknown',
  })
  assert.deepEqual(placeOf(parseAddress('#/collections?collection=systems')), {
    kind: 'collection',
    key: 'collection systems',
    collection: 'systems',
  })
})
