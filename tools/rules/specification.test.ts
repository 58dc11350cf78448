import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from './source-tree.ts'

const page = readFileSync(join(root, 'docs/specification.md'), 'utf8')
const rows = page.split('\n').filter((line) => /^\| (?!Row |-)/.test(line))
const namedTests = rows.flatMap((row) =>
  [...row.matchAll(/`([^`]+\.test\.ts)`: (.+?) +(?=<br>|\|)/g)].map(([, file = '', name = '']) => ({ file, name })),
)

test('docs/specification.md: every test that a row names exists', () => {
  const missing = namedTests.filter(
    ({ file, name }) => !existsSync(join(root, file)) || !readFileSync(join(root, file), 'utf8').includes(name),
  )
  assert.deepEqual(missing, [])
})

test('docs/specification.md: every row names a test', () => {
  assert.deepEqual(
    rows.filter((row) => !/`[^`]+\.test\.ts`: /.test(row)),
    [],
  )
  assert.ok(namedTests.length >= rows.length && rows.length > 70, `${rows.length} rows, ${namedTests.length} tests`)
})
