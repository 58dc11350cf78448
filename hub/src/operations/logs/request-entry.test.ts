import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inheritedName } from '../../../../protocol/test/hostile-names.ts'
import { levels, rowOf } from './log-entry.ts'
import { partsOfRoutes, redactedPath, requestEntry, type AnsweredRequest } from './request-entry.ts'

const request: AnsweredRequest = {
  atMs: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  tookMs: 1.23456,
  method: 'GET',
  path: '/api/settings',
  search: '?fields=meta',
  status: 200,
  bytes: 512,
  auth: 'users',
  account: 'person000000001',
  address: '10.0.0.1',
  peer: '127.0.0.1',
  referer: 'https://hub.example.com/reset-password/secret?token=secret',
  browser: 'Browser/1.0',
  refusal: undefined,
}
const shown = (path: string, search: string) => path + search

test('requestEntry formats a request as clients of other hubs expect', () => {
  assert.deepEqual(requestEntry(request, shown), {
    atMs: request.atMs,
    level: 0,
    message: 'GET /api/settings',
    status: 200,
    account: 'person000000001',
    address: '10.0.0.1',
    data: {
      type: 'request',
      execTime: 1.235,
      status: 200,
      method: 'GET',
      url: '/api/settings?fields=meta',
      auth: 'users',
      authId: 'person000000001',
      referer: 'https://hub.example.com',
      userAgent: 'Browser/1.0',
      userIP: '10.0.0.1',
      remoteIP: '127.0.0.1',
      bytes: 512,
    },
  })
})

test('requestEntry sets the level by the response status, and debug for routine requests', () => {
  for (const [method, path, status, level] of [
    ['GET', '/api/settings', 200, levels.info],
    ['GET', '/api/settings', 403, levels.warn],
    ['GET', '/api/settings', 503, levels.error],
    ['GET', '/api/health', 200, levels.debug],
    ['GET', '/api/health', 503, levels.error],
    ['GET', '/api/beszel/agent-connect', 401, levels.debug],
    ['GET', '/assets/app.js', 200, levels.debug],
    ['OPTIONS', '/api/settings', 204, levels.debug],
    ['GET', '/api/vedette/logs', 200, levels.debug],
    ['GET', '/api/logs/stats', 200, levels.debug],
    ['GET', '/api/logs', 403, levels.warn],
    ['DELETE', '/api/logs', 204, levels.info],
  ] as const)
    assert.equal(requestEntry({ ...request, method, path, status }, shown).level, level, `${method} ${path} ${status}`)
})

test('rowOf removes characters that a database cannot store, and cuts long values', () => {
  const entry = { ...requestEntry(request, shown), message: `a\0b${'x'.repeat(1_000)}` }
  const long = rowOf({ ...entry, data: { note: 'y'.repeat(3_000), half: '\ud800', list: ['z'.repeat(5_000), 'a\0'], ...entry.data } })
  assert.match(long.message, /^abx+…$/)
  assert.ok(Buffer.byteLength(long.data) < 4_000)
  assert.ok(!long.data.includes('\\u0000'))
  assert.deepEqual(Object.keys(JSON.parse(long.data) as object).slice(0, 3), ['note', 'half', 'list'])
  assert.equal(rowOf(entry).created, '2026-01-02 03:04:05.006Z')
})

const routes = ['/api/collections/:collection/records/:id', '/api/health', '/*']
const redacted = redactedPath(new Set([...partsOfRoutes(routes), 'systems']))

test('redactedPath keeps route names, collection names, ids and numbers', () => {
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
    assert.equal(redacted(path, search), kept)
})

test('redactedPath keeps no other text of a client', () => {
  fc.assert(
    fc.property(fc.webPath(), fc.webQueryParameters(), fc.stringMatching(/^[A-Z]{6,40}$/), inheritedName, (path, query, secret, name) => {
      const kept = redacted(`${path}/${secret}/x`, `?${query}&${name}=${secret}&${secret}=1&filter=${secret}&page=${secret}`)
      assert.ok(!kept.includes(secret))
    }),
  )
})
