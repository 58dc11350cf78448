import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { databases } from '../../../test/databases.ts'
import { engineOn } from '../../../test/test-engine.ts'
import { collections } from '../collections/collections.ts'
import { accessOf, bindingRule, judgementOf, mayDo, relatedFor } from './access.ts'
import type { Collection, RuleName } from '../model/collection.ts'
import type { Engine } from './engine.ts'
import { loadRelated, matcher } from '../filter/matches.ts'
import { resolver } from '../filter/resolve.ts'
import type { StoredRecord } from '../model/stored-record.ts'

const guest = undefined
const alice = { id: 'alice', role: 'user', verified: true }
const rita = { id: 'rita', role: 'readonly', verified: true }
const admin = { id: 'admin', role: 'admin', verified: true }

// Decisions are equal on both databases; SQLite is the fastest, since it has no server.
const [sqlite] = databases
const opened = (await sqlite?.open()) ?? assert.fail('there is no database')
after(() => opened[Symbol.asyncDispose]())

const stats = { id: 'stats', system: 'web', type: '1m' }
const engine: Engine = {
  ...engineOn(opened.database),
  sources: new Map([['system_stats', { load: async () => [stats], loadOne: async (id) => (id === 'stats' ? stats : undefined) }]]),
}
await opened.database.write(async (unit) => {
  for (const { id } of [alice, rita])
    await engine.store.insert(unit, 'users', { id, email: `${id}@example.com`, username: id, role: 'user', verified: true })
  await engine.store.insert(unit, 'systems', { id: 'hidden', name: 'twin', host: 'h', users: [] })
  await engine.store.insert(unit, 'systems', { id: 'web', name: 'twin', host: 'h', users: ['alice', 'rita'] })
  await engine.store.insert(unit, 'systems', { id: 'other', name: 'web', host: 'h', users: ['alice'] })
  await engine.store.insert(unit, 'system_details', { id: 'web', system: 'web', hostname: 'web' })
})

const collection = (name: string): Collection => collections.find(name) ?? assert.fail(name)
const factsOf = (actor: StoredRecord | undefined) => ({ actor, context: 'default', method: 'GET', query: {}, headers: {} }) as const

test('bindingRule returns the rule of the collection, an empty rule for admins, and throws 403 for admin-only actions', () => {
  const users = collection('users')
  assert.equal(bindingRule(factsOf(alice), users, 'list'), 'id = @request.auth.id')
  assert.equal(bindingRule(factsOf(admin), users, 'list'), '')
  assert.equal(bindingRule(factsOf(admin), users, 'delete'), '')
  assert.equal(bindingRule(factsOf(alice), users, 'stored'), '')
  const refused = { name: 'RecordError', status: 403, message: 'Only superusers can perform this action.' }
  for (const actor of [guest, alice, rita]) assert.throws(() => bindingRule(factsOf(actor), users, 'delete'), refused)
})

const { viewable, updatable } = accessOf(engine)
const missing = { name: 'RecordError', status: 404, message: "The requested resource wasn't found." }

for (const [what, find, actor, name, idOrName, expected] of [
  ['finds a system by its id', viewable, rita, 'systems', 'web', 'web'],
  ['finds by name the first system that the user may view', viewable, rita, 'systems', 'twin', 'web'],
  ['finds by name the first of all systems for an admin', viewable, admin, 'systems', 'twin', 'hidden'],
  ['prefers a record with this id to one with this name', viewable, alice, 'systems', 'web', 'web'],
  ['finds a record of a collection without names', viewable, rita, 'system_details', 'web', 'web'],
  ['finds a system that the user may update', updatable, alice, 'systems', 'web', 'web'],
  ['finds a record of a collection without a table', viewable, admin, 'system_stats', 'stats', 'stats'],
  ['refuses the id of a system without access', viewable, rita, 'systems', 'hidden', undefined],
  ['refuses the name of a system without access', viewable, rita, 'systems', 'other', undefined],
  ['refuses a guest both by id and by name', viewable, guest, 'systems', 'web', undefined],
  ['refuses a read-only user to update a system', updatable, rita, 'systems', 'web', undefined],
  ['refuses an unknown system', viewable, admin, 'systems', 'gone', undefined],
  ['refuses a name in a collection without names', viewable, admin, 'system_details', 'hostname', undefined],
  ['refuses a name in a collection without a table', viewable, admin, 'system_stats', '1m', undefined],
  ['refuses an unknown collection', viewable, admin, 'no_such', 'web', undefined],
] as const) {
  test(`accessOf: ${what}`, async () => {
    if (expected === undefined) await assert.rejects(find({ actor }, name, idOrName), missing)
    else assert.equal((await find({ actor }, name, idOrName)).id, expected)
  })
}

const ruled = (rule: RuleName, text: string | null): Collection => ({
  ...collection('systems'),
  rules: { ...collection('systems').rules, [rule]: text },
})
const web = { id: 'web', name: 'twin', users: ['alice', 'rita'] }
const hidden = { id: 'hidden', name: 'twin', users: [] }

test('judgementOf decides each record separately, also by related records', async () => {
  const judge = (text: string | null, actor: StoredRecord | undefined) => {
    const facts = factsOf(actor)
    return judgementOf(engine, { collection: ruled('view', text), rule: 'view', facts })([hidden, web], relatedFor(engine, facts))
  }
  assert.deepEqual(await judge('id = "web"', guest), [false, true])
  assert.deepEqual(await judge('users.email ?= "rita@example.com"', guest), [false, true])
  assert.deepEqual(await judge('id = "web"', admin), [true, true])
  assert.deepEqual(await judge('', guest), [true, true])
  assert.deepEqual(await judge(null, alice), [false, false])
  assert.deepEqual(await judge('', undefined), [true, true])
})

test('judgementOf evaluates date macros at the current time', async () => {
  const facts = factsOf(guest)
  const at = { ...engine, clock: { now: () => Date.UTC(2026, 0, 10) } }
  const decided = await mayDo(at, { collection: ruled('view', '@year = 2026 && @month = 1'), rule: 'view', facts }, web)
  assert.equal(decided, true)
})

test('mayDo reads records as the transaction changed them', async () => {
  const judged = { collection: collection('system_details'), rule: 'view', facts: factsOf(rita) } as const
  const record = { id: 'web', system: 'web' }
  assert.equal(await mayDo(engine, judged, record), true)
  const rollback = new Error('nothing of it stays')
  const unshare = engine.database.write(async (unit) => {
    await engine.store.update(unit, 'systems', 'web', { users: ['alice'] })
    assert.equal(await mayDo(engine, judged, record, unit), false)
    assert.equal(await mayDo(engine, { ...judged, facts: factsOf(alice) }, record, unit), true)
    throw rollback
  })
  await assert.rejects(unshare, rollback)
})

test('relatedFor: a client’s filter reaches only records that the client may list', async () => {
  const reached = async (actor: StoredRecord | undefined): Promise<boolean> => {
    const facts = factsOf(actor)
    const resolving = resolver(collection('system_details'), { collections, facts, nowMs: 0 })
    const plan = resolving.plan(resolving.condition('system.name = "twin"', 'own'))
    const record = { id: 'web', system: 'web' }
    return matcher(plan)(record, await loadRelated(plan.joins, [record], relatedFor(engine, facts)))
  }
  assert.deepEqual([await reached(rita), await reached(guest)], [true, false])
})
