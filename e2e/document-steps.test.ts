import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outputFits, stepsOf } from './document-steps.ts'

const F = '```'

test('stepsOf returns blocks with their way to run, output and heading, and instructions, in order', () => {
  const page = `# A\n\n<!-- test: hub -->\n\n## B\n\n${F}sh start\na\n${F}\n\nText.\n\n${F}text\nb …\n${F}\n\n<!-- not run: why -->\n\n${F}ini\nc\n${F}\n`
  assert.deepEqual(stepsOf(page, 'p'), [
    { kind: 'instruction', text: 'hub' },
    { kind: 'block', heading: 'B', mode: 'start', commands: 'a\n', output: { language: 'text', text: 'b …\n' }, reason: undefined },
    { kind: 'block', heading: 'B', mode: 'once', commands: 'c\n', output: undefined, reason: 'why' },
  ])
})

for (const [what, page] of [
  ['a block of another language without a reason', `${F}yaml\na\n${F}\n`],
  ['a block without a language', `${F}\na\n${F}\n`],
  ['an unknown way to run', `${F}sh later\na\n${F}\n`],
  ['an output without a command', `${F}text\na\n${F}\n`],
  ['a second output', `${F}sh\na\n${F}\n${F}text\nb\n${F}\n${F}text\nc\n${F}\n`],
  ['a reason without a block', `<!-- not run: why -->\n\n# Next\n`],
  ['an indented block, which the test would not see', `- a\n  ${F}sh\n  b\n  ${F}\n\n${F}sh\nc\n`],
] as const)
  test(`stepsOf throws for ${what}`, () => assert.throws(() => stepsOf(page, 'p'), /^Error: p, /))

for (const [expected, printed, language, fits] of [
  ['a …  c', 'a c', 'text', true],
  ['a … c', 'a b b c\n', 'text', true],
  ['a … c', 'a b', 'text', false],
  ['a', 'a b', 'text', false],
  ['a (b)', 'a   (b)', 'text', true],
  ['{ "a": … }', '{"a":1}', 'json', true],
  ['{ "a": 2 }', '{"a":1}', 'json', false],
] as const)
  test(`outputFits: ${JSON.stringify(printed)} ${fits ? 'fits' : 'does not fit'} ${JSON.stringify(expected)}`, () =>
    assert.equal(outputFits(printed, { language, text: expected }), fits))
