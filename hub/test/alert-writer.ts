import { watchAlerts } from '../src/alerts/rules/alert-watch.ts'
import type { DatabaseOptions } from '../src/platform/db/database.ts'
import { openDatabase } from '../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../src/platform/events/event-bus.ts'
import { historyStore } from '../src/history/history-store.ts'
import { samplePipeline } from '../src/samples/sample-pipeline.ts'
import { acknowledge } from './acknowledge.ts'
import { silentLog } from './databases.ts'
import { engineOn } from './test-engine.ts'
import { isBusy, MINUTE_MS, START_MS, systemId, SYSTEMS } from './written-alerts.ts'

/**
 * A process that measures systems whose alerts fire and end all the time, and says each minute that is stored. It goes on
 * until it is killed. Arguments: the database as JSON, and of each system its first minute.
 */
const [, , place = '', first = ''] = process.argv
const at = JSON.parse(place) as DatabaseOptions['at'] // what the test gave
const minutes = JSON.parse(first) as number[] // likewise
const bus = inProcessEventBus()
// Somebody watches: samples are not held back to share a transaction.
bus.subscribe(
  'all',
  () => {},
  () => true,
)
const db = await openDatabase({ at, bus, log: silentLog })
const clock = { now: () => START_MS + Math.max(...minutes) * MINUTE_MS }
const engine = engineOn(db, clock)
const history = historyStore({ db, clock, bus, log: silentLog })
const alerts = await watchAlerts({ engine, history, bus, log: silentLog })
const samples = samplePipeline({ db, records: engine.store, history, clock, bus, alerts, log: silentLog })

async function measure(index: number): Promise<never> {
  for (let minute = minutes[index] ?? 0; ; minute++) {
    minutes[index] = minute
    const sample = { cpu: { busyPercent: isBusy(index, minute) ? 90 : 10 } }
    await samples.store({ system: systemId(index), sample, receivedAtMs: START_MS + minute * MINUTE_MS })
    await acknowledge(`${index} ${minute}\n`)
  }
}

await Promise.all(Array.from({ length: SYSTEMS }, (_, index) => measure(index)))
