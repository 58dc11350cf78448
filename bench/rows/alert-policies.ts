import { performance } from 'node:perf_hooks'
import type { Sample } from '@vedette/protocol/metrics/sample'
import { scratchFolder } from '../../e2e/programs.ts'
import { loadRulesOfSystem } from '../../hub/src/alerts/policies/rules-of-system.ts'
import { watchAlerts, type AlertWatch } from '../../hub/src/alerts/rules/alert-watch.ts'
import { historyStore } from '../../hub/src/history/history-store.ts'
import type { RecordValues } from '../../hub/src/records/model/record-store.ts'
import type { Row } from '../row.ts'
import { quantile } from '../steady-state.ts'
import { log, SYSTEMS, TAGS, taggedFleet, type TaggedFleet } from '../tagged-fleet.ts'

const ROUNDS = 15

const kinds = ['CPU', 'Memory', 'Disk', 'Temperature', 'Bandwidth', 'LoadAvg5'] as const
const ON_SYSTEMS = 54
const ON_TAGS = 240
const POLICIES = kinds.length + ON_TAGS + ON_SYSTEMS

/** Sample of a machine at rest, for which no alert rule of the benchmark fires: low CPU, memory and disk use. */
const calm: Sample = {
  cpu: { busyPercent: 3 },
  memory: { totalBytes: 8e9, usedBytes: 1e9, usedPercent: 12 },
  rootDisk: { usedPercent: 30 },
  temperatures: { cpu: 41 },
  load: { oneMinute: 0.2, fiveMinutes: 0.3, fifteenMinutes: 0.2 },
}

/**
 * Returns the field values of the record of the benchmark's alert policy with the index `at`. The first policies apply to all systems, the
 * next to systems with a tag, the last to one system each.
 */
function policyValues(at: number, { systems }: TaggedFleet): RecordValues {
  const name = kinds[at % kinds.length] ?? 'CPU'
  if (at < kinds.length) return { name, values: { threshold: 90, minutes: 10 } }
  const tag = Math.floor((at * TAGS) / ON_TAGS) % TAGS
  return at < kinds.length + ON_TAGS
    ? { name, tag: `tag=${tag}`, values: { threshold: 80 } }
    : { name, system: systems[(at * 83) % systems.length]?.id ?? '', values: { minutes: 5 } }
}

/**
 * Evaluates the alert rules for one sample of each system, in one transaction, several rounds long. Resolves with the median over the
 * rounds of the time per sample in µs.
 */
async function judgedMicroseconds({ engine, systems }: TaggedFleet, watch: AlertWatch): Promise<number> {
  const times: number[] = []
  for (let round = -5; round < ROUNDS; round++) {
    const atMs = Date.now()
    const samples = systems.map((previous) => ({ system: previous.id, atMs, sample: calm, previous }))
    await engine.database.write(async (unit) => {
      const from = performance.now()
      await watch.observe(unit, samples)
      if (round >= 0) times.push(((performance.now() - from) * 1000) / systems.length)
    })
  }
  return quantile(Float64Array.from(times).toSorted(), 0.5)
}

/**
 * Opens the benchmark's database of systems and resolves with it, the functions that evaluate alert rules, and an admin account, which sees
 * all systems.
 */
async function watchedFleet(stack: AsyncDisposableStack) {
  const fleet = stack.use(await taggedFleet(stack.use(scratchFolder()).path, 'tag'))
  const { engine, bus } = fleet
  const history = historyStore({ db: engine.database, clock: engine.clock, bus, log })
  const watch = stack.adopt(await watchAlerts({ engine, history, bus, log }), ({ close }) => close())
  const admin = await engine.database.write((unit) =>
    engine.store.insert(unit, 'users', { email: 'admin@example.com', username: 'admin', role: 'admin', verified: true }),
  )
  return { ...fleet, watch, admin }
}

/**
 * Benchmark of alert policies. It measures how much longer the evaluation of a sample takes than with the same rules set on each system,
 * and the time to find the rules in force on a system.
 */
export const alertPolicies: Row = {
  id: 'H12',
  what: `hub: alert policies, ${SYSTEMS} systems, ${TAGS} tags, ${POLICIES} policies, SQLite`,
  async measure() {
    await using stack = new AsyncDisposableStack()
    const [one, other] = [await watchedFleet(stack), await watchedFleet(stack)]
    await one.engine.database.write(async (unit) => {
      for (let at = 0; at < POLICIES; at++)
        await one.engine.store.insert(unit, 'alert_policies', { user: one.admin.id, ...policyValues(at, one) })
    })
    const times: number[] = []
    let rules = 0
    for (const [at, system] of one.systems.entries()) {
      const from = performance.now()
      const found = await loadRulesOfSystem(one.engine.store, one.admin.id, system)
      times.push(performance.now() - from)
      rules += found.length
      const same = other.systems[at]?.id ?? ''
      await other.engine.database.write(async (unit) => {
        for (const { name, target, threshold, minutes } of found)
          await other.engine.store.insert(unit, 'alerts', {
            user: other.admin.id,
            system: same,
            name,
            target,
            value: threshold,
            min: minutes,
          })
      })
    }
    await other.watch.recalled()
    const rising = Float64Array.from(times).toSorted()
    const [own, byPolicies] = [await judgedMicroseconds(other, other.watch), await judgedMicroseconds(one, one.watch)]
    return [
      { name: 'rules of a system', value: rules / SYSTEMS, unit: '' },
      { name: 'sample, with these rules as own alerts', value: own, unit: 'µs' },
      { name: 'sample, with policies: more', value: byPolicies - own, unit: 'µs', bar: 30 },
      { name: 'effective rules of a system: p50', value: quantile(rising, 0.5), unit: 'ms', bar: 5 },
      { name: 'effective rules of a system: p99', value: quantile(rising, 0.99), unit: 'ms', bar: 5 },
    ]
  },
}
