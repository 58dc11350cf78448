import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inheritedNames } from '../../../../protocol/test/hostile-names.ts'
import { FilterError } from './lex.ts'
import { parseFilter, refuseTooMuch } from './parse.ts'

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
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from('ab.:@(&|)=!<>~?"\'\\/ \n019-'), ...inheritedNames) }), (source) => {
      try {
        assert.ok(parseFilter(source).kind !== undefined)
      } catch (error) {
        assert.ok(error instanceof FilterError)
      }
    }),
    { numRuns: 2000 },
  )
})

test('refuseTooMuch and parseFilter say where a filter became too much', () => {
  const most = { bytes: 100, comparisons: 3 }
  assert.doesNotThrow(() => refuseTooMuch('a=1 && a=2 && a=3', most))
  assert.throws(() => refuseTooMuch('a=1 && a=2 && a=3 && b=4', most), { name: 'FilterError', position: 22 })
  assert.throws(() => refuseTooMuch(`a='${'☂'.repeat(40)}'`, most), { name: 'FilterError', position: 36 })
  assert.throws(() => parseFilter(`${'('.repeat(80)}a=1${')'.repeat(80)}`), { name: 'FilterError', position: 64 })
})
