import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collections, records } from '../../../test/filter-scene.ts'
import { relatedInMemory } from '../../../test/related-in-memory.ts'
import { idsIn, loadRelated, matcher, valuer } from './matches.ts'
import type { RequestFacts } from './filter-names.ts'
import type { StoredRecord } from '../model/stored-record.ts'
import { resolver, type Reach } from './resolve.ts'

const inherited = ['constructor', '__proto__', 'toString']

const guest: RequestFacts = { context: 'default', method: 'GET', query: {}, headers: {} }
const alice: RequestFacts = { ...guest, actor: { id: 'alice', name: 'Alice' } }
const NOW_MS = Date.UTC(2026, 0, 10, 8, 30)

/** Returns the ids of the records of a collection that match a filter. */
async function found(filter: string, { of = 'machines', reach = 'everything', facts = guest }: Question = {}): Promise<readonly string[]> {
  const resolving = resolver(collections.find(of) ?? assert.fail(of), { collections, facts, nowMs: NOW_MS })
  const plan = resolving.plan(resolving.condition(filter, reach))
  const all = records[of] ?? []
  const listable = relatedInMemory(records, (name, record) => mayList(name, record, facts.actor?.id ?? ''))
  const related = await loadRelated(plan.joins, all, listable)
  return all.filter((record) => matcher(plan)(record, related)).map(({ id }) => id)
}

function mayList(name: string, { author, members }: StoredRecord, person: string): boolean {
  return name === 'rooms' ? Array.isArray(members) && members.includes(person) : name !== 'notes' || author === person
}

type Question = { readonly of?: string; readonly reach?: Reach; readonly facts?: RequestFacts }

const everything: readonly (readonly [filter: string, ...ids: string[]])[] = [
  ['', 'web', 'db', 'new'],
  ["name = 'db'", 'db'],
  ["'db' = name", 'db'],
  ["name = 'db' || port = 80", 'web', 'db'],
  ["name != 'db' && up = true", 'web', 'new'],
  ["id = 'web'", 'web'],
  ["id:lower = 'web'"],
  ['id:length = 1'],
  ['name = null', 'new'],
  ["name ~ 'WEB'", 'web'],
  ["name:lower = 'web-1'", 'web'],
  ["status:lower = 'up'", 'web'],
  ["owner:lower = 'bob'", 'db'],
  ["port:lower = '80'", 'web'],
  ["up:lower = '1'", 'web', 'new'],
  ["info:lower = 'linux'"],
  ["users:lower ?= 'alice'"],
  ['up = 1', 'web', 'new'],
  ['up = false', 'db'],
  ['port > 79 && port < 5433', 'web', 'new'],
  ["port = '80'", 'web'],
  ["users:length = '2'", 'web'],
  // A number that is compared with a text counts as text.
  ['name < 42', 'new'],
  ['name:lower < 42', 'new'],
  ['status:each < 42', 'db'],
  ['tokens_via_machine.token < 42', 'db'],
  ["owner.name:lower = 'null'"],
  ['status:length = 1', 'web', 'new'],
  ['owner:length = 0', 'new'],
  ['users:length = 2', 'web'],
  ['users:length = 0', 'new'],
  ['name:length >= 0'],
  ["status:each = 'down'", 'new'],
  ["owner:each = 'bob'", 'db'],
  ["name:each = 'db'"],
  ["users:each ?= 'bob'", 'web'],
  ['name:isset = 1'],
  ['name:changed = 0'],
  // Without `?` every value must satisfy the comparison. A machine without users has the single value null.
  ["users.id = 'alice'", 'db'],
  ["users.id ?= 'alice'", 'web', 'db'],
  ["users.id != 'bob'", 'db', 'new'],
  ["users.id ?!= 'bob'", 'web', 'db', 'new'],
  ["users = 'alice'"],
  ["users.name = 'Alice'", 'db'],
  ["users.name ?= 'Bob'", 'web'],
  ["users.id ?= 'alice' && users.name ?= 'Bob'"],
  ["users.id ?= 'alice' && users.name ?= 'Alice'", 'web', 'db'],
  ["users.boss.name ?= 'Bob'", 'web', 'db'],
  ["users.boss ?= 'bob'", 'web', 'db'],
  ["users.boss.boss.name ?!= ''"],
  ["users.email ?= 'bob@example.com'", 'web'],
  ["users.note ?= 'n'", 'web', 'db'],
  ["owner.id = 'alice'", 'web'],
  ["owner.name = 'Bob'", 'db'],
  ["owner.name != 'Bob'", 'web', 'new'],
  ["owner.id:lower = 'alice'"],
  ['info.cpu > 10', 'web'],
  ['info.cpu = 0', 'new'],
  ['info.load.1 = 2', 'web'],
  ['info.load.3 = null', 'web', 'db', 'new'],
  ["info.load = '[1,2,3]'", 'web'],
  ["info.deep.a = 'x'", 'web'],
  // A number is an index into a list, never a key.
  ["info.deep.1 = 'key'"],
  ["info.os.0 = 'L'"],
  ["info.deep.a1 = 'y'", 'web'],
  ["info.deep.1a = 'z'", 'web'],
  ['info.many.10 = 10', 'web'],
  ["info.cpu = ''"],
  ['info.fine = true', 'web'],
  ['info = null', 'db'],
  ['info.a.b.c.d.e.f.g = null', 'web', 'db', 'new'],
  ...inherited.map((name): readonly [string, ...string[]] => [`info.${name} != null || info.deep.${name} != null`]),
  ['notes_via_machine.value > 5', 'db'],
  ['notes_via_machine.value ?> 5', 'web', 'db'],
  ["notes_via_machine.id ?= 'n2'", 'web'],
  ["notes_via_machine.author.name ?= 'Bob'", 'web'],
  ["notes_via_machine.author.name != 'Bob'", 'db', 'new'],
  ["notes_via_machine.text ?= 'disk' && notes_via_machine.value ?= 8", 'db'],
  ["tokens_via_machine.token = 'abc'", 'web'],
  ["tokens_via_machine.token != 'abc'", 'db', 'new'],
  ["@collection.people.id ?= 'alice' && @collection.people.id ?= 'bob'"],
  ["@collection.people:one.id ?= 'alice' && @collection.people:other.id ?= 'bob'", 'web', 'db', 'new'],
  ["@collection.people.id ?= owner && @collection.people.name ?= 'Alice'", 'web'],
  ['@collection.notes.value > 2', 'web', 'db', 'new'],
  ['@collection.notes.value > 3'],
  ["@request.auth.id != ''"],
  ['created < @yearStart', 'db', 'new'],
  ["strftime('%Y', created) = '2026'", 'web'],
  ["strftime('%Y', '') = ''", 'web', 'db', 'new'],
  ['geoDistance(port, port, 80, 80) = 0', 'web'],
  ["strftime('%Y', name:each) = ''"],
  ["strftime('%Y', name:each) != ''"],
  // No user's id is a date.
  ["strftime('%Y', users.id) = ''", 'web', 'db', 'new'],
  ["strftime('%Y', users.id) ?= ''", 'web', 'db', 'new'],
]

for (const [filter, ...ids] of everything) {
  test(`a rule selects ${ids.join(' ') || 'nothing'} by ${filter || 'no filter'}`, async () => assert.deepEqual(await found(filter), ids))
}

const own: readonly (readonly [filter: string, ...ids: string[]])[] = [
  ["owner.email = 'Alice@example.com'", 'web'],
  ["owner.email:lower = 'alice@example.com'", 'web'],
  ["owner.email = 'bob@example.com'"],
  ["owner.email:lower = 'bob@example.com'"],
  ['owner.email:length >= 0'],
  ['notes_via_machine.value ?= 8', 'db'],
  ['notes_via_machine.value ?= 3', 'web'],
  ["notes_via_machine.author.name ?= 'Bob'"],
  ["@collection.notes.id ?= 'n2'"],
  ["@collection.notes.id ?= 'n1'", 'web', 'db', 'new'],
  ["users.id ?= 'bob'", 'web'],
  ["owner.boss.name = 'Bob'", 'web'],
]

for (const [filter, ...ids] of own) {
  test(`a client’s filter selects ${ids.join(' ') || 'nothing'} by ${filter}`, async () =>
    assert.deepEqual(await found(filter, { reach: 'own', facts: alice }), ids))
}

for (const [filter, ...ids] of [
  // The list rule of rooms and the filter apply to the same member.
  ["room.members.name ?= 'Alice'", 'front'],
  ["room.members.name ?= 'Bob'"],
  ["room.members.name ?!= 'Carol'", 'front'],
  // The caller may not list the room, so its name is missing; the door is listed.
  ["room.name = 'Hall'", 'front'],
  ["room.name != 'Hall'", 'back'],
  ["room.name = 'Vault'"],
] as const) {
  test(`a client’s filter on doors selects ${ids.join(' ') || 'none'} by ${filter}`, async () =>
    assert.deepEqual(await found(filter, { of: 'doors', reach: 'own', facts: alice }), ids))
}

test('a rule on doors ignores the list rule of rooms', async () => {
  assert.deepEqual(await found("room.members.name ?= 'Bob'", { of: 'doors', facts: alice }), ['front', 'back'])
})

test('a client’s filter and a rule reach the same collection separately: only the filter applies its list rule', async () => {
  const resolving = resolver(collections.find('machines') ?? assert.fail(), { collections, facts: alice, nowMs: NOW_MS })
  const rule = resolving.condition("notes_via_machine.id ?= 'n2'", 'everything')
  const filter = resolving.condition("notes_via_machine.id ?= 'n1'", 'own')
  const plan = resolving.plan({ kind: 'and', parts: [rule, filter] })
  const all = records['machines'] ?? []
  const related = await loadRelated(
    plan.joins,
    all,
    relatedInMemory(records, (_, { id }) => id !== 'n2'),
  )
  assert.deepEqual(
    all.filter((record) => matcher(plan)(record, related)).map(({ id }) => id),
    ['web'],
  )
})

const refused: readonly (readonly [filter: string, message: RegExp, of?: Reach])[] = [
  ['nothing = 1', /there is no "nothing"/],
  ['owner.nothing = 1', /there is no "nothing"/],
  ["owner.id.name = 'x'", /there is no "owner.id.name"/],
  ["name.id = 'x'", /there is no "name.id"/],
  ["nothing.id = 'x'", /there is no "nothing.id"/],
  ["status.id = 'x'", /there is no "status.id"/],
  ['@nothing = 1', /there is no "@nothing"/],
  ['@request.nothing = 1', /"@request.nothing" is not a part of a request/],
  ['@request.auth.id:nothing = 1', /there is no modifier "nothing"/],
  ['name:nothing = 1', /there is no modifier "nothing"/],
  ['id:nothing = 1', /there is no modifier "nothing"/],
  ["@collection.nothing.id = 'x'", /there is no collection "nothing"/],
  ["@collection.people = 'x'", /there is no collection ""/],
  ["notes_via_author.id = 'x'", /there is no "notes_via_author.id"/],
  ["notes_via_value.id = 'x'", /there is no "notes_via_value.id"/],
  ["nothing_via_machine.id = 'x'", /there is no "nothing_via_machine.id"/],
  ["xnotes_via_machine.id = 'x'", /there is no/],
  ["notes_via_machine-x.id = 'x'", /Cannot read the filter/],
  ['owner.boss.boss.boss.boss.boss.boss.name = 1', /passes more than 6 relations/],
  ["name = 'a\0b'", /U\+0000/],
  ["geoDistance('1', 2, 3, 4) = 0", /"geoDistance" takes numbers/],
  ['nothing(1) = 0', /there is no function "nothing"/],
  ["owner.note = 'n'", /there is no "note"/, 'own'],
  ["tokens_via_machine.id = 't1'", /"tokens" is not open to it/, 'own'],
  ['owner.email:nothing = 1', /there is no modifier "nothing"/, 'own'],
]

for (const [filter, message, reach = 'everything'] of refused) {
  test(`${reach === 'own' ? 'a client’s own filter' : 'a rule'} refuses ${JSON.stringify(filter)}`, async () => {
    await assert.rejects(found(filter, { reach }), { name: 'FilterError', message })
  })
}

test('a relation to an unknown collection is refused', async () => {
  await assert.rejects(found("lost.name = 'x'", { of: 'notes' }), { name: 'FilterError', message: /there is no collection "no_such"/ })
})

test('a filter may pass six relations', async () => {
  assert.deepEqual(await found('owner.boss.boss.boss.boss.boss.name = null'), ['web', 'db', 'new'])
})

test('a filter that compares all records with each other is refused by its step budget', async () => {
  const resolving = resolver(collections.find('machines') ?? assert.fail(), { collections, facts: guest, nowMs: NOW_MS })
  const [web] = records['machines'] ?? []
  assert.ok(web)
  const steps = async (filter: string): Promise<number> => {
    const plan = resolving.plan(resolving.condition(filter, 'everything'))
    const budget = { steps: 1000 }
    matcher(plan)(web, await loadRelated(plan.joins, [web], relatedInMemory(records)), budget)
    return 1000 - budget.steps
  }
  assert.equal(await steps("name = 'x'"), 2, 'a row and a comparison')
  assert.equal(await steps("name = 'x' || port = 1"), 3)
  assert.equal(await steps("@collection.people.id ?= 'x'"), 4, 'two rows with a comparison each')
  assert.equal(await steps("users.id ?= 'x'"), 4, 'a row, a search and two ids')
  assert.equal(await steps("users.id ?= 'alice' && users.name ?= 'x'"), 5, 'two rows with a comparison each, and one name')
  assert.equal(await steps("1 = 1 && (name = 'x' || 1 = 2)"), 2, 'comparisons of constants are free')
  assert.equal(await steps("name ~ 'x'"), 2)
  assert.equal(await steps(`name ~ '${'x'.repeat(400)}'`), 4, 'five letters searched for 400 are two steps more')
  assert.equal(await steps(`name !~ '${'x'.repeat(400)}'`), 4)
  assert.equal(await steps(`port ~ '${'x'.repeat(400)}'`), 2, 'a number is one letter')
  assert.equal(await steps(`name = '${'x'.repeat(400)}'`), 2)
  const plan = resolving.plan(resolving.condition("name = 'x'", 'everything'))
  const related = await loadRelated(plan.joins, [web], relatedInMemory(records))
  assert.equal(matcher(plan)(web, related, { steps: 2 }), false)
  assert.throws(() => matcher(plan)(web, related, { steps: 1 }), { name: 'FilterError', message: /too much work/ })
})

test('loadRelated queries only records of the filter’s relations', async () => {
  const resolving = resolver(collections.find('machines') ?? assert.fail(), { collections, facts: guest, nowMs: NOW_MS })
  const plan = resolving.plan(resolving.condition("owner.boss.name = 'x' && notes_via_machine.id = 'y'", 'everything'))
  const asked: string[][] = []
  const source = relatedInMemory(records)
  await loadRelated(plan.joins, records['machines'] ?? [], {
    ...source,
    loadMany: async (of, ids) => {
      asked.push([of.name, ...ids])
      return source.loadMany(of, ids)
    },
    loadReferring: async (of, field, ids) => {
      asked.push([of.name, field.name, ...ids])
      return source.loadReferring(of, field, ids)
    },
  })
  assert.deepEqual(asked, [
    ['people', 'alice', 'bob'],
    ['people', 'bob'],
    ['notes', 'machine', 'web', 'db', 'new'],
  ])
})

test('idsIn returns the ids in the value of a relation', () => {
  assert.deepEqual(
    ['a', '', ['a', 'b'], [], [1, 'a', null], null, undefined, 5, { a: 'b' }].map((value) => idsIn(value)),
    [['a'], [], ['a', 'b'], [], ['a'], [], [], [], []],
  )
})

for (const [name, id, expected] of [
  ['name', 'web', 'Web-1'],
  ['owner.name', 'db', 'Bob'],
  ['owner.name', 'new', null],
  ['users.name', 'web', 'Alice'],
  ['users.id', 'new', null],
  ['notes_via_machine.value', 'web', 3],
  ['info.load.2', 'web', 3],
  ['name:length', 'web', null],
] as const) {
  test(`valuer: ${name} of ${id} is ${expected}`, async () => {
    const resolving = resolver(collections.find('machines') ?? assert.fail(), { collections, facts: guest, nowMs: NOW_MS })
    const term = resolving.term(name, 'everything')
    const plan = resolving.plan({ kind: 'and', parts: [] })
    const all = records['machines'] ?? []
    const record = all.find((one) => one.id === id) ?? assert.fail(id)
    assert.equal(valuer(plan, term)(record, await loadRelated(plan.joins, all, relatedInMemory(records))), expected)
  })
}
