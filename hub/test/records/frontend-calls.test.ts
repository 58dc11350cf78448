import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { databases } from '../databases.ts'
import { dataset, readVector, recordedHub, type RecordedHub } from '../recorded-hub.ts'

type Request = {
  readonly method: string
  readonly path: string
  readonly query: { readonly [name: string]: string }
  readonly authorization?: 'raw'
  readonly body?: string
}
type Visit = { readonly step: string; readonly requests: readonly Request[] }
type Body = { readonly [field: string]: Json }

const { about: _about, ...generations } = readVector('frontend-calls.json') as {
  about: string
  [version: string]: readonly Visit[] | string
}

for (const kind of databases) {
  for (const [version, visits] of Object.entries(generations)) {
    test(`${kind.name}: every request of the dashboard of ${version} gets a valid response`, async (t) => {
      await using hub = await recordedHub(kind)
      const token = await hub.tokenOf('alice')
      for (const { step, requests } of visits as readonly Visit[]) {
        await t.test(step, async () => {
          let clientId = ''
          for (const request of requests) {
            const response = await sendAs(hub, token, request, clientId)
            const called = `${request.method} ${request.path} ${JSON.stringify(request.query)}`
            if (request.path === '/api/realtime' && request.method === 'GET') {
              clientId = await clientIdOf(response)
              continue
            }
            const text = await response.text()
            const withoutToken = request.path.endsWith('/auth-refresh') && request.authorization === undefined
            assert.equal(response.status, withoutToken ? 401 : request.path === '/api/realtime' ? 204 : 200, `${called}: ${text}`)
            if (text !== '' && !withoutToken) assertAsked(request, JSON.parse(text) as Body)
          }
        })
      }
    })
  }

  test(`${kind.name}: strict clients get the keys that they require`, async () => {
    await using hub = await recordedHub(kind)
    const token = await hub.tokenOf('alice')
    const get = async (path: string, query: Request['query'] = {}): Promise<Body> => {
      const response = await sendAs(hub, token, { method: 'GET', path, query, authorization: 'raw' }, '')
      assert.equal(response.status, 200, path)
      return (await response.json()) as Body // the response is an object here
    }
    for (const [collection, required] of Object.entries(requiredKeys)) {
      const page = await get(`/api/collections/${collection}/records`, { perPage: '500', page: '1' })
      for (const key of ['page', 'perPage', 'totalItems', 'totalPages']) assert.equal(typeof page[key], 'number', `${collection}: ${key}`)
      const items = page['items'] as readonly Body[] // a page
      assert.ok(items.length > 0, collection)
      for (const item of items)
        for (const [key, type] of Object.entries(required)) assert.equal(typeOf(item[key]), type, `${collection}: ${key}`)
    }
    // Widgets read this field without a check. Some clients wrote another type into the data set.
    const [up] = (await get('/api/collections/systems/records', { filter: "status='up'", perPage: '1' }))['items'] as readonly Body[] // a page
    assert.equal(typeOf(up?.['info']), 'object')
    const { password, oauth2 } = await get('/api/collections/users/auth-methods')
    assert.deepEqual([typeOf((password as Body)['enabled']), typeOf((oauth2 as Body)['providers'])], ['boolean', 'list'])
    const exp = JSON.parse(atob(token.split('.')[1] ?? '')) as Body // the claims of a token
    assert.deepEqual([typeOf(exp['exp']), exp['id']], ['number', dataset.aliases['alice']])
  })
}

/** Keys without which apps, dashboards and home automations fail on a record. */
const requiredKeys: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  systems: {
    id: 'string',
    name: 'string',
    status: 'string',
    updated: 'string',
    host: 'string',
    port: 'string',
    users: 'list',
  },
  containers: {
    id: 'string',
    collectionId: 'string',
    collectionName: 'string',
    name: 'string',
    cpu: 'number',
    memory: 'number',
    status: 'string',
    system: 'string',
    updated: 'number',
  },
  container_stats: {
    id: 'string',
    collectionId: 'string',
    created: 'string',
    updated: 'string',
    system: 'string',
    type: 'string',
    stats: 'list',
  },
  system_stats: { id: 'string', created: 'string', type: 'string', stats: 'object' },
  system_details: { id: 'string', system: 'string', updated: 'string' },
  alerts: { id: 'string', name: 'string', system: 'string', user: 'string', value: 'number', min: 'number', triggered: 'boolean' },
  alerts_history: { id: 'string', system: 'string', name: 'string', created: 'string', resolved: 'string' },
  smart_devices: { id: 'string', system: 'string', name: 'string', state: 'string' },
  systemd_services: { id: 'string', system: 'string', name: 'string', state: 'number', updated: 'number' },
}

function typeOf(value: Json | undefined): string {
  return Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value
}

async function sendAs(hub: RecordedHub, token: string, request: Request, clientId: string): Promise<Response> {
  const query = new URLSearchParams(
    Object.entries(request.query).map(([name, value]) => [name, value.replace(/<now - (\d+) min[^>]*>/, timeAgo)]),
  )
  const headers = { 'content-type': 'application/json', ...(request.authorization === undefined ? {} : { authorization: token }) }
  const body = request.body?.replace('<clientId>', clientId)
  const init = { method: request.method, headers, ...(body === undefined ? {} : { body }) }
  return hub.app.fetch(new Request(`http://hub${request.path}?${query.toString()}`, init), {
    incoming: { socket: { remoteAddress: '127.0.0.1' } },
  })
}

/** A time in a filter, as the dashboards write it. */
function timeAgo(_whole: string, minutes: string): string {
  return new Date(Date.now() - Number(minutes) * 60_000).toISOString().slice(0, 19).replace('T', ' ')
}

async function clientIdOf(stream: Response): Promise<string> {
  const reader = stream.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  const [, id = ''] = /^id:(.+)$/m.exec(new TextDecoder().decode(value as Uint8Array)) ?? [] // a stream of bytes
  assert.notEqual(id, '')
  return id
}

/** Checks that a page has its numbers, and that each record has exactly the requested existing fields. */
function assertAsked({ path, query }: Request, body: Body): void {
  if (!path.endsWith('/records')) return
  const { items, page, perPage } = body
  assert.ok(Array.isArray(items))
  assert.equal(page, Math.max(1, Number(query['page'] ?? 1)))
  assert.equal(perPage, Math.min(1000, Number(query['perPage'] ?? 30)))
  const fields = (query['fields'] ?? '').split(',').filter((one) => one !== '' && !one.includes('.') && one !== 'state')
  for (const item of items as readonly Body[]) for (const field of fields) assert.ok(field in item, `${path}: ${field}`)
}
