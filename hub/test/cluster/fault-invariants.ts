import assert from 'node:assert/strict'
import { historyStore } from '../../src/history/history-store.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { assertAlertsAgree } from '../alert-agreement.ts'
import { silentLog } from '../databases.ts'
import { storedSamples } from '../stored-samples.ts'
import { engineOn } from '../test-engine.ts'
import type { FaultyHubs, Outage } from './faulty-hubs.ts'
import type { NumberedAgent } from './numbered-agent.ts'
import type { LeaseChange, SampleWrite } from './write-audit.ts'

/** Responses are stored in batches of a second, and after those of a hub that was frozen while it stored. */
const BEFORE_MS = 5000
/** A hub tries every 5 s whether it can store again, and its agents find another hub. */
const AFTER_MS = 10_000
/** A system is polled again within 60 s after its first response; the rest is for retries. */
const POLLED_WITHIN_MS = 95_000

type Checked = {
  readonly hubs: Pick<FaultyHubs, 'url' | 'audit'>
  readonly agents: readonly NumberedAgent[]
  /** Ids of the systems by the names of their agents. */
  readonly systems: ReadonlyMap<string, string>
  readonly outages: readonly Outage[]
}

/** Asserts the rules that hold after any faults. */
export async function assertNothingLostOrDoubled({ hubs, agents, systems, outages }: Checked): Promise<void> {
  const [samples, leases] = [await hubs.audit.samples(), await hubs.audit.leases()]
  assertOneWriter(samples, leases)
  const database = await openDatabase({ at: { url: hubs.url }, bus: inProcessEventBus(), log: silentLog, isShared: true })
  try {
    const engine = engineOn(database)
    const history = historyStore({ db: database, clock: systemClock, bus: inProcessEventBus(), log: silentLog })
    const written = Map.groupBy(samples, ({ system }) => system)
    for (const agent of agents) {
      const system = systems.get(agent.name) ?? ''
      const times = (written.get(system) ?? []).map(({ at }) => at)
      assert.deepEqual(
        times,
        [...new Set(times)].toSorted((one, other) => one - other),
        `${agent.name}: a sample was stored twice or late`,
      )
      assertNoneLost(agent, new Set(times), outages)
      assertPolled(agent, outages)
      const stored = await storedSamples(history, 'system', system)
      assert.deepEqual(
        stored.map(({ atMs, values }) => [atMs, values['load.oneMinute']]),
        times.map((time) => [time, agent.measured.get(time)?.number]),
        `${agent.name}: the history has other samples than were stored`,
      )
      const { length } = await database.kysely.selectFrom('incidents').select('id').where('system', '=', system).execute()
      assert.equal(length, timesBusy(agent, times), `${agent.name}: incidents`)
    }
    await assertAlertsAgree(engine)
    assert.deepEqual(await database.kysely.selectFrom('system_events').selectAll().where('kind', '=', 'down').execute(), [])
  } finally {
    await database.close()
  }
}

/** Every epoch of a system belongs to one hub, and every hub that stored a sample held the lease. */
function assertOneWriter(samples: readonly SampleWrite[], leases: readonly LeaseChange[]): void {
  for (const one of samples) assert.equal(one.owner, one.writer, `stored without the lease: ${JSON.stringify(one)}`)
  const owners = new Map<string, string>()
  const epochs = new Map<string, number>()
  for (const { system, hub, epoch } of leases) {
    const key = `${system} ${epoch}`
    assert.equal(owners.get(key) ?? hub, hub, `two hubs have one epoch: ${key}`)
    assert.ok(epoch >= (epochs.get(system) ?? 0), `an epoch went back: ${key}`)
    owners.set(key, hub)
    epochs.set(system, epoch)
  }
}

/** A measurement that a healthy hub has received is stored. */
function assertNoneLost({ name, answers }: NumberedAgent, stored: ReadonlySet<number>, outages: readonly Outage[]): void {
  const losses = outages
    .filter(({ kind }) => kind === 'away')
    .map((one) => ({ hub: one.hub, fromMs: earliestUnstored(one, outages), untilMs: one.untilMs + AFTER_MS }))
  for (const { takenAtMs, sentAtMs, hub } of answers) {
    const isExcused = losses.some((one) => one.hub === hub && sentAtMs >= one.fromMs && sentAtMs <= one.untilMs)
    const text = `${name}: hub ${hub} lost what it received at ${new Date(sentAtMs).toISOString()}`
    assert.ok(stored.has(takenAtMs) || isExcused || Date.now() - sentAtMs < BEFORE_MS, text)
  }
}

/** Earliest time in ms at which a hub may have received what it has not stored when it fails. A slow database before makes it earlier. */
function earliestUnstored({ hub, fromMs }: Outage, outages: readonly Outage[]): number {
  const slow = outages.filter((one) => one.kind === 'slow' && one.hub === hub && one.fromMs < fromMs && one.untilMs >= fromMs - BEFORE_MS)
  return Math.min(fromMs, ...slow.map((one) => one.fromMs)) - BEFORE_MS
}

/** No system was forgotten. */
function assertPolled({ name, answers }: NumberedAgent, faults: readonly Outage[]): void {
  const outages = faults.filter(({ kind }) => kind === 'away')
  for (const [index, { sentAtMs }] of answers.entries()) {
    const nextMs = answers[index + 1]?.sentAtMs ?? Date.now()
    const outageMs = outages.reduce((sum, one) => sum + Math.max(0, Math.min(one.untilMs, nextMs) - Math.max(one.fromMs, sentAtMs)), 0)
    assert.ok(nextMs - sentAtMs <= POLLED_WITHIN_MS + outageMs, `${name} was not polled from ${new Date(sentAtMs).toISOString()}`)
  }
}

/** How often the processor became busy. */
function timesBusy({ measured }: NumberedAgent, times: readonly number[]): number {
  const isBusy = times.map((time) => measured.get(time)?.isBusy === true)
  return isBusy.filter((one, index) => one && isBusy[index - 1] !== true).length
}
