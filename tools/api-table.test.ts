import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hubRoutes } from '../hub/src/startup/hub-routes.ts'
import { apiTable, TABLE_END, TABLE_START } from './api-table.ts'
import { root } from './rules/source-tree.ts'

/** Without the padding that the formatter adds to columns. */
const unpadded = (text: string): string => text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---').trim()

test('docs/api.md lists the routes of the hub (node tools/describe-api.ts writes it)', () => {
  const page = readFileSync(join(root, 'docs', 'api.md'), 'utf8')
  const written = page.slice(page.indexOf(TABLE_START) + TABLE_START.length, page.indexOf(TABLE_END))
  assert.equal(unpadded(written), unpadded(apiTable(hubRoutes)))
})
