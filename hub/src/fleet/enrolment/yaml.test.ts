import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyName, inheritedNames } from '../../../../protocol/test/hostile-names.ts'
import { parseYaml, YamlError } from './yaml.ts'

test('parseYaml reads what people write', () => {
  const text = `---
# systems of the house
systems:
- name: web 1   # the first
  host: 10.0.0.1
  port: 45876
  users: [ 'it''s@example.com', "b@example.com" ]
-   name: "db # not a comment"
    host: /run/agent.sock
    token: 0123-abc
    users:
    - c@example.com
    - 'd@example.com'
  # the end
other: ~
flag: true
url: http://[::1]:45876/#x
empty:
`
  assert.deepEqual(parseYaml(text), {
    systems: [
      { name: 'web 1', host: '10.0.0.1', port: 45876, users: ["it's@example.com", 'b@example.com'] },
      { name: 'db # not a comment', host: '/run/agent.sock', token: '0123-abc', users: ['c@example.com', 'd@example.com'] },
    ],
    other: null,
    flag: true,
    url: 'http://[::1]:45876/#x',
    empty: null,
  })
})

for (const [text, problem] of [
  ['a: 1\n  b: 2', 'line 2: it is indented more than what is before it'],
  ['  a: 1\nb: 2', 'line 2: it is indented less than what is before it'],
  ['a:\n\tb: 1', 'line 2: indent with spaces, not with tabs'],
  ['a: 1\na: 2', 'line 2: "a" is there twice'],
  ['a: "open', 'line 1: it is no text in quotes'],
  ['a: &x 1', 'line 1: "&" at the start of a value is not supported; put the value in quotes'],
  ['a: [1, 2', 'line 1: a list in brackets must end on its line'],
  ['just words', 'line 1: expected "name: value"'],
  ['- '.repeat(40), 'line 1: it is nested too deeply'],
] as const) {
  test(`parseYaml says what is wrong with ${JSON.stringify(text.slice(0, 20))}`, () => {
    assert.throws(() => parseYaml(text), { name: 'YamlError', message: problem })
  })
}

test('parseYaml reads back every text in quotes', () => {
  fc.assert(
    fc.property(fc.array(anyName), (texts) => {
      const text = `list:\n${texts.map((one) => `  - ${JSON.stringify(one)}`).join('\n')}\n`
      assert.deepEqual(parseYaml(text), { list: texts.length === 0 ? null : texts })
    }),
  )
})

test('parseYaml gives a value or a YamlError for any text', () => {
  const piece = fc.constantFrom('a', ':', ' ', '- ', '\n', '  ', '"', "'", '[', ']', '#', '1', 'b: ', ',', '\t', '\\', ...inheritedNames)
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      try {
        parseYaml(pieces.join(''))
      } catch (error) {
        assert.ok(error instanceof YamlError, String(error))
      }
    }),
    { numRuns: 2000 },
  )
})
