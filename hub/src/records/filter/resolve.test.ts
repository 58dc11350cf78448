import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collections } from '../../../test/filter-scene.ts'
import type { Join, Term } from './plan.ts'
import { resolver, type Reach } from './resolve.ts'

const facts = { actor: { id: 'alice' }, context: 'default', method: 'GET', query: {}, headers: {} } as const
const resolverOf = (name: string) => resolver(collections.find(name) ?? assert.fail(name), { collections, facts, nowMs: 0 })

/** A join in short form: its parent and step, `many` if there may be several, `bound` if a list rule applies. */
function shortened({ parent, step, many, bound }: Join): string {
  const to = 'collection' in step ? step.collection.name : ''
  const by =
    step.kind === 'each' || step.kind === 'back'
      ? step.field.name
      : step.kind === 'record'
        ? step.from === 'element'
          ? 'element'
          : step.from.name
        : ''
  return [parent, step.kind, by, to, many ? 'many' : '', bound ? 'bound' : ''].filter((part) => part !== '').join(' ')
}

const never: Term = { kind: 'never' }
const column = (name: string, type: 'text' | 'number' = 'text', join = 0): Term => ({ kind: 'column', join, column: name, type })
const constant = (value: string | number | null): Term => ({ kind: 'constant', typed: { type: 'constant', value } })

type Case = readonly [name: string, term: Term, ...joins: readonly string[]]

const machines: readonly Case[] = [
  ['id', column('id')],
  ['name', column('name')],
  ['port', column('port', 'number')],
  ['up', column('up', 'number')],
  ['status', column('status')],
  ['created', column('created')],
  ['owner', column('owner')],
  ['info', { kind: 'json', join: 0, column: 'info', path: [] }],
  ['info.load.1', { kind: 'json', join: 0, column: 'info', path: ['load', '1'] }],
  ['id:lower', never],
  ['id:length', never],
  ['id:each', never],
  ['id:isset', never],
  ['name:lower', { kind: 'lower', join: 0, column: 'name' }],
  ['status:lower', { kind: 'lower', join: 0, column: 'status' }],
  ['owner:lower', { kind: 'lower', join: 0, column: 'owner' }],
  ['port:lower', { kind: 'lower', join: 0, column: 'port', isNumber: true }],
  ['up:lower', { kind: 'lower', join: 0, column: 'up', isNumber: true }],
  ['users:lower', never],
  ['info:lower', never],
  ['created:lower', never],
  ['status:length', { kind: 'count', join: 0, column: 'status', list: false }],
  ['owner:length', { kind: 'count', join: 0, column: 'owner', list: false }],
  ['users:length', { kind: 'count', join: 0, column: 'users', list: true }],
  ['name:length', never],
  ['status:each', column('status')],
  ['owner:each', column('owner')],
  ['users:each', { kind: 'element', join: 1 }, '0 each users many'],
  ['name:each', never],
  ['name:isset', never],
  ['name:changed', never],
  // `relation.id` needs no join to the record.
  ['owner.id', column('owner')],
  ['users.id', { kind: 'element', join: 1 }, '0 each users many'],
  ['owner.id:lower', never, '0 record owner people'],
  ['owner.name', column('name', 'text', 1), '0 record owner people'],
  ['owner.boss.name', column('name', 'text', 2), '0 record owner people', '1 record boss people'],
  ['owner.email', column('email', 'text', 1), '0 record owner people'],
  ['owner.email:lower', { kind: 'lower', join: 1, column: 'email' }, '0 record owner people'],
  ['owner.email:length', never, '0 record owner people'],
  ['users.name', column('name', 'text', 2), '0 each users many', '1 record element people many'],
  ['users.boss.name', column('name', 'text', 3), '0 each users many', '1 record element people many', '2 record boss people many'],
  ['notes_via_machine.value', column('value', 'number', 1), '0 back machine notes many'],
  ['notes_via_machine.author.name', column('name', 'text', 2), '0 back machine notes many', '1 record author people many'],
  [
    'tokens_via_machine.token',
    { kind: 'secret', join: 1, column: 'token', collection: collections.find('tokens') ?? assert.fail() },
    '0 back machine tokens',
  ],
  ['@collection.people.name', column('name', 'text', 1), '0 all people many'],
  ['@collection.people:other.boss.name', column('name', 'text', 2), '0 all people many', '1 record boss people many'],
  ['@request.auth.id', constant('alice')],
  ['@request.method', constant('GET')],
  ['@request.auth.nothing', constant(null)],
  ['@year', constant(1970)],
]

for (const [name, expected, ...joins] of machines) {
  test(`resolver: a rule about machines resolves ${name}`, () => {
    const resolving = resolverOf('machines')
    assert.deepEqual(resolving.term(name, 'everything'), expected)
    assert.deepEqual(resolving.plan({ kind: 'and', parts: [] }).joins.map(shortened), joins)
  })
}

const own: readonly Case[] = [
  ['owner.email', { ...column('email', 'text', 1), shownBy: 'emailVisibility' } as Term, '0 record owner people bound'], // visible only with a flag
  ['owner.email:lower', { kind: 'lower', join: 1, column: 'email', shownBy: 'emailVisibility' }, '0 record owner people bound'],
  ['owner.email:length', never, '0 record owner people bound'],
  ['users.id', { kind: 'element', join: 1 }, '0 each users many'],
  ['users.name', column('name', 'text', 2), '0 each users many', '1 record element people many bound'],
  ['notes_via_machine.value', column('value', 'number', 1), '0 back machine notes many bound'],
  ['@collection.notes.value', column('value', 'number', 1), '0 all notes many bound'],
]

for (const [name, expected, ...joins] of own) {
  test(`resolver: a client’s filter about machines resolves ${name}`, () => {
    const resolving = resolverOf('machines')
    assert.deepEqual(resolving.term(name, 'own'), expected)
    assert.deepEqual(resolving.plan({ kind: 'and', parts: [] }).joins.map(shortened), joins)
  })
}

/** Returns the terms of a filter's names, its joins, and `every` of each comparison. */
function conditionOf(filter: string, reach: Reach, name = 'machines') {
  const resolving = resolverOf(name)
  const condition = resolving.condition(filter, reach)
  return { condition, joins: resolving.plan(condition).joins.map(shortened) }
}

function everyOf(filter: string): readonly number[] {
  const { condition } = conditionOf(filter, 'everything')
  return condition.kind === 'compare' ? condition.every : assert.fail(filter)
}

test('resolver: a back relation through a field that does not refer to this collection is refused', () => {
  for (const name of ['notes_via_author.id', 'notes_via_value.id', 'notes_via_lost.id', 'notes_via_nothing.id', 'nothing_via_machine.id'])
    assert.throws(() => resolverOf('machines').term(name, 'everything'), { name: 'FilterError' }, name)
})

test('resolver: names that pass the same relation share its join, on either side of a comparison', () => {
  const { joins } = conditionOf("owner.name = 'x' && users.name ?= owner.note && 'y' = users.boss.name", 'everything')
  assert.deepEqual(joins, ['0 record owner people', '0 each users many', '2 record element people many', '3 record boss people many'])
  const aliases = conditionOf("@collection.people.id ?= 'x' && @collection.people.name ?= @collection.people:b.name", 'everything')
  assert.deepEqual(aliases.joins, ['0 all people many', '0 all people many'])
  const back = conditionOf("notes_via_machine.id ?= 'x' && tokens_via_machine.id = 'y'", 'everything')
  assert.deepEqual(back.joins, ['0 back machine notes many', '0 back machine tokens'])
  const twice = conditionOf('notes_via_machine.author.boss.id = notes_via_machine.machine.owner.id', 'everything')
  assert.deepEqual(twice.joins, ['0 back machine notes many', '1 record author people many', '1 record machine machines many'])
})

test('resolver: a comparison without `?` must hold for every row of a multiple relation', () => {
  assert.deepEqual(everyOf("name = 'x'"), [])
  assert.deepEqual(everyOf("owner.name = 'x'"), [])
  assert.deepEqual(everyOf("tokens_via_machine.id = 'x'"), [])
  assert.deepEqual(everyOf("users.id = 'x'"), [1])
  assert.deepEqual(everyOf("users.id ?= 'x'"), [])
  assert.deepEqual(everyOf("users.name = 'x'"), [2])
  assert.deepEqual(everyOf("users.boss.name = 'x'"), [3])
  assert.deepEqual(everyOf('name = users.name'), [2])
  assert.deepEqual(everyOf('owner.name = users.name'), [1, 3])
  assert.deepEqual(everyOf('users.name = users.note'), [2])
  assert.deepEqual(everyOf("strftime('%Y', users.name) = 'x'"), [2])
})

test('resolver: a client’s filter applies the list rule of a passed collection to the same rows', () => {
  const { condition, joins } = conditionOf("room.members.name ?= 'Bob'", 'own', 'doors')
  assert.deepEqual(joins, ['0 record room rooms bound', '1 each members many', '2 record element people many bound'])
  assert.ok(condition.kind === 'and')
  const [rule, asked] = condition.parts
  assert.deepEqual(rule, { kind: 'compare', left: { kind: 'element', join: 2 }, comparison: '=', right: constant('alice'), every: [] })
  assert.deepEqual(asked, { kind: 'compare', left: column('name', 'text', 3), comparison: '=', right: constant('Bob'), every: [] })
  assert.equal(conditionOf("room.members.name ?= 'Bob'", 'everything', 'doors').condition.kind, 'compare')
  assert.equal(conditionOf("room.name = 'Hall'", 'own', 'doors').condition.kind, 'compare')
})
