import { startBoth } from '../program/start.ts'
import { ensureAgent } from './build-agent.ts'
import { ensureHub } from './build-hub.ts'
import { ensureDashboard } from './dashboard.ts'
import { ensureDocuments } from './documents.ts'
import { builtPrograms } from './built-programs.ts'

const options = process.argv.slice(2)
await ensureHub()
if (!options.includes('--help')) {
  await ensureDashboard()
  await ensureDocuments()
  // For machines that download the agent from this hub.
  await ensureAgent()
}
await startBoth(options, builtPrograms)
