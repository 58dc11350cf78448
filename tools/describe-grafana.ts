import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dashboard } from './grafana/dashboard.ts'

// Writes the Grafana dashboard as JSON, which Grafana imports.
writeFileSync(join(import.meta.dirname, '..', 'docs', 'grafana', 'vedette.json'), `${JSON.stringify(dashboard, null, 2)}\n`)
