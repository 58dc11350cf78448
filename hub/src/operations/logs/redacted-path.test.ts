import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inheritedName } from '../../../../protocol/test/hostile-names.ts'
import { partsOfRoutes, redactedPath } from './redacted-path.ts'

const routes = ['/api/collections/:collection/records/:id', '/api/health', '/*']
const shown = redactedPath(new Set([...partsOfRoutes(routes), 'systems']))

test('redactedPath keeps what a route is made of, names of collections, ids and numbers', () => {
  for (const [path, search, kept] of [
    ['/api/health', '', '/api/health'],
    ['/api/collections/systems/records/abc123abc123abc', '', '/api/collections/systems/records/abc123abc123abc'],
    [
      '/api/collections/systems/records',
      '?page=2&perPage=500&skipTotal=1',
      '/api/collections/systems/records?page=2&perPage=500&skipTotal=1',
    ],
    ['/api/collections/systems/records', '?filter=token%3D%22x%22&nope=1', '/api/collections/systems/records?filter=…&…'],
    ['/reset-password/eyJhbGciOi', '?token=x', '/…/…?…'],
    ['/api/collections/systems/records/My server', '', '/api/collections/systems/records/…'],
    ['/', '', '/'],
  ] as const)
    assert.equal(shown(path, search), kept)
})

test('redactedPath lets through no text that somebody thought up', () => {
  fc.assert(
    fc.property(fc.webPath(), fc.webQueryParameters(), fc.stringMatching(/^[A-Z]{6,40}$/), inheritedName, (path, query, secret, name) => {
      const kept = shown(`${path}/${secret}/x`, `?${query}&${name}=${secret}&${secret}=1&filter=${secret}&page=${secret}`)
      assert.ok(!kept.includes(secret))
    }),
  )
})
