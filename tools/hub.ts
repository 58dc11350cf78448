import { join } from 'node:path'
import { ensureDashboard } from './dashboard.ts'
import { root } from './rules/source-tree.ts'

// The hub runs in this process, so that signals and the exit status are its own.
if (!process.argv.includes('--help')) await ensureDashboard()
await import(join(root, 'hub', 'src', 'main.ts'))
