import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FilterError } from './lex.ts'
import { comparisonCount, parseFilter } from './parse.ts'

test('parseFilter binds && tighter than ||', () => {
  const filter = parseFilter('a = 1 || b = 2 && c = 3')
  assert.equal(filter.kind, 'or')
  assert.deepEqual(filter, parseFilter('a = 1 || (b = 2 && c = 3)'))
})

for (const same of ["name='x'", 'name = "x"', '(name="x")', '\tname\n=\n"x" // comment']) {
  test(`parseFilter reads ${JSON.stringify(same)} as name = 'x'`, () => {
    assert.deepEqual(parseFilter(same), parseFilter("name = 'x'"))
  })
}

for (const wrong of [
  '',
  ' ',
  '// nothing',
  "(name = 'x'",
  'name',
  "name == 'x'",
  'a = 1.2.3',
  'a = 5.',
  'a: = 1',
  "a = 'x",
  'a = 1 && ',
  '()',
  ';',
]) {
  test(`parseFilter refuses ${JSON.stringify(wrong)}`, () => {
    assert.throws(() => parseFilter(wrong), FilterError)
  })
}

test('parseFilter refuses parentheses deeper than anybody writes, without a stack to overflow', () => {
  assert.throws(() => parseFilter('('.repeat(3000) + 'a=1' + ')'.repeat(3000)), FilterError)
})

test('parseFilter is total: any text is a filter or a FilterError', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from('ab.:@(&|)=!<>~?"\'\\/ \n019-')) }), (source) => {
      try {
        assert.ok(comparisonCount(parseFilter(source)) > 0)
      } catch (error) {
        assert.ok(error instanceof FilterError)
      }
    }),
    { numRuns: 2000 },
  )
})
