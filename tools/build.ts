import { buildAgent } from './build-agent.ts'
import { buildHub } from './build-hub.ts'
import { buildDashboard } from './dashboard.ts'
import { buildDocuments } from './documents.ts'

await buildHub()
await buildDashboard()
await buildDocuments()
await buildAgent()
