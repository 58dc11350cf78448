import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { LocalAuthStore } from 'pocketbase'
import { clockNow } from '../format/clock.ts'
import { deleteRecord, filterOf, getJson, updateRecord } from './client.ts'

for (const [what, send] of [
  ['updateRecord', () => updateRecord('systems', '', { name: 'atlas' })],
  ['deleteRecord', () => deleteRecord('systems', '')],
] as const) {
  test(`§5 ${what} without an id is rejected before anything is sent`, async () => {
    await assert.rejects(send(), { name: 'RequestFailed', status: 404, message: 'Missing required record id.' })
  })
}

test('filterOf quotes its values, so that a name cannot end its quotation', () => {
  assert.equal(filterOf('name={:name}', { name: `o'neil" || "" = "` }), String.raw`name="o'neil\" || \"\" = \""`)
})

for (const status of [400, 401, 403, 404, 500, 503]) {
  test(`§8 any response with status 400 or above: ${status} is an error with the status and what the body says`, async () => {
    const body = {
      status,
      message: `The hub says ${status}.`,
      data: { host: { code: 'validation_odd', message: 'Is odd.' } },
    }
    const fetched = mock.method(globalThis, 'fetch', () => Promise.resolve(Response.json(body, { status })))
    await assert.rejects(getJson('/api/anything', undefined), {
      name: 'RequestFailed',
      status,
      message: `The hub says ${status}.`,
      fieldErrors: { host: { code: 'validation_odd', message: 'Is odd.' } },
    })
    fetched.mock.restore()
  })
}

test('getJson rejects a response body that is not JSON', async () => {
  for (const [status, text] of [
    [500, '<html>a proxy says this</html>'],
    [502, ''],
  ] as const) {
    const fetched = mock.method(globalThis, 'fetch', () => Promise.resolve(new Response(text, { status })))
    await assert.rejects(getJson('/api/anything', undefined), { name: 'RequestFailed', status })
    fetched.mock.restore()
  }
})

test('§9 cookie size limit: a session as a cookie has at most 4096 bytes, and keeps what it cannot do without', () => {
  const store = new LocalAuthStore('too-large')
  store.save('a.token.of-its-own', {
    id: 'person000000001',
    collectionId: 'c',
    collectionName: 'users',
    email: 'a@b.c',
    notes: 'x'.repeat(5000),
  })
  const cookie = store.exportToCookie({})
  const [value = ''] = cookie.slice(cookie.indexOf('=') + 1).split(';')
  assert.ok(new Blob([cookie]).size <= 4096, `${cookie.length}`)
  assert.deepEqual(JSON.parse(decodeURIComponent(value)), {
    token: 'a.token.of-its-own',
    record: { id: 'person000000001', email: 'a@b.c', collectionId: 'c', collectionName: 'users' },
  })
})

test('getJson sets the page’s clock from a response, unless it may be cached or its headers took long', async () => {
  const hubMs = Date.UTC(2026, 0, 31, 9, 30)
  let sinceStartMs = 0
  mock.method(performance, 'now', () => sinceStartMs)
  const answer = async (date: number, cacheControl: string, tookMs = 0) => {
    mock.method(globalThis, 'fetch', async () => {
      sinceStartMs += tookMs
      return Response.json({}, { headers: { date: new Date(date).toUTCString(), 'cache-control': cacheControl } })
    })
    await getJson('/api/anything', undefined)
  }
  await answer(hubMs, 'private, no-store')
  assert.equal(clockNow(), hubMs)
  await answer(hubMs - 40_000, 'private, max-age=60')
  assert.equal(clockNow(), hubMs)
  await answer(hubMs, 'private, no-store', 40_000)
  assert.equal(clockNow(), hubMs + 40_000)
  mock.restoreAll()
})
