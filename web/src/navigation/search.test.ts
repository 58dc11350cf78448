import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inheritedName } from '../../../protocol/test/hostile-names.ts'
import { addressOf, changeSearch, numberField, readSearch, textField, wordField } from './search.ts'

const fields = {
  filter: textField(20),
  sort: wordField(['name', 'cpu'], undefined),
  page: numberField(1, 1),
  from: numberField(undefined),
}
const defaults = { filter: '', sort: undefined, page: 1, from: undefined }

const values = fc.record(
  {
    filter: fc.string({ maxLength: 20, unit: 'grapheme' }).filter((text) => text.length <= 20 && text.isWellFormed()),
    sort: fc.constantFrom('name', 'cpu', undefined),
    page: fc.integer({ min: 1, max: 1e9 }),
    from: fc.option(fc.integer({ min: 0, max: 2e12 }), { nil: undefined }),
  },
  { noNullPrototype: true },
)

test('readSearch reads the values that changeSearch wrote, over any earlier search', () => {
  fc.assert(
    fc.property(values, values, (before, after) =>
      assert.deepEqual(readSearch(fields, changeSearch(fields, changeSearch(fields, '', before), after)), after),
    ),
  )
})

test('changeSearch keeps parameters that it does not change, and omits default values', () => {
  assert.equal(changeSearch(fields, 'other=1&page=3&filter=a', { page: 1 }), 'other=1&filter=a')
  assert.equal(addressOf('/logs', fields, { page: 1, filter: '' }), '/logs')
  assert.equal(addressOf('/logs', fields, { page: 2, filter: 'a&b' }), '/logs?filter=a%26b&page=2')
})

for (const search of [
  `filter=${'x'.repeat(21)}&sort=__proto__&page=0&from=-1`,
  `filter=${'x'.repeat(100_000)}`,
  'sort=toString&page=1e3&from=1.5&filter=',
  'sort[]=cpu&page[]=2&from[]=2',
  '__proto__=1&constructor=2&hasOwnProperty=3',
  'page=9999999999999999&from=%00&sort=%',
  '%E0%A4%A=1&&&=&?&#',
]) {
  test(`readSearch of "${search.slice(0, 60)}" gives the defaults`, () => assert.deepEqual(readSearch(fields, search), defaults))
}

test('readSearch of any text returns values of the right types', () => {
  const parameter = fc.tuple(
    fc.oneof(inheritedName, fc.constantFrom('filter', 'sort', 'page', 'from'), fc.string()),
    fc.oneof(inheritedName, fc.string(), fc.integer().map(String)),
  )
  const searches = fc.oneof(
    fc.string(),
    fc.array(parameter).map((pairs) => new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString()),
  )
  fc.assert(
    fc.property(searches, (search) => {
      const read = readSearch(fields, search)
      assert.deepEqual(Object.keys(read), Object.keys(fields))
      assert.ok(typeof read.filter === 'string' && read.filter.length <= 20)
      assert.ok([undefined, 'name', 'cpu'].includes(read.sort))
      assert.ok(Number.isSafeInteger(read.page) && read.page >= 1)
      assert.ok(read.from === undefined || (Number.isSafeInteger(read.from) && read.from >= 0))
    }),
  )
})
