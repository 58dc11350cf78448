import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hubOptions } from '../../src/startup/config.ts'
import { optionsTable } from '../../src/startup/options/options.ts'

test('docs/hub.md lists the options of the hub', () => {
  const docs = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'hub.md'), 'utf8')
  const [, table = ''] = docs.split(/<!-- options: (?:begin|end) -->/)
  assert.equal(cells(table), cells(optionsTable(hubOptions)))
})

/** Returns the text of a table without the alignment of its columns. */
function cells(table: string): string {
  return table
    .replaceAll(/ *\| */g, '|')
    .replaceAll(/-{3,}/g, '---')
    .trim()
}
