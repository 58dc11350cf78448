import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asValue, requestValue, type RequestFacts, macroValue } from './filter-names.ts'

const update: RequestFacts = {
  actor: { id: 'alice', role: 'user', verified: true, tags: ['a', 'b'], empty: '' },
  context: 'realtime',
  method: 'PATCH',
  query: { page: '2', same: 'same' },
  headers: { x_token: 'T' },
  body: { name: 'New', users: ['a', 'b', 'c'], same: 'same', list: [1], deep: { inner: 'X' }, nothing: null },
  previous: { id: 'r', name: 'Old', same: 'same', list: [1] },
}

for (const [name, expected] of [
  ['@request.context', 'realtime'],
  ['@request.method', 'PATCH'],
  ['@request.method:lower', 'patch'],
  ['@request.query.page', '2'],
  ['@request.query.perPage', null],
  ['@request.query.constructor', null],
  ['@request.query.page:isset', 1],
  ['@request.query.perPage:isset', 0],
  ['@request.headers.x_token', 'T'],
  ['@request.headers.toString', null],
  ['@request.auth.id', 'alice'],
  ['@request.auth.verified', 1],
  ['@request.auth.collectionName', 'users'],
  ['@request.auth.collectionId', '_pb_users_auth_'],
  ['@request.auth.nothing', null],
  ['@request.auth.tags:length', 2],
  // The caller's account is not part of the request body.
  ['@request.auth.id:isset', 0],
  ['@request.body.name', 'New'],
  ['@request.body.name:isset', 1],
  ['@request.body.nothing:isset', 1],
  ['@request.body.nothing', null],
  ['@request.body.missing:isset', 0],
  ['@request.body.missing', null],
  ['@request.body.name:changed', 1],
  ['@request.body.same:changed', 0],
  ['@request.body.list:changed', 0],
  ['@request.body.same:isset', 1],
  // A field that is not sent is not changed. `:changed` compares only fields of the request body.
  ['@request.body.id:changed', 0],
  ['@request.query.same:changed', 1],
  ['@request.body.missing:changed', 0],
  ['@request.body.users:changed', 1],
  ['@request.body.users', '["a","b","c"]'],
  ['@request.body.users:length', 3],
  ['@request.body.name:length', null],
  ['@request.body.name:lower', 'new'],
  ['@request.body.list:lower', '[1]'],
  ['@request.body.deep.inner', 'X'],
  ['@request.body.name.inner', null],
  ['@request.body.__proto__', null],
] as const) {
  test(`requestValue: ${name} is ${expected}`, () => assert.equal(requestValue(name, update), expected))
}

const bare: RequestFacts = { context: 'default', method: 'GET', query: {}, headers: {} }

for (const [name, facts, expected] of [
  ['@request.auth.id', bare, null],
  ['@request.auth.collectionName', bare, null],
  ['@request.body.name', bare, null],
  ['@request.body.name:isset', bare, 0],
  ['@request.auth.collectionName', { ...update, actorCollection: { name: '_superusers', id: 'pbc_1' } }, '_superusers'],
  ['@request.auth.collectionId', { ...update, actorCollection: { name: '_superusers', id: 'pbc_1' } }, 'pbc_1'],
] as const) {
  test(`requestValue in a create request: ${name} is ${expected}`, () => assert.equal(requestValue(name, facts), expected))
}

for (const name of ['@request.nothing', '@request.', '@request.body.name:nothing', '@request.query.page:each']) {
  test(`requestValue refuses ${name}`, () =>
    assert.throws(() => requestValue(name, update), { name: 'FilterError', message: /there is no modifier|is not a part/ }))
}

test('asValue converts JSON values for comparisons', () => {
  assert.deepEqual([undefined, null, true, false, 0, 'x', '', [1], { a: 1 }].map(asValue), [null, null, 1, 0, 0, 'x', '', '[1]', '{"a":1}'])
})

/** A Thursday and leap day, one millisecond before its end. */
const LEAP_DAY_MS = Date.UTC(2024, 1, 29, 23, 59, 58, 7)

for (const [name, expected] of [
  ['@now', '2024-02-29 23:59:58.007Z'],
  ['@yesterday', '2024-02-28 23:59:58.007Z'],
  ['@tomorrow', '2024-03-01 23:59:58.007Z'],
  ['@todayStart', '2024-02-29 00:00:00.000Z'],
  ['@todayEnd', '2024-02-29 23:59:59.999Z'],
  ['@monthStart', '2024-02-01 00:00:00.000Z'],
  ['@monthEnd', '2024-02-29 23:59:59.999Z'],
  ['@yearStart', '2024-01-01 00:00:00.000Z'],
  ['@yearEnd', '2024-12-31 23:59:59.999Z'],
  ['@second', 58],
  ['@minute', 59],
  ['@hour', 23],
  ['@day', 29],
  ['@month', 2],
  ['@weekday', 4],
  ['@year', 2024],
  ['@nothing', undefined],
  ['constructor', undefined],
] as const) {
  test(`macroValue: ${name} is ${expected}`, () => assert.equal(macroValue(name, LEAP_DAY_MS), expected))
}

test('macroValue: @monthEnd and @todayEnd are right on the last day of a year', () => {
  assert.equal(macroValue('@monthEnd', Date.UTC(2025, 11, 31)), '2025-12-31 23:59:59.999Z')
  assert.equal(macroValue('@todayEnd', Date.UTC(2025, 11, 31)), '2025-12-31 23:59:59.999Z')
  assert.equal(macroValue('@weekday', Date.UTC(2025, 5, 1)), 0)
})
