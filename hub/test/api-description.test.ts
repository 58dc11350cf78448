import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { databases } from './databases.ts'
import { recordedHub } from './recorded-hub.ts'

type Description = {
  readonly openapi: string
  readonly paths: { readonly [path: string]: { readonly [method: string]: unknown } }
  readonly components: { readonly schemas: { readonly [name: string]: unknown } }
}

async function served() {
  const [kind] = databases
  assert.ok(kind)
  await using hub = await recordedHub(kind)
  const description = (await (await hub.app.request('/api/vedette/openapi.json')).json()) as Description // what it answers
  const routes = hub.app.routes.filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/'))
  return { description, routes: routes.map(({ method, path }) => `${method} ${path}`), collections: hub.engine.collections }
}

/** `:name` as `{name}`, `:action{a|b}` as each of them, without a slash at the end. */
function described(route: string): readonly string[] {
  const plain = route.replace(/\/$/, '')
  const [, before = '', choices, after = ''] = /^(.*)\/:\w+\{([^}]+)\}(.*)$/.exec(plain) ?? []
  if (choices !== undefined) return choices.split('|').flatMap((one) => described(`${before}/${one}${after}`))
  return [plain.replaceAll(/:(\w+)/g, '{$1}')]
}

test('every route of the hub is described, and nothing is described that there is not', async () => {
  const { description, routes, collections } = await served()
  const records = /^(\w+) \/api\/collections\/\{collection\}\/records(\/\{id\})?$/
  const wanted = new Set(routes.flatMap(described).filter((call) => !records.test(call)))
  const names = collections.all.map(({ name }) => `/api/collections/${name}/records`)
  const found = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const others = found.filter((call) => !names.some((name) => call.endsWith(name) || call.endsWith(`${name}/{id}`)))
  assert.deepEqual([...new Set(others.map((call) => call.replace(/\/$/, '')))].toSorted(), [...wanted].toSorted())
  assert.ok(found.includes('GET /api/collections/systems/records') && found.includes('PATCH /api/collections/alerts/records/{id}'))
})

test('what the description refers to is in it, and no hidden field is shown', async () => {
  const { description, collections } = await served()
  const text = JSON.stringify(description)
  for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) assert.ok(description.components.schemas[name], name)
  for (const { name, fields, storage } of collections.all) {
    if (storage === 'none') continue
    const { properties } = description.components.schemas[name] as { readonly properties: object } // a record's schema
    for (const field of fields) assert.equal(field.name in properties, field.hidden !== true, `${name}.${field.name}`)
  }
})

test('docs/api.json is what the hub serves (node tools/describe-api.ts writes it)', async () => {
  const { description } = await served()
  const written: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'api.json'), 'utf8'))
  assert.deepEqual(description, written)
})
