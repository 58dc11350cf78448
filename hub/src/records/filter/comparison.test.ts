import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holds, likePattern, type Typed } from './comparison.ts'

const text = (value: string): Typed => ({ type: 'text', value })
const constant = (value: string | number | null): Typed => ({ type: 'constant', value })

for (const [given, pattern] of [
  ['web', '%web%'],
  ['a_b', '%a\\_b%'],
  ['web%', 'web%'],
  ['db\\%1', '%db\\%1%'],
  ['back\\', '%back\\\\%'],
  ['x%\\', 'x%\\\\'],
  ['', '%%'],
] as const) {
  test(`likePattern of ${JSON.stringify(given)} is ${JSON.stringify(pattern)}`, () => {
    assert.equal(likePattern(given), pattern)
  })
}

for (const [left, right, expected] of [
  ['my-web', 'WEB', true],
  ['axb', 'a_b', false],
  ['web-1', 'web%', true],
  ['my-web', 'web%', false],
  ['ZÜRICH', 'zürich', false],
  ['☂ rain', '☂%', true],
  ['a', '%', true],
] as const) {
  test(`holds: ${left} ~ ${right} is ${expected}`, () => {
    assert.equal(holds(text(left), '~', constant(right)), expected)
    assert.equal(holds(text(left), '!~', constant(right)), !expected)
  })
}

test('holds: a pattern full of wildcards costs no more than its length times the text’s', () => {
  assert.equal(holds(text('a'.repeat(3000)), '~', constant(`${'%a'.repeat(1000)}%b`)), false)
})

test('holds: empty and null are equal, except in JSON', () => {
  assert.ok(holds(text(''), '=', constant(null)))
  assert.ok(!holds({ type: 'json', value: '' }, '=', constant(null)))
  assert.ok(holds({ type: 'json', value: null }, '=', constant(null)))
})
