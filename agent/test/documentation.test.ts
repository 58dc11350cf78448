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

test('docs/agent.md contains the table of options that the schema generates', () => {
  const [, behind = ''] = page.split('\n## Options\n')
  const [section = ''] = behind.split('\n## ')
  assert.deepEqual(cells(section), cells(helpTable()))
})

test('docs/agent.md lists the options that are accepted without effect', () => {
  for (const name of ignoredOptions) assert.ok(page.includes(`\`${name}\``), name)
})

test('helpText lists every option as flag and as environment variable', () => {
  const text = helpText()
  for (const { name } of options) {
    assert.ok(text.includes(`--${name.toLowerCase().replaceAll('_', '-')} `) && text.includes(` ${name}\n`), name)
  }
})

test('native host has the same version as the agent inside it', () => {
  const crate = readFileSync(new URL('../native/Cargo.toml', import.meta.url), 'utf8')
  assert.equal(/^version = "(.*)"$/m.exec(crate)?.[1], VEDETTE_VERSION)
})
