import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holds, likePattern, orderOf, type TypedValue } from './comparison.ts'

const text = (value: string): TypedValue => ({ type: 'text', value })
const constant = (value: string | number | null): TypedValue => ({ type: 'constant', value })

for (const [given, pattern] of [
  ['web', '%web%'],
  ['a_b', '%a\\_b%'],
  ['web%', 'web%'],
  ['db\\%1', '%db\\%1%'],
  ['back\\', '%back\\\\%'],
  ['x%\\', 'x%\\\\'],
  ['x%\\\\', 'x%\\\\'],
  ['\\%', '%\\%%'],
  ['\\%%\\', '\\%%\\\\'],
  ['\\\\', '%\\\\%'],
  ['\\_', '%\\_%'],
  ['\\a', '%\\\\a%'],
  ['a%%b', 'a%%b'],
  ['a\n%', 'a\n%'],
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

test('holds: a pattern with many wildcards takes time linear in pattern length times text length', () => {
  assert.equal(holds(text('a'.repeat(3000)), '~', constant(`${'%a'.repeat(1000)}%b`)), false)
})

const number = (value: number | null): TypedValue => ({ type: 'number', value })
const json = (value: string | number | null): TypedValue => ({ type: 'json', value })

for (const [left, comparison, right, expected] of [
  [number(42), '=', constant('42'), true],
  [constant(' 4.2e1 '), '=', number(42), true],
  [number(0.5), '=', constant('.5'), true],
  [number(5), '=', constant('+5.'), true],
  [number(0.55), '=', constant('.55'), true],
  [number(42), '=', constant('4.2e+1'), true],
  [number(0.4), '=', constant('4e-1'), true],
  [number(1e10), '=', constant('1e10'), true],
  [text('42'), '=', constant('42'), true],
  [text('x'), '=', constant('y'), false],
  [constant(''), '=', json(null), false],
  [constant(null), '=', json(null), true],
  // A value that is not a number counts as text, and sorts after all numbers.
  [number(9), '<', constant('x1'), true],
  [number(9), '<', constant('1x'), true],
  [number(9), '>', constant(5), true],
  [number(42), '=', constant('42x'), false],
  [number(42), '=', constant('x42'), false],
  [number(0), '=', constant(''), false],
  [number(42), '!=', constant('42'), false],
  [text('42'), '=', constant(42), false],
  [text('42'), '=', number(42), false],
  [json(42), '=', constant(42), true],
  [json('42'), '=', constant(42), false],
  [constant(42), '=', json(42), true],
  [json(null), '!=', constant(''), true],
  [number(null), '=', constant(null), true],
  [number(null), '=', constant(''), true],
  // Numbers sort as numbers, texts by their code points, and numbers before texts.
  [number(9), '<', constant('10'), true],
  [constant('9'), '<', number(10), true],
  [text('9'), '<', constant('10'), false],
  [text('10'), '<', text('9'), true],
  [text('Z'), '<', text('a'), true],
  [text('\uFFFD'), '<', text('\u{1F534}'), true],
  [number(10), '<', text('9'), true],
  [text(''), '>', number(10), true],
  [json(10), '<', json('9'), true],
  // A number that is compared with a text is the text that SQLite writes.
  [text('42.0'), '>=', constant(42), true],
  [text('42.0'), '<=', constant(42), true],
  [text('42'), '<', constant(42), true],
  [constant(42), '>', text('42'), true],
  [number(5), '<', number(5), false],
  [number(5), '<=', number(5), true],
  [number(5), '>', number(5), false],
  [number(5), '>=', number(5), true],
  [number(6), '>', number(5), true],
  [number(4), '>=', number(5), false],
  [number(6), '<=', number(5), false],
  [number(null), '<', number(5), false],
  [number(5), '>', constant(null), false],
  [constant(null), '<=', constant(null), false],
  [constant(null), '>=', constant(null), false],
  // Null satisfies neither `~` nor `!~`.
  [text('a'), '~', constant(null), false],
  [text('a'), '!~', constant(null), false],
  [number(null), '~', constant('a'), false],
  [number(null), '!~', constant('a'), false],
  [number(1024), '~', constant('02'), true],
  [text('a1b'), '~', constant(1), true],
  // The text of another field is searched literally, except for `%`, `_` and `\`.
  [text('My-Web'), '~', text('WEB'), true],
  [text('My-Web'), '~', text('w_b'), true],
  [text('My-Web'), '~', text('m%b'), true],
  [text('My-Web'), '~', text('w%y'), false],
] as const) {
  test(`holds: ${JSON.stringify(left)} ${comparison} ${JSON.stringify(right)} is ${expected}`, () => {
    assert.equal(holds(left, comparison, right), expected)
  })
}

for (const [searched, pattern, expected] of [
  ['', '%', true],
  ['', '%%', true],
  ['', '_%', false],
  ['abc', 'abc%', true],
  ['abc', '%c%', true],
  ['abc', '%cb%', false],
  ['abc', 'a%c', true],
  ['abc', 'a%', true],
  ['abc', 'b%', false],
  ['abc', '_b_%', true],
  ['abc', '___%', true],
  ['abc', '____%', false],
  ['abab', 'a%ab%', true],
  ['aab', '%ab', true],
  ['abc', '%a%b', false],
  ['a%c', 'a\\%%', true],
  ['abc', 'a\\%%', false],
  ['a_c', '%\\_c', true],
  ['abc', '%\\_c', false],
  ['\u{1F534}x', '_x%', true],
  ['a\nb', 'a_b%', true],
] as const) {
  test(`holds: ${JSON.stringify(searched)} is ${expected ? '' : 'not '}like the pattern ${pattern}`, () => {
    assert.equal(holds(text(searched), '~', constant(pattern)), expected)
  })
}

test('holds: a field value longer than 5000 characters is searched literally, not as a pattern', () => {
  const long = 'x'.repeat(4999)
  assert.equal(holds(text(`${long}ab`), '~', text(`${long}_`)), true)
  assert.equal(holds(text(`${long}ab`), '~', text(`${long}_b`)), false)
  assert.equal(holds(text(`${long}A_B`), '~', text(`${long}a_b`)), true)
})

test('orderOf sorts null first, then numbers, then texts', () => {
  assert.deepEqual(['b', 2, null, 'a', 10, '', 1].toSorted(orderOf), [null, 1, 2, 10, '', 'a', 'b'])
  assert.equal(orderOf(null, null), 0)
  assert.equal(orderOf('a', 'a'), 0)
})

test('holds: empty and null are equal, except in JSON', () => {
  assert.ok(holds(text(''), '=', constant(null)))
  assert.ok(!holds({ type: 'json', value: '' }, '=', constant(null)))
  assert.ok(holds({ type: 'json', value: null }, '=', constant(null)))
})
