import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hubOptions } from '../../src/startup/config.ts'
import { optionsTable } from '../../src/startup/options/options.ts'
import { metricsTable, FAMILIES_END, FAMILIES_START } from '../../../tools/metrics-table.ts'

test('docs/hub.md lists the options of the hub', () => {
  const docs = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'hub.md'), 'utf8')
  const [, table = ''] = docs.split(/<!-- options: (?:begin|end) -->/)
  assert.equal(cells(table), cells(optionsTable(hubOptions)))
})

test('docs/metrics.md lists the families of /metrics with their labels', () => {
  const docs = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'metrics.md'), 'utf8')
  const table = docs.split(FAMILIES_START)[1]?.split(FAMILIES_END)[0] ?? ''
  assert.equal(cells(table), cells(metricsTable()), 'run node tools/describe-metrics.ts')
})

/** Returns the text of a table without the alignment of its columns. */
function cells(table: string): string {
  return table
    .replaceAll(/ *\| */g, '|')
    .replaceAll(/-{3,}/g, '---')
    .trim()
}
