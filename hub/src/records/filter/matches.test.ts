import assert from 'node:assert/strict'
import { test } from 'node:test'
import { relatedInMemory, type RecordsInMemory } from '../../../test/related-in-memory.ts'
import { collectionsOf, type Collection, type Field } from '../model/collection.ts'
import { matcher, valuer } from './matches.ts'
import { loadRelated } from './related.ts'
import type { RequestFacts } from './request-facts.ts'
import { resolver, type Reach } from './resolve.ts'

const inherited = ['constructor', '__proto__', 'toString']

function collection(name: string, list: string | null, fields: readonly Field[], unique: Collection['unique'] = []): Collection {
  const rules = { list, view: null, create: null, update: null, delete: null }
  const idForm = { minLength: 1, maxLength: 15, pattern: /./, generate: () => 'new' }
  return { name, id: `${name}_id`, type: 'base', storage: 'table', idForm, fields, rules, unique }
}

const collections = collectionsOf([
  collection('people', '', [
    { kind: 'email', name: 'email' },
    { kind: 'flag', name: 'emailVisibility' },
    { kind: 'text', name: 'name' },
    { kind: 'text', name: 'note', hidden: true },
    { kind: 'relation', name: 'boss', to: 'people' },
  ]),
  collection('machines', '', [
    { kind: 'text', name: 'name' },
    { kind: 'number', name: 'port' },
    { kind: 'flag', name: 'up' },
    { kind: 'select', name: 'status', values: ['up', 'down'] },
    { kind: 'json', name: 'info', maxBytes: 1000 },
    { kind: 'relation', name: 'users', to: 'people', many: true },
    { kind: 'relation', name: 'owner', to: 'people' },
    { kind: 'created', name: 'created' },
  ]),
  collection('notes', 'author = @request.auth.id', [
    { kind: 'relation', name: 'machine', to: 'machines' },
    { kind: 'relation', name: 'author', to: 'people' },
    { kind: 'relation', name: 'lost', to: 'no_such' },
    { kind: 'number', name: 'value' },
    { kind: 'text', name: 'text' },
  ]),
  collection(
    'tokens',
    null,
    [
      { kind: 'relation', name: 'machine', to: 'machines' },
      { kind: 'secret', name: 'token' },
    ],
    [{ fields: ['machine'] }],
  ),
])

const records: RecordsInMemory = {
  people: [
    { id: 'alice', name: 'Alice', email: 'Alice@example.com', emailVisibility: true, note: 'n', boss: 'bob' },
    { id: 'bob', name: 'Bob', email: 'bob@example.com', emailVisibility: false, note: '', boss: '' },
  ],
  machines: [
    {
      id: 'web',
      name: 'Web-1',
      port: 80,
      up: true,
      status: 'up',
      info: { cpu: 12.5, load: [1, 2, 3], os: 'Linux', deep: { a: 'x', 1: 'key' }, fine: true },
      users: ['alice', 'bob'],
      owner: 'alice',
      created: '2026-01-10 08:00:00.000Z',
    },
    {
      id: 'db',
      name: 'db',
      port: 0,
      up: false,
      status: '',
      info: null,
      users: ['alice'],
      owner: 'bob',
      created: '2025-06-01 00:00:00.000Z',
    },
    { id: 'new', name: '', port: 5432, up: true, status: 'down', info: { cpu: 0, load: [] }, users: [], owner: '', created: '' },
  ],
  notes: [
    { id: 'n1', machine: 'web', author: 'alice', value: 3, text: 'disk' },
    { id: 'n2', machine: 'web', author: 'bob', value: 8, text: 'fan' },
    { id: 'n3', machine: 'db', author: 'alice', value: 8, text: 'disk' },
  ],
  tokens: [{ id: 't1', machine: 'web', token: 'abc' }],
}

const guest: RequestFacts = { context: 'default', method: 'GET', query: {}, headers: {} }
const alice: RequestFacts = { ...guest, actor: { id: 'alice', name: 'Alice' } }
const NOW_MS = Date.UTC(2026, 0, 10, 8, 30)

/** Ids of the records of a collection that a filter finds. */
async function found(filter: string, { of = 'machines', reach = 'everything', facts = guest }: Asked = {}): Promise<readonly string[]> {
  const resolving = resolver(collections.find(of) ?? assert.fail(of), { collections, facts, nowMs: NOW_MS })
  const plan = resolving.plan(resolving.condition(filter, reach))
  const all = records[of] ?? []
  const listable = relatedInMemory(records, (name, record) => name !== 'notes' || record['author'] === facts.actor?.id)
  const related = await loadRelated(plan.joins, all, listable)
  return all.filter((record) => matcher(plan)(record, related)).map(({ id }) => id)
}

type Asked = { readonly of?: string; readonly reach?: Reach; readonly facts?: RequestFacts }

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
  // Without `?` every one of several values must satisfy, also that of a machine without users: null.
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
  // A number is the place in a list, never a key.
  ["info.deep.1 = 'key'"],
  ["info.os.0 = 'L'"],
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
  ["strftime('%Y', users.id) ?= ''", 'web', 'db', 'new'],
]

for (const [filter, ...ids] of everything) {
  test(`a rule finds ${ids.join(' ') || 'nothing'} by ${filter || 'no filter'}`, async () => assert.deepEqual(await found(filter), ids))
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
]

for (const [filter, ...ids] of own) {
  test(`a client’s own filter finds ${ids.join(' ') || 'nothing'} by ${filter}`, async () =>
    assert.deepEqual(await found(filter, { reach: 'own', facts: alice }), ids))
}

test('a client’s own filter and a rule reach the same collection each in its own way', async () => {
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

test('a relation to a collection that is not there is refused', async () => {
  await assert.rejects(found("lost.name = 'x'", { of: 'notes' }), { name: 'FilterError', message: /there is no collection "no_such"/ })
})

test('six relations may be passed, not seven', async () => {
  assert.deepEqual(await found('owner.boss.boss.boss.boss.boss.name = null'), ['web', 'db', 'new'])
})

test('a filter that relates everything with everything is refused by its budget', async () => {
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
  assert.equal(await steps("name ~ 'x'"), 2)
  assert.equal(await steps(`name ~ '${'x'.repeat(400)}'`), 4, 'five letters searched for 400 are two steps more')
  assert.equal(await steps(`name !~ '${'x'.repeat(400)}'`), 4)
  assert.equal(await steps(`name = '${'x'.repeat(400)}'`), 2)
  const plan = resolving.plan(resolving.condition("name = 'x'", 'everything'))
  const related = await loadRelated(plan.joins, [web], relatedInMemory(records))
  assert.equal(matcher(plan)(web, related, { steps: 2 }), false)
  assert.throws(() => matcher(plan)(web, related, { steps: 1 }), { name: 'FilterError', message: /too much work/ })
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
