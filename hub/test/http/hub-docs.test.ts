import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hubOptions } from '../../src/startup/config.ts'
import { optionsTable } from '../../src/startup/options/options.ts'

test('docs/hub.md has the options that the hub has', () => {
  const docs = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'hub.md'), 'utf8')
  const [, table = ''] = docs.split(/<!-- options: (?:begin|end) -->/)
  assert.equal(cells(table), cells(optionsTable(hubOptions)))
})

/** The text of a table, however its columns are aligned. */
function cells(table: string): string {
  return table
    .replaceAll(/ *\| */g, '|')
    .replaceAll(/-{3,}/g, '---')
    .trim()
}
