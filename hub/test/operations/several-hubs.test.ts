import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { refusedHub, type HubProcess } from '../hub-process.ts'
import { call, hubsOfOneDatabase, NATS_AWAY, signIn, until } from '../hubs-of-one-database.ts'

type Listed = { readonly [field: string]: Json }

test('two hubs have one key, are listed, and one of them is drained', { timeout: 120_000 }, async () => {
  await using hubs = await hubsOfOneDatabase(NATS_AWAY)
  const a = await hubs.start('a')
  const b = await hubs.start('b')
  const { token } = await signIn(a)
  const keyOf = async (hub: HubProcess) => (await call(hub, token, 'GET /api/beszel/info')).body['key']
  assert.equal(await keyOf(a), await keyOf(b))

  const listed = async (hub: HubProcess) => (await call(hub, token, 'GET /api/vedette/hubs')).body['items'] as readonly Listed[] // its schema
  const items = await until(
    () => listed(b),
    (found) => found.every(({ load }) => load !== null),
  )
  assert.deepEqual(
    items.map(({ name, isThis, isDraining }) => [name, isThis, isDraining]),
    [
      ['a', false, false],
      ['b', true, false],
    ],
  )
  const drain = `/api/vedette/hubs/${String(items[0]?.['id'])}/drain`
  const health = async (hub: HubProcess) => (await call(hub, '', 'GET /api/health')).status
  assert.equal((await call(b, token, `POST ${drain}`)).status, 204)
  await until(
    () => health(a),
    (status) => status === 503,
  )
  assert.equal(await health(b), 200)
  assert.equal((await listed(a))[0]?.['isDraining'], true)
  assert.equal((await call(a, token, `DELETE ${drain}`)).status, 204)
  await until(
    () => health(a),
    (status) => status === 200,
  )
  const { body: audit } = await call(a, token, 'GET /api/vedette/audit')
  assert.match(JSON.stringify(audit), /"end drain".*"drain"/)
})

test('a hub with another secret key is refused', { timeout: 120_000 }, async () => {
  await using hubs = await hubsOfOneDatabase(NATS_AWAY)
  await hubs.start('a')
  const flags = (name: string, key: string) => [
    '--listen',
    '127.0.0.1:0',
    ...hubs.flags(key),
    '--data',
    join(hubs.folder, name),
    '--hub-name',
    name,
  ]
  const { status, complaints } = await refusedHub(flags('b', 'a key that no other hub of the database has'))
  assert.equal(status, 1)
  assert.match(complaints.join('\n'), /sealed with another key/)
})
