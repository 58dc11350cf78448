import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { historyStore } from '../../src/history/history-store.ts'
import { noticeIdsIn } from '../../src/alerts/notifications/delivery-store.ts'
import { changePersonSettings } from '../../src/alerts/notifications/person-settings.ts'
import type { DatabaseOptions } from '../../src/platform/db/database.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { createRecord } from '../../src/records/writing/write.ts'
import { compiledSources } from '../compiled-sources.ts'
import { databases, silentLog } from '../databases.ts'
import { httpPeer } from '../http-peer.ts'
import { killTimeoutMs } from '../kill-rounds.ts'
import { roundsOf } from '../longer-runs.ts'
import {
  CPU_SYSTEMS,
  cpuSystem,
  expectedIncidents,
  forecastMinute,
  FORECASTS,
  forecastSystem,
  MINUTE_MS,
  OWN_STEP,
  ownerNames,
  PERSON_STEP,
  personOf,
  REMIND_MINUTES,
  START_MS,
  SYSTEMS_OF_OWNER,
} from '../killed-policies.ts'
import { storePastValues } from '../past-history.ts'
import { engineOn } from '../test-engine.ts'

/** Together 400 kills of both databases in the long run. */
const ROUNDS = roundsOf({ short: 3, long: 200, soak: 400 })
const SENT_AT_ONCE = 16
/** Simulated minutes that no test run exceeds: the forecasts follow every 2 hours. */
const HOUR = 60

type Place = { readonly at: DatabaseOptions['at']; readonly port: number }

/** Stores owners with policies, reminders and an escalation, their systems, and past values of disks that fill up. */
async function begin({ at, port }: Place): Promise<void> {
  const bus = inProcessEventBus()
  const database = await openDatabase({ at, bus, log: silentLog })
  const clock = { now: () => START_MS }
  const engine = engineOn(database, clock)
  const { store } = engine
  const hook = (name: string) => `generic://127.0.0.1:${port}/${name}?disabletls=yes&template={{title}}`
  const account = (name: string) =>
    database.write(async (unit) => {
      const values = { email: `${name}@example.com`, username: name, role: 'admin', verified: true, password: 'none' }
      return store.insert(unit, 'users', values)
    })
  const change = (id: string, settings: Parameters<typeof changePersonSettings>[3]) =>
    database.write((unit) => changePersonSettings(engine, unit, id, settings))
  const policies = engine.collections.find('alert_policies')
  assert.ok(policies !== undefined)
  for (const [index, name] of ownerNames.entries()) {
    const [owner, person] = [await account(name), await account(personOf(name))]
    await change(person.id, () => ({ webhooks: [hook(personOf(name))] }))
    await change(owner.id, () => ({
      webhooks: [hook(name), hook(`${name}-second`)],
      notificationRules: [{ channels: [hook(name)] }],
      remindMinutes: REMIND_MINUTES,
      escalation: [
        { minutes: OWN_STEP, channels: [hook(`${name}-second`)] },
        { minutes: PERSON_STEP, person: person.id },
      ],
    }))
    const isForecaster = name === 'forecaster'
    const systems = isForecaster
      ? Array.from({ length: FORECASTS }, (_, at) => forecastSystem(at))
      : Array.from({ length: CPU_SYSTEMS }, (_, at) => at)
          .filter((at) => Math.floor(at / SYSTEMS_OF_OWNER) === index)
          .map(cpuSystem)
    for (const id of systems)
      await database.write((unit) =>
        store.insert(unit, 'systems', { id, name: id, host: id, status: 'up', users: [owner.id, person.id], info: {} }),
      )
    const facts = { actor: owner, context: 'default', method: 'POST', query: {}, headers: {} } as const
    const rule = isForecaster
      ? { name: 'DiskForecast', values: { threshold: 48 } }
      : { name: 'CPU', values: { threshold: 90, minutes: 1, warning: 70, warningMinutes: 1 } }
    // An admin's policy for everything would watch the systems of the other owners, too.
    for (const system of systems) await createRecord(engine, policies, { ...facts, body: { user: owner.id, system, ...rule } })
  }
  const history = historyStore({ db: database, clock, bus, log: silentLog })
  for (let index = 0; index < FORECASTS; index++) {
    const untilMs = START_MS + (forecastMinute(index) - 2) * MINUTE_MS
    const valuesAt = (hour: number) => ({ 'disk.usedPercent': 84 + hour / 2 })
    await storePastValues(history, { system: forecastSystem(index), untilMs, days: 7, valuesAt })
  }
  await database.close()
}

/** Checks that the minutes up to and with `last` caused exactly their incidents and notifications, and that each was sent. */
async function assertHolds({ at }: Place, last: number, sent: readonly string[], kills: number): Promise<void> {
  const database = await openDatabase({ at, bus: inProcessEventBus(), log: silentLog })
  const { kysely } = database
  const notices = await kysely.selectFrom('notices').selectAll().execute()
  const deliveries = await kysely.selectFrom('deliveries').selectAll().execute()
  const incidents = await kysely.selectFrom('incidents').selectAll().orderBy('system').orderBy('began').execute()
  await database.close()
  const transitions = Map.groupBy(notices, ({ incident }) => incident)
  const found = incidents.map(({ id, system, began }) => ({
    system,
    began: (began - START_MS) / MINUTE_MS,
    transitions: (transitions.get(id) ?? []).map(({ transition }) => transition).toSorted(),
  }))
  const byTime = (one: { system: string; began: number }, other: { system: string; began: number }) =>
    one.system.localeCompare(other.system) || one.began - other.began
  assert.deepEqual(found.toSorted(byTime), expectedIncidents(last).toSorted(byTime))
  assert.deepEqual(
    notices.filter(({ state }) => state !== 'handed'),
    [],
  )
  assert.deepEqual(
    deliveries.filter(({ state }) => state !== 'delivered'),
    [],
  )
  // Each notification is in one message to each of its channels.
  const messages = deliveries.flatMap(({ notices: ids }) => noticeIdsIn(ids)).toSorted()
  const isTwice = new Set(incidents.flatMap(({ id }) => endsOfTwoChannels(transitions.get(id) ?? [])))
  assert.deepEqual(messages, notices.flatMap(({ id }) => (isTwice.has(id) ? [id, id] : [id])).toSorted())
  assert.deepEqual([...new Set(sent)].toSorted(), deliveries.map(({ id }) => id).toSorted())
  assert.ok(sent.length - deliveries.length <= kills * SENT_AT_ONCE, `${sent.length - deliveries.length} repeats`)
}

/** Returns the id of the end of an alert that was escalated to the owner's second channel, which gets the end, too. */
function endsOfTwoChannels(notices: readonly { readonly id: string; readonly transition: string }[]): readonly string[] {
  const isEscalated = notices.some(({ transition }) => transition.startsWith('escalated-') && transition.endsWith(`-${OWN_STEP}`))
  return notices.flatMap(({ id, transition }) => (isEscalated && transition === 'resolved' ? [id] : []))
}

for (const kind of databases) {
  test(
    `${kind.name}: a killed hub neither loses nor doubles a transition, reminder or step of an escalation (${ROUNDS} rounds)`,
    { timeout: killTimeoutMs(ROUNDS) },
    async (t) => {
      await using stack = new AsyncDisposableStack()
      const { at } = stack.use(await kind.place())
      let onSignal = (): void => {}
      const peer = stack.use(
        await httpPeer(() => {
          onSignal()
          return { status: 200 }
        }),
      )
      const place = { at, port: peer.port }
      await begin(place)

      /** Runs a hub from a minute on, and kills it after some lines and requests, or lets it end after a minute. Resolves to its last minute. */
      async function run(minute: number, signals: number, until = ''): Promise<number> {
        const program = join(import.meta.dirname, '..', 'policies-process.ts')
        const hub = spawn(process.execPath, [program, JSON.stringify(at), String(minute), until], {
          env: { NODE_NO_WARNINGS: '1', ...compiledSources },
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        const ended = once(hub, 'exit')
        let count = 0
        onSignal = () => {
          count += 1
          if (count === signals) hub.kill('SIGKILL')
        }
        let lastMinute = minute
        for await (const line of createInterface({ input: hub.stdout })) {
          onSignal()
          if (line.startsWith('minute ')) lastMinute = Number(line.slice('minute '.length))
        }
        const [code, signal] = await ended
        assert.deepEqual([code, signal], until === '' ? [null, 'SIGKILL'] : [0, null])
        return lastMinute
      }

      let minute = 0
      for (let round = 0; round < ROUNDS; round++) minute = await run(minute, 3 + ((round * 29) % 71))
      // Later than the leases of the killed processes on deliveries.
      const last = minute + 4
      await run(minute, Number.POSITIVE_INFINITY, String(last))
      t.diagnostic(`${ROUNDS} kills in ${(last / HOUR).toFixed(1)} simulated hours, ${peer.received.length} messages`)
      const sent = peer.received.map(({ headers }) => String(headers['idempotency-key']))
      await assertHolds(place, last, sent, ROUNDS)
    },
  )
}
