import { startNotifier } from '../src/alerts/notifications/notifier.ts'
import { watchAlerts } from '../src/alerts/rules/alert-watch.ts'
import { watchTrends } from '../src/alerts/trends/trend-watch.ts'
import { historyStore } from '../src/history/history-store.ts'
import type { DatabaseOptions } from '../src/platform/db/database.ts'
import { openDatabase } from '../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../src/platform/events/event-bus.ts'
import { samplePipeline } from '../src/samples/sample-pipeline.ts'
import { settingsOf } from '../src/settings/settings.ts'
import { acknowledge } from './acknowledge.ts'
import { silentLog } from './databases.ts'
import { busyPercent, CPU_SYSTEMS, cpuSystem, forecastMinute, forecastSystem, FORECASTS, MINUTE_MS, START_MS } from './killed-policies.ts'
import { engineOn } from './test-engine.ts'
import { webPushKey } from './told-channel.ts'

/**
 * A hub that measures systems with policies, evaluates forecasts and sends messages until it is killed. Its clock moves a minute each time
 * everything due was sent. It prints `minute N` at the start of each, and further lines in between. Arguments: the database as JSON, and the
 * first minute, of which an earlier process may have done a part.
 */
const [, , place = '', first = '0', until = ''] = process.argv
const at = JSON.parse(place) as DatabaseOptions['at'] // what the test gave
let minute = Number(first)
const clock = { now: () => START_MS + minute * MINUTE_MS }
const bus = inProcessEventBus()
// Somebody watches: samples are not held back to share a transaction.
bus.subscribe(
  'all',
  () => {},
  () => true,
)
const database = await openDatabase({ at, bus, log: silentLog })
const engine = engineOn(database, clock)
const history = historyStore({ db: database, clock, bus, log: silentLog })
const watch = await watchAlerts({ engine, history, bus, log: silentLog })
await watch.recalled()
const samples = samplePipeline({ db: database, records: engine.store, history, clock, bus, alerts: watch, log: silentLog })
const notifier = await startNotifier({
  engine,
  settings: settingsOf(database, engine.secrets),
  bus,
  webPushKey,
  appUrl: undefined,
  internalDestinations: true,
  log: silentLog,
})

async function measure(index: number): Promise<void> {
  const id = cpuSystem(index)
  const info = (await engine.store.load('systems', id))?.['info'] as { readonly at?: number } | undefined // as the sample store wrote it
  if (info?.at !== undefined && info.at >= clock.now()) return
  await samples.store({ system: id, sample: { cpu: { busyPercent: busyPercent(index, minute) } }, receivedAtMs: clock.now() })
  await acknowledge(`measured ${index}\n`)
}

async function evaluate(): Promise<void> {
  const index = Array.from({ length: FORECASTS }, (_, at) => at).find((one) => forecastMinute(one) === minute)
  if (index === undefined) return
  const owns = (system: string): boolean => system === forecastSystem(index)
  await using trends = watchTrends({ database, history, clock, watch, log: silentLog, owns, firstMs: 600_000 })
  await trends.run()
  await acknowledge('evaluated\n')
}

const last = until === '' ? Number.POSITIVE_INFINITY : Number(until)
for (; minute <= last; minute++) {
  await acknowledge(`minute ${minute}\n`)
  for (let index = 0; index < CPU_SYSTEMS; index++) await measure(index)
  await evaluate()
  notifier.wake()
  await notifier.settled()
}
await notifier.close()
watch.close()
await database.close()
