import { ensureAgent } from './build-agent.ts'
import { hubBundle, ensureHub } from './build-hub.ts'
import { ensureDashboard } from './dashboard.ts'

// The hub runs in this process, so that signals and the exit status are its own.
await ensureHub()
if (!process.argv.includes('--help')) {
  await ensureDashboard()
  // For the machines that fetch theirs from this hub.
  await ensureAgent()
}
await import(hubBundle)
