import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hubRoutes } from '../../src/startup/hub-routes.ts'
import { databases } from '../databases.ts'
import { recordedHub } from '../recorded-hub.ts'

type Description = {
  readonly openapi: string
  readonly paths: { readonly [path: string]: { readonly [method: string]: unknown } }
  readonly components: { readonly schemas: { readonly [name: string]: unknown } }
}

async function served() {
  const [kind] = databases
  assert.ok(kind)
  await using hub = await recordedHub(kind)
  const description = (await (await hub.app.request('/api/vedette/openapi.json')).json()) as Description // the response
  return { description, collections: hub.engine.collections }
}

test('the API description contains every route once, and the records routes per collection', async () => {
  const { description, collections } = await served()
  const isRecords = (path: string): boolean => /^\/api\/collections\/:collection\/records(?:\/:id)?$/.test(path)
  const wanted = hubRoutes
    .filter(({ method, path }) => method !== 'ALL' && !isRecords(path))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}').replace('*', '{path}')}`)
  const found = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const names = collections.all.map(({ name }) => `/api/collections/${name}/records`)
  const others = found.filter((call) => !names.some((name) => call.endsWith(name) || call.endsWith(`${name}/{id}`)))
  assert.deepEqual(others.toSorted(), wanted.toSorted())
  assert.ok(found.includes('GET /api/collections/systems/records') && found.includes('PATCH /api/collections/alerts/records/{id}'))
})

test('the API description declares path parameters and has a JSON Schema for each query and body', async () => {
  const { description } = await served()
  for (const [path, methods] of Object.entries(description.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const { parameters = [] } = operation as { readonly parameters?: readonly { readonly name: string; readonly in: string }[] } // OpenAPI
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
      assert.deepEqual(
        inPath,
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
        `${method} ${path}`,
      )
    }
  const incidents = JSON.stringify(description.paths['/api/vedette/incidents'])
  assert.match(incidents, /"name":"state","in":"query","schema":\{"type":"string","enum":\["firing","over"\]\}/)
})

test('the API description contains everything that it refers to, and no hidden field', async () => {
  const { description, collections } = await served()
  const text = JSON.stringify(description)
  for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) assert.ok(description.components.schemas[name], name)
  for (const { name, fields, storage } of collections.all) {
    if (storage === 'none') continue
    const { properties } = description.components.schemas[name] as { readonly properties: object } // a record's schema
    for (const field of fields) assert.equal(field.name in properties, field.hidden !== true, `${name}.${field.name}`)
  }
})

test('docs/api.json equals the API description that the hub serves (node tools/describe-api.ts writes it)', async () => {
  const { description } = await served()
  const written: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'api.json'), 'utf8'))
  assert.deepEqual(description, written)
})
