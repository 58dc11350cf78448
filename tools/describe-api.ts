import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { collections } from '../hub/src/records/collections/collections.ts'
import { apiDescription } from '../hub/src/http/description/api-description.ts'
import { hubRoutes } from '../hub/src/startup/hub-routes.ts'
import { root } from './rules/source-tree.ts'
import { run } from './run.ts'

// Writes docs/api.json, which a test holds to what the hub serves.
const path = join(root, 'docs', 'api.json')
writeFileSync(path, `${JSON.stringify(apiDescription(collections, hubRoutes), undefined, 2)}\n`)
process.exitCode = await run('oxfmt', [path])
