import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configJsonSchema } from '../hub/src/operations/configuration/config-form.ts'
import { root } from './rules/source-tree.ts'
import { run } from './run.ts'

// Writes docs/config.schema.json from the schema that checks configuration files. A test compares both.
const path = join(root, 'docs', 'config.schema.json')
writeFileSync(path, `${JSON.stringify(configJsonSchema(), undefined, 2)}\n`)
process.exitCode = await run('oxfmt', [path])
