import { buildAgent } from './build-agent.ts'
import { buildHub } from './build-hub.ts'
import { buildDashboard } from './dashboard.ts'

await buildHub()
await buildDashboard()
await buildAgent()
