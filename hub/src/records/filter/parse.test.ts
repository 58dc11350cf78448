import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inheritedNames } from '../../../../protocol/test/hostile-names.ts'
import { FilterError, parseFilter, refuseTooMuch } from './parse.ts'

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
  'a. = 1',
  "a = 'x",
  'a = 1 && ',
  '()',
  ';',
]) {
  test(`parseFilter refuses ${JSON.stringify(wrong)}`, () => {
    assert.throws(() => parseFilter(wrong), FilterError)
  })
}

for (const [source, at] of [
  ['', undefined],
  ['a = 1 ; b', 6],
  ['a = 1 b = 2', 6],
  ['a = 1 )', 6],
  ['a = ', 2],
  ['a', 0],
  ['a 1', 2],
  ['= 1', 0],
  ['a = && b = 1', 2],
  ['a = 1 && (b = 2', 9],
  ['a = 1.2.3', 7],
  ['a = 5x', 5],
  ['a == 1', 3],
  ['a ?~? 1', 4],
  ["a = 'open", 4],
  ["f('x' 'y') = 1", 0],
  ['a = f(', 4],
  ['a = f(=) && b = 1', 4],
  ['a = 1 & b = 2', 6],
  ['? = 1', 0],
] as const) {
  test(`parseFilter reports the error of ${JSON.stringify(source)} at position ${at}`, () => {
    assert.throws(() => parseFilter(source), { name: 'FilterError', message: /^Cannot read the filter/, at })
  })
}

const compared = (source: string) => {
  const filter = parseFilter(source)
  assert.equal(filter.kind, 'compare')
  return filter.kind === 'compare' ? filter : assert.fail()
}

for (const [source, value] of [
  ["''", ''],
  [`'it"s'`, 'it"s'],
  [`'it\\'s'`, "it's"],
  [`"q\\"q"`, 'q"q'],
  [`'q\\"q'`, 'q"q'],
  [`'a\\nb\\tc\\rd\\be\\ff'`, 'a\nb\tc\rd\be\ff'],
  [`'a\nb'`, 'a\nb'],
  [`'back\\\\slash'`, 'back\\slash'],
  [`'\\x \\constructor'`, '\\x \\constructor'],
  [`'\uD800'`, '\uFFFD'],
  ['12', 12],
  ['-1', -1],
  ['-1.25', -1.25],
  ['10.05', 10.05],
  ['true', true],
  ['FALSE', false],
  ['Null', null],
] as const) {
  test(`parseFilter reads ${JSON.stringify(source)} as the value ${JSON.stringify(value)}`, () => {
    assert.deepEqual(compared(`a = ${source}`).right, { kind: 'value', value })
  })
}

for (const name of ['a', '_a1', '@now', '@request.auth.id', '#a', 'a.b:lower', 'A_Z.09', 'constructor', 'truest']) {
  test(`parseFilter parses ${name} as a name`, () => assert.deepEqual(compared(`${name} = 1`).left, { kind: 'name', text: name }))
}

for (const sign of ['=', '!=', '>', '>=', '<', '<=', '~', '!~'] as const) {
  test(`parseFilter reads ${sign} and ?${sign}, with and without spaces`, () => {
    for (const space of ['', ' ', '\r\n\t', ' // a > b\n// c\n']) {
      const { comparison, any } = compared(`a${space}${sign}${space}'x'`)
      assert.deepEqual([comparison, any], [sign, false])
      assert.deepEqual([compared(`a${space}?${sign}${space}'x'`).comparison, compared(`a${space}?${sign}${space}'x'`).any], [sign, true])
    }
  })
}

test('parseFilter keeps all parts of a chain in order', () => {
  const names = (source: string) => {
    const filter = parseFilter(source)
    return filter.kind === 'compare' ? [] : [filter.kind, ...filter.parts.map((part) => (part.kind === 'compare' ? part.right : part.kind))]
  }
  const value = (one: number) => ({ kind: 'value', value: one })
  assert.deepEqual(names('a=1&&a=2 && (a=3)'), ['and', value(1), value(2), value(3)])
  assert.deepEqual(names('a=1||a=2 || a=3'), ['or', value(1), value(2), value(3)])
  assert.deepEqual(names('(a=1 || a=2) && a=3'), ['and', 'or', value(3)])
})

test('parseFilter parses function calls with values, names and calls as arguments', () => {
  const name = (text: string) => ({ kind: 'name', text })
  assert.deepEqual(compared('f(a, 1,g()) = h').left, {
    kind: 'call',
    name: 'f',
    values: [name('a'), { kind: 'value', value: 1 }, { kind: 'call', name: 'g', values: [] }],
  })
  assert.deepEqual(compared('x = f(a)').right, { kind: 'call', name: 'f', values: [name('a')] })
  assert.deepEqual(compared('f(a,) = 1').left, { kind: 'call', name: 'f', values: [name('a')] })
})

test('parseFilter accepts functions nested three deep and parentheses nested 64 deep, and no deeper', () => {
  const nested = (open: string, depth: number, inner: string) => open.repeat(depth) + inner + ')'.repeat(depth)
  assert.equal(compared(`${nested('f(', 3, 'a')} = 1`).left.kind, 'call')
  assert.throws(() => parseFilter(`${nested('f(', 4, 'a')} = 1`), { message: /functions nest deeper than 3/, position: 6 })
  assert.equal(parseFilter(nested('(', 64, 'a=1')).kind, 'compare')
  assert.throws(() => parseFilter(nested('(', 65, 'a=1')), { message: /parentheses nest deeper than 64/, position: 64, at: 64 })
})

test('parseFilter refuses 3000 nested parentheses without a stack overflow', () => {
  assert.throws(() => parseFilter('('.repeat(3000) + 'a=1' + ')'.repeat(3000)), FilterError)
})

test('parseFilter returns a filter or throws a FilterError for any text', () => {
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

test('refuseTooMuch and parseFilter report the position at which a filter exceeds a limit', () => {
  const most = { bytes: 100, comparisons: 3 }
  assert.doesNotThrow(() => refuseTooMuch('a=1 && a=2 && a=3', most))
  assert.throws(() => refuseTooMuch('a=1 && a=2 && a=3 && b=4', most), { name: 'FilterError', position: 22 })
  assert.doesNotThrow(() => refuseTooMuch(`a='${'x'.repeat(96)}'`, most))
  assert.throws(() => refuseTooMuch(`a='${'x'.repeat(97)}'`, most), { message: /longer than 100 bytes/, position: 100 })
  assert.throws(() => refuseTooMuch(`a='${'☂'.repeat(40)}'`, most), { name: 'FilterError', position: 36 })
  assert.throws(() => parseFilter(`${'('.repeat(80)}a=1${')'.repeat(80)}`), { name: 'FilterError', position: 64 })
})
