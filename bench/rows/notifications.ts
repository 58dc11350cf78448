import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { scratchFolder } from '../../e2e/programs.ts'
import { watchAlerts } from '../../hub/src/alerts/rules/alert-watch.ts'
import { hashPassword } from '../../hub/src/accounts/passwords/password.ts'
import { hubPushKey } from '../../hub/src/delivery/channels/vapid.ts'
import { systemClock as clock } from '../../hub/src/platform/clock.ts'
import { collections } from '../../hub/src/records/collections/collections.ts'
import { openDatabase } from '../../hub/src/platform/db/open-database.ts'
import { inProcessEventBus } from '../../hub/src/platform/events/event-bus.ts'
import { historyStore } from '../../hub/src/history/history-store.ts'
import { logTo } from '../../hub/src/platform/log.ts'
import { samplePipeline } from '../../hub/src/samples/sample-pipeline.ts'
import { startNotifier } from '../../hub/src/alerts/notifications/notifier.ts'
import { recordTableStore } from '../../hub/src/records/engine/record-table-store.ts'
import { textOf } from '../../hub/src/records/model/stored-record.ts'
import { secretBox } from '../../hub/src/platform/secrets/secret-box.ts'
import { settingsOf } from '../../hub/src/settings/settings.ts'
import type { Row } from '../row.ts'
import { quantile } from '../steady-state.ts'

const SYSTEMS = 200
/** Delay in ms, 60, between two samples of the benchmark. A thousand systems polled once a minute are 60 ms apart. */
const APART_MS = 60

/**
 * Benchmark of the time from a sample that fires an alert to the user's webhook. Each system belongs to a user of its own, so that no rate
 * limit applies.
 */
export const noticeLatency: Row = {
  id: 'N1',
  what: `alerts: a sample that makes an alert ring, received → at its owner's webhook; ${SYSTEMS} systems, one every ${APART_MS} ms`,
  async measure() {
    const unwatched = await fireAlerts(false)
    const watched = await fireAlerts(true)
    return [
      { name: 'p99', value: quantile(unwatched.whole, 0.99), unit: 'ms', bar: 500 },
      { name: 'of it from the commit to the webhook, p50', value: quantile(unwatched.told, 0.5), unit: 'ms' },
      { name: 'of it from the commit to the webhook, p99', value: quantile(unwatched.told, 0.99), unit: 'ms' },
      { name: 'p99 while a dashboard is open', value: quantile(watched.whole, 0.99), unit: 'ms', bar: 500 },
    ]
  },
}

type Ways = { readonly whole: Float64Array; readonly told: Float64Array }

/**
 * Fires one alert for each system of the benchmark and resolves with times in ms, ascending, until the user's webhook is called. `whole`
 * counts from the arrival of the sample, `told` from the event about the alert. With `isWatched`, a realtime client is subscribed.
 */
async function fireAlerts(isWatched: boolean): Promise<Ways> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(scratchFolder())
  const log = logTo((line) => process.stderr.write(`${line}\n`), 'warn')
  const bus = inProcessEventBus()
  const database = stack.adopt(await openDatabase({ at: { directory: folder.path }, bus, log: log('db') }), ({ close }) => close())
  const secrets = secretBox(randomBytes(32))
  const store = recordTableStore({ database, collections, secrets, clock })
  const engine = { database, collections, store, sources: new Map(), secrets, clock, hashPassword }
  const arrivedAtMs = new Map<string, number>()
  const webhook = createServer((request, response) => {
    arrivedAtMs.set(request.url ?? '', performance.now())
    request.resume()
    response.end()
  }).listen(0, '127.0.0.1')
  stack.defer(() => void webhook.close())
  await once(webhook, 'listening')
  const address = webhook.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0

  const systems: string[] = []
  for (let number = 0; number < SYSTEMS; number++)
    await database.write(async (unit) => {
      const email = `p${number}@example.com`
      const person = await store.insert(unit, 'users', { email, username: `p${number}`, role: 'admin', verified: true, password: 'none' })
      const preferences = await store.insert(unit, 'user_settings', { user: person.id, settings: {} })
      const system = await store.insert(unit, 'systems', { name: `s${number}`, status: 'up', host: 'h', users: [person.id], info: {} })
      const webhooks = [`generic://127.0.0.1:${port}/${system.id}?disabletls=yes`]
      await store.update(unit, 'user_settings', preferences.id, { settings: { webhooks } })
      await store.insert(unit, 'alerts', { user: person.id, system: system.id, name: 'CPU', value: 80, min: 1 })
      systems.push(system.id)
    })
  const history = historyStore({ db: database, clock, bus, log: log('history') })
  const alerts = stack.adopt(await watchAlerts({ engine, history, bus, log: log('alerts') }), ({ close }) => close())
  await alerts.recalled()
  const samples = samplePipeline({ db: database, records: store, history, clock, bus, alerts, log: log('samples') })
  const settings = settingsOf(database, secrets)
  const notifier = await startNotifier({
    engine,
    settings,
    bus,
    webPushKey: hubPushKey(secrets),
    appUrl: undefined,
    internalDestinations: false,
    log: log('notifications'),
  })
  stack.adopt(notifier, ({ close }) => close())

  const decidedAtMs = new Map<string, number>()
  bus.subscribe(
    ['alerts'],
    ({ record }) => void decidedAtMs.set(`/${textOf(record, 'system')}`, performance.now()),
    () => isWatched,
  )
  const receivedAtMs = new Map<string, number>()
  const stored: Promise<unknown>[] = []
  for (const system of systems) {
    receivedAtMs.set(`/${system}`, performance.now())
    stored.push(samples.store({ system, sample: { cpu: { busyPercent: 95 } }, receivedAtMs: clock.now() }))
    await new Promise((resolve) => setTimeout(resolve, APART_MS))
  }
  await Promise.all(stored)
  await notifier.settled()
  const since = (begunAtMs: ReadonlyMap<string, number>) =>
    Float64Array.from(
      systems,
      (system) => (arrivedAtMs.get(`/${system}`) ?? Number.POSITIVE_INFINITY) - (begunAtMs.get(`/${system}`) ?? 0),
    ).toSorted()
  return { whole: since(receivedAtMs), told: since(decidedAtMs) }
}
