import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigRefusedError } from './config-problem.ts'
import { configText, parseConfig } from './config-text.ts'

const refused: readonly (readonly [name: string, text: string, expected: RegExp])[] = [
  ['no version', 'groups: []\n', /^line 1: version: /],
  ['another version', 'version: 2\n', /^line 1: version: /],
  ['an empty file', '', /^line 1: /],
  ['an unknown section', 'version: 1\ngroup: []\n', /^line 1: Unrecognized key: "group"$/],
  ['an unknown field', 'version: 1\ngroups:\n  - name: a\n    membres: []\n', /^line 3: groups\[0\]: Unrecognized key: "membres"$/],
  ['a number as a name', 'version: 1\ngroups:\n  - name: 12\n', /^line 3: groups\[0\]\.name: .*expected string/],
  ['a missing host', 'version: 1\nsystems:\n\n  - name: a\n', /^line 4: systems\[0\]\.host: /],
  [
    'two errors',
    'version: 1\naccess:\n  - tag: a\n    may: own\nsystems: 3\n',
    /^line 4: access\[0\]\.may: .*\nline 5: systems: .*expected array/,
  ],
  ['a key given twice', 'version: 1\nversion: 1\n', /^line 2: Map keys must be unique$/],
  ['an alias', 'version: 1\ngroups:\n  - name: &a x\n    members: [*a]\n', /^Cannot read the file: Alias resolution is disabled$/],
  ['two documents', 'version: 1\n---\nversion: 1\n', /^line 2: /],
  ['deep nesting', `version: 1\ngroups: ${'['.repeat(200)}${']'.repeat(200)}\n`, /^Cannot read the file: it nests deeper than 20 levels$/],
  ['very deep nesting', `version: 1\ngroups: ${'['.repeat(100_000)}\n`, /^Cannot read the file: it nests deeper than 20 levels$/],
  [
    'deep nesting by lines',
    `version: 1\ngroups:\n${' '.repeat(2)}${'- '.repeat(100)}a\n`,
    /^Cannot read the file: it nests deeper than 20 levels$/,
  ],
  ['a prototype key', 'version: 1\n__proto__:\n  polluted: true\n', /^line 1: Unrecognized key: "__proto__"$/],
  [
    'a prototype key of an entry',
    'version: 1\ngroups:\n  - name: a\n    __proto__: {}\n',
    /^line 3: groups\[0\]: Unrecognized key: "__proto__"$/,
  ],
  ['U+0000', 'version: 1\ngroups:\n  - name: "a\\0"\n', /cannot be stored$/],
  ['a lone surrogate', 'version: 1\ngroups:\n  - name: "\\uD800"\n', /cannot be stored$/],
  ['more than 8 MB', `version: 1\n#${'x'.repeat(8_000_000)}`, /^Cannot use the file: it is larger than 8 MB$/],
]

for (const [name, text, expected] of refused)
  test(`a configuration file with ${name} is refused with its place`, () => {
    assert.throws(
      () => parseConfig(text),
      (error) => {
        assert.ok(error instanceof ConfigRefusedError)
        assert.match(error.message, expected)
        return true
      },
    )
    assert.equal(({} as { polluted?: boolean }).polluted, undefined)
  })

test('texts that look like other YAML values keep their type', () => {
  const names = ['12', 'true', 'null', '~', '1e3', ' a ', 'a: b', '#', 'x\ny', '2026-01-01', '', '- a', 'ü', '0x1F', '\u0085', '<<']
  const config = { version: 1 as const, groups: names.map((name) => ({ name, members: [] })) }
  assert.deepEqual(parseConfig(configText(config)).config, config)
})
