import { ensureAgent } from './build-agent.ts'
import { hubTuning } from '../program/tuning.ts'
import { ensureHub, hubBundle } from './build-hub.ts'
import { ensureDashboard } from './dashboard.ts'
import { ensureDocuments } from './documents.ts'

// Replaces this process by the hub (execve), so that signals and the exit status are its own.
if (process.execve === undefined) throw new Error('Cannot start the hub: this system cannot replace a process')
await ensureHub()
if (!process.argv.includes('--help')) {
  await ensureDashboard()
  await ensureDocuments()
  // For machines that download the agent from this hub.
  await ensureAgent()
}
process.execve(process.execPath, [process.execPath, ...hubTuning.flags, hubBundle, ...process.argv.slice(2)], {
  ...process.env,
  ...hubTuning.environment,
})
