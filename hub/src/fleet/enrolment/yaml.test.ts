import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyName, inheritedNames } from '../../../../protocol/test/hostile-names.ts'
import { parseYaml, YamlError } from './yaml.ts'

test('parseYaml reads typical lists of systems', () => {
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
      { name: 'web 1', host: '10.0.0.1', port: '45876', users: ["it's@example.com", 'b@example.com'] },
      { name: 'db # not a comment', host: '/run/agent.sock', token: '0123-abc', users: ['c@example.com', 'd@example.com'] },
    ],
    other: null,
    flag: true,
    url: 'http://[::1]:45876/#x',
    empty: null,
  })
})

for (const number of ['0123', '1e3', '0x1F', '-7', '1.50', '.inf']) {
  test(`parseYaml keeps a number as its text: ${number}`, () => assert.deepEqual(parseYaml(`token: ${number}`), { token: number }))
}

for (const text of ['', '# nothing', '---'])
  test(`parseYaml returns null for ${JSON.stringify(text)}`, () => assert.equal(parseYaml(text), null))

for (const [text, problem] of [
  ['a: 1\n  b: 2', /^line 1: Nested mappings/],
  ['  a: 1\nb: 2', /^line 2: /],
  ['a:\n\tb: 1', /^line 2: Tabs are not allowed as indentation/],
  ['a: 1\na: 2', /^line 2: Map keys must be unique/],
  ['a: "open', /^line 1: Missing closing "quote/],
  ['a: [1, 2', /^line 1: /],
  ['a: &x 1\nb: *x', /alias/i],
  ['- '.repeat(100_000), /stack/i],
  ['a: 1\n---\nb: 2', /^line 2: .*multiple documents/],
] as const) {
  test(`parseYaml describes the error in ${JSON.stringify(text.slice(0, 20))}`, () => {
    assert.throws(() => parseYaml(text), { name: 'YamlError', message: problem })
  })
}

test('parseYaml reads every quoted text unchanged', () => {
  fc.assert(
    fc.property(fc.array(anyName), (texts) => {
      const text = `list:\n${texts.map((one) => `  - ${JSON.stringify(one)}`).join('\n')}\n`
      assert.deepEqual(parseYaml(text), { list: texts.length === 0 ? null : texts })
    }),
  )
})

test('parseYaml returns a value or throws a YamlError for any text', () => {
  const piece = fc.constantFrom(
    'a',
    ':',
    ' ',
    '- ',
    '\n',
    '  ',
    '"',
    "'",
    '[',
    ']',
    '#',
    '1',
    'b: ',
    ',',
    '\t',
    '\\',
    '&a',
    '*a',
    '!',
    '|',
    ...inheritedNames,
  )
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
