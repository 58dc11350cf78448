import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { metricsTable, FAMILIES_END, FAMILIES_START } from './metrics-table.ts'

// Writes the table of metric families into docs/metrics.md.
const root = join(import.meta.dirname, '..')
const path = join(root, 'docs', 'metrics.md')
const document = readFileSync(path, 'utf8')
const [before = '', rest = ''] = document.split(FAMILIES_START)
const [, after = ''] = rest.split(FAMILIES_END)
writeFileSync(path, `${before}${FAMILIES_START}\n\n${metricsTable()}\n\n${FAMILIES_END}${after}`)
execFileSync(join(root, 'node_modules', '.bin', 'oxfmt'), [path], { stdio: 'inherit' })
