import { buildHub } from './build-hub.ts'
import { buildDashboard } from './dashboard.ts'

await buildHub()
await buildDashboard()
