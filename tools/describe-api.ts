import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiDescription } from '../hub/src/http/description/api-description.ts'
import { collections } from '../hub/src/records/collections/collections.ts'
import { hubRoutes } from '../hub/src/startup/hub-routes.ts'
import { apiTable, TABLE_END, TABLE_START } from './api-table.ts'
import { root } from './rules/source-tree.ts'
import { run } from './run.ts'

// Writes docs/api.json and the tables in docs/api.md from the declarations of the routes. Tests compare both with the routes that the hub
// serves.
const document = join(root, 'docs', 'api.json')
writeFileSync(document, `${JSON.stringify(apiDescription(collections, hubRoutes), undefined, 2)}\n`)
const page = join(root, 'docs', 'api.md')
const text = readFileSync(page, 'utf8')
const [start, end] = [text.indexOf(TABLE_START) + TABLE_START.length, text.indexOf(TABLE_END)]
writeFileSync(page, `${text.slice(0, start)}\n\n${apiTable(hubRoutes)}\n\n${text.slice(end)}`)
process.exitCode = await run('oxfmt', [document, page])
