import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { databases, type TestDatabase } from '../../../test/databases.ts'
import { secretBox } from '../../platform/secrets/secret-box.ts'
import { collections } from '../collections/collections.ts'
import { recordTableStore } from '../engine/record-table-store.ts'
import type { RecordTableStore } from '../engine/engine.ts'
import type { RecordValues } from '../model/record-store.ts'
import { resolver, type Reach } from './resolve.ts'
import { sortSql, toSql } from './to-sql.ts'

const [sqlite] = databases
const secrets = secretBox(randomBytes(32))

const user = (id: string, role: string) => ['users', { id, email: `${id}@x.y`, username: id, role, emailVisibility: id === 'u2' }] as const
const records: readonly (readonly [collection: string, values: RecordValues])[] = [
  user('u1', 'admin'),
  user('u2', 'user'),
  user('u3', 'user'),
  ['systems', { id: 's0', name: 'web-1', host: 'a', port: '10', status: 'up', users: ['u1', 'u2'], info: { cpu: 10, la: [1, 2] } }],
  ['systems', { id: 's1', name: 'WEB', host: 'b', port: '9', status: 'down', users: ['u2'], info: { cpu: 2 } }],
  ['systems', { id: 's2', name: '', host: 'c', port: '', status: 'up', users: [], info: null }],
  ['alerts', { id: 'a0', user: 'u1', system: 's0', name: 'CPU', value: 80, min: 5, triggered: true }],
  ['alerts', { id: 'a1', user: 'u2', system: 's1', name: 'Memory', value: 10, min: 5, triggered: false }],
  ['alerts', { id: 'a2', user: 'u2', system: 's0', name: 'Disk', value: 5, min: 5, triggered: false }],
  ['fingerprints', { id: 'f0', system: 's0', token: 'token-one', fingerprint: 'x' }],
]

/** Filters that the database decides alone, with the ids of the records that they select. */
const exact: readonly (readonly [collection: string, filter: string, ids: string])[] = [
  ['systems', "'a' = 'a'", 's0 s1 s2'],
  ['systems', "'a' = 'b'", ''],
  ['systems', '1 < 2', 's0 s1 s2'],
  ['systems', "id:lower = 's0'", ''],
  ['systems', "'s0' = id:lower || name = 'WEB'", 's1'],
  ['systems', "name = 'WEB'", 's1'],
  ['systems', "name != 'WEB'", 's0 s2'],
  ['systems', "(name = 'WEB' || status = 'up') && port = '10'", 's0'],
  ['systems', "name = 'WEB' || port = '10'", 's0 s1'],
  ['systems', "name:lower = 'web'", 's1'],
  ['systems', 'info.cpu > 5', 's0'],
  ['systems', 'info.la.1 = 2', 's0'],
  // Without a modifier the list itself is compared, as JSON.
  ['systems', "users ?= 'u1'", ''],
  ['systems', "users.id ?= 'u2'", 's0 s1'],
  ['systems', "users:each ?= 'u1'", 's0'],
  ['systems', "users:each = 'u2'", 's1'],
  ['systems', 'users:length = 2', 's0'],
  ['systems', 'users:length = 0', 's2'],
  ['systems', "users.role ?= 'admin'", 's0'],
  ['systems', "users.role = 'user'", 's1'],
  ['systems', "users.role ?!= 'admin' && users.email ?= 'u1@x.y'", ''],
  ['systems', 'alerts_via_system.value ?> 50', 's0'],
  ['systems', 'alerts_via_system.value > 50', ''],
  ['systems', 'alerts_via_system.value > 4', 's0 s1'],
  ['systems', "alerts_via_system.user.email ?= 'u2@x.y'", 's0 s1'],
  ['systems', "fingerprints_via_system.token = 'token-one'", 's0'],
  ['systems', "'token-one' = fingerprints_via_system.token", 's0'],
  ['systems', "fingerprints_via_system.token != 'token-one'", 's1 s2'],
  ['systems', "fingerprints_via_system.token = ''", 's1 s2'],
  ['systems', 'fingerprints_via_system.token = 5', ''],
  ['systems', 'fingerprints_via_system.token != 5', 's0 s1 s2'],
  ['users', "systems_via_users.name ?= 'WEB'", 'u2'],
  ['alerts', "system.name = 'web-1'", 'a0 a2'],
  ['alerts', "system.users.id ?= 'u1'", 'a0 a2'],
  ['alerts', 'system.alerts_via_system.value ?= 80', 'a0 a2'],
  ['alerts', "@collection.users.id ?= 'u3'", 'a0 a1 a2'],
  ['alerts', "@collection.users.id ?= 'nobody'", ''],
  ['alerts', 'user:length = 1', 'a0 a1 a2'],
  ['alerts', 'user:length = 0', ''],
  ['alerts', "value:lower = '80'", 'a0'],
  ['alerts', "triggered:lower = 'true'", ''],
]

/** Filters that need the loaded records: the database may select too many, never too few. */
const inexact: readonly (readonly [collection: string, filter: string, ids: string])[] = [
  ['systems', "fingerprints_via_system.token ~ 'token'", 's0 s1 s2'],
  ['systems', 'fingerprints_via_system.token = name', 's0 s1 s2'],
  ['systems', "strftime('%Y', created) = '1999'", 's0 s1 s2'],
  ['systems', "'1999' = strftime('%Y', created)", 's0 s1 s2'],
  ['systems', "fingerprints_via_system.token ~ 'token' && name = 'WEB'", 's1'],
  ['systems', "system_stats_via_system.type ?= '1m'", 's0 s1 s2'],
]

/** The sort, and the ids in its order; `undefined` when the database cannot sort by it. */
const orders: readonly (readonly [collection: string, name: string, ids: string | undefined])[] = [
  ['systems', 'name', 's2 s1 s0'],
  ['systems', 'info.cpu', 's2 s1 s0'],
  ['systems', 'users:length', 's2 s1 s0'],
  ['alerts', 'system.name', 'a1 a0 a2'],
  // The oldest alert of s0 has 80, of s1 10.
  ['systems', 'alerts_via_system.value', 's2 s1 s0'],
  // The smallest address: u1 of s0, u2 of s1.
  ['systems', 'users.email', 's2 s0 s1'],
  ['fingerprints', 'token', undefined],
  ['systems', 'fingerprints_via_system.token', undefined],
  ['systems', 'system_stats_via_system.type', undefined],
]

describe('toSql', () => {
  let opened: TestDatabase
  let store: RecordTableStore

  before(async () => {
    assert.ok(sqlite)
    opened = await sqlite.open()
    store = recordTableStore({ database: opened.database, collections, secrets, clock: { now: () => Date.UTC(2024, 5, 1) } })
    await opened.database.write(async (unit) => {
      for (const [into, values] of records) await store.insert(unit, into, values)
    }, 'process')
  })

  after(() => opened[Symbol.asyncDispose]())

  function collectionOf(name: string) {
    const collection = collections.find(name)
    assert.ok(collection)
    const context = { collections, facts: { context: 'default', method: 'GET', query: {}, headers: {} }, nowMs: 0 } as const
    return { collection, resolving: resolver(collection, context) }
  }

  async function select(name: string, filter: string, reach: Reach = 'everything') {
    const { collection, resolving } = collectionOf(name)
    const found = toSql(resolving.plan(resolving.condition(filter, reach)), opened.database.dialect, secrets)
    const rows = await store.loadSelected(collection, sql`where ${found.where} order by r.id`)
    return { ids: rows.map(({ id }) => id).join(' '), exact: found.exact }
  }

  for (const [name, filter, ids] of exact)
    test(`${name}: ${filter}`, async () => assert.deepEqual(await select(name, filter), { ids, exact: true }))

  for (const [name, filter, ids] of inexact)
    test(`${name}, decided by the matcher: ${filter}`, async () => assert.deepEqual(await select(name, filter), { ids, exact: false }))

  test('users: a client’s filter does not find an email address that its user hides', async () => {
    assert.deepEqual(await select('users', "email ~ '@x.y'", 'own'), { ids: 'u2', exact: true })
  })

  for (const [name, by, ids] of orders)
    test(`sortSql: ${name} by ${by}`, async () => {
      const { collection, resolving } = collectionOf(name)
      const term = resolving.term(by, 'everything')
      const plan = resolving.plan({ kind: 'and', parts: [] })
      const values = sortSql(plan, term, opened.database.dialect)
      const rows = values && (await store.loadSelected(collection, sql`order by ${sql.join([...values, sql`r.id`])}`))
      assert.equal(rows?.map(({ id }) => id).join(' '), ids)
    })
})
