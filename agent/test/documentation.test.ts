import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { helpTable, helpText } from '../src/config/help.ts'
import { ignoredOptions, options } from '../src/config/schema.ts'

const page = readFileSync(new URL('../../docs/agent.md', import.meta.url), 'utf8')

/** The formatter may pad cells. */
const cells = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => /^\| +`/.test(line))
    .map((line) => line.replaceAll(/ *\| */g, '|'))

test('docs/agent.md has the table of the schema, row by row', () => {
  const [, behind = ''] = page.split('\n## Options\n')
  const [section = ''] = behind.split('\n## ')
  assert.deepEqual(cells(section), cells(helpTable()))
})

test('docs/agent.md names what is accepted without effect', () => {
  for (const name of ignoredOptions) assert.ok(page.includes(`\`${name}\``), name)
})

test('helpText names every option as flag and as environment name', () => {
  const text = helpText()
  for (const { name } of options) {
    assert.ok(text.includes(`--${name.toLowerCase().replaceAll('_', '-')} `) && text.includes(` ${name}\n`), name)
  }
})

test('the native host is of the same version as the agent in it', () => {
  const crate = readFileSync(new URL('../native/Cargo.toml', import.meta.url), 'utf8')
  assert.equal(/^version = "(.*)"$/m.exec(crate)?.[1], VEDETTE_VERSION)
})
