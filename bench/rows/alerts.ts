import { randomBytes } from 'node:crypto'
import type { ContainerSample, Sample } from '@vedette/protocol/metrics/sample'
import { scratchFolder } from '../../e2e/programs.ts'
import { levelKind, levelKinds } from '../../hub/src/alerts/judging/alert-kinds.ts'
import { watchAlerts } from '../../hub/src/alerts/rules/alert-watch.ts'
import { readReadings, previewEpisodes } from '../../hub/src/alerts/rules/alert-preview.ts'
import { hashPassword } from '../../hub/src/accounts/passwords/password.ts'
import { collections } from '../../hub/src/records/collections/collections.ts'
import { openDatabase } from '../../hub/src/platform/db/open-database.ts'
import { inProcessEventBus } from '../../hub/src/platform/events/event-bus.ts'
import { historyStore } from '../../hub/src/history/history-store.ts'
import { logTo } from '../../hub/src/platform/log.ts'
import { recordTableStore } from '../../hub/src/records/engine/record-table-store.ts'
import { secretBox } from '../../hub/src/platform/secrets/secret-box.ts'
import type { Row } from '../row.ts'
import { seedHistory } from '../seeded-history.ts'
import { quantile } from '../steady-state.ts'

const SYSTEMS = 1000
/**
 * List of the alert kinds with a threshold that watch a whole system, not one container, disk or interface of it. Kinds with a trend are
 * left out.
 */
const wholeSystemKinds = levelKinds.filter(({ isOfOne, trend }) => isOfOne !== true && trend === undefined)
const parts = [
  { name: 'Filesystem', target: 'data' },
  { name: 'ContainerCPU', target: 'shop-web-3' },
  { name: 'Container', target: 'shop-web-4' },
  { name: 'ContainerHealth', target: '' },
  { name: 'ContainerStopped', target: '' },
] as const
const CONTAINERS = 10
const RULES = wholeSystemKinds.length + parts.length
const ROUNDS = 30
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const DAYS = 30

const log = logTo((line) => process.stderr.write(`${line}\n`), 'warn')

/** Benchmark of evaluating alert rules: CPU time for one minute's samples of all systems, when each rule averages over ten minutes. */
export const alertEvaluation: Row = {
  id: 'N2',
  what: `alerts: ${RULES} rules × ${SYSTEMS.toLocaleString('en')} systems held against a minute's samples, CPU`,
  async measure() {
    await using stack = new AsyncDisposableStack()
    const folder = stack.use(scratchFolder())
    let nowMs = Date.UTC(2026, 0, 10)
    const clock = { now: () => nowMs }
    const bus = inProcessEventBus()
    const database = stack.adopt(await openDatabase({ at: { directory: folder.path }, bus, log: log('db') }), ({ close }) => close())
    const secrets = secretBox(randomBytes(32))
    const store = recordTableStore({ database, collections, secrets, clock })
    const systems = await database.write(async (unit) => {
      const user = await store.insert(unit, 'users', {
        email: 'a@example.com',
        username: 'a',
        role: 'admin',
        verified: true,
        password: 'none',
      })
      const made = []
      for (let index = 0; index < SYSTEMS; index++) {
        const system = await store.insert(unit, 'systems', { name: `s${index}`, status: 'up', host: 'h', users: [user.id], info: {} })
        for (const { name, direction } of wholeSystemKinds)
          await store.insert(unit, 'alerts', { user: user.id, system: system.id, name, value: direction === 'above' ? 90 : 5, min: 10 })
        for (const { name, target } of parts)
          await store.insert(unit, 'alerts', { user: user.id, system: system.id, name, target, value: 90, min: 10 })
        made.push(system)
      }
      return made
    })
    const engine = { database, collections, store, sources: new Map(), secrets, clock, hashPassword }
    const history = historyStore({ db: database, clock, bus, log: log('history') })
    const watch = stack.adopt(await watchAlerts({ engine, history, bus, log: log('alerts') }), ({ close }) => close())
    await watch.recalled()

    const minutes = async (peaks: boolean): Promise<number> => {
      const tookMs: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        nowMs += MINUTE_MS
        const samples = systems.map((previous, index) => {
          const value = peaks && (index + round) % 10 === 0 ? 95 : 20 + ((index * 7 + round) % 50)
          return { system: previous.id, atMs: nowMs, previous, sample: sampleOf(value, peaks && (index + round) % 100 === 0) }
        })
        tookMs.push(
          await database.write(async (unit) => {
            const before = process.cpuUsage()
            await watch.observe(unit, samples)
            const { user, system } = process.cpuUsage(before)
            return (user + system) / 1000
          }),
        )
      }
      return quantile(Float64Array.from(tookMs.slice(ROUNDS / 3)).toSorted(), 0.5)
    }
    return [
      { name: 'a minute, nothing beyond', value: await minutes(false), unit: 'ms', bar: 100 },
      {
        name: 'a minute, every tenth value beyond, and the containers of every hundredth system unwell, for a moment',
        value: await minutes(true),
        unit: 'ms',
        bar: 100,
      },
    ]
  },
}

const containers = (value: number, isUnwell: boolean): readonly ContainerSample[] =>
  Array.from({ length: CONTAINERS }, (_, index) => ({
    name: `shop-web-${index}`,
    id: `c0ffee00000${index}`,
    status: 'Up 2 days',
    health: isUnwell ? 'unhealthy' : 'healthy',
    cpuPercent: value,
    memoryBytes: value,
    restarts: 0,
  }))

const sampleOf = (value: number, isUnwell: boolean): Sample => ({
  containers: containers(value, isUnwell),
  cpu: { busyPercent: value },
  memory: { totalBytes: 100, usedBytes: value, usedPercent: value },
  rootDisk: { usedPercent: value },
  extraDisks: { data: { usedPercent: value / 2 } },
  network: { sentBytesPerSecond: value, receivedBytesPerSecond: value },
  temperatures: { cpu: value, board: 30 },
  gpus: { 0: { name: 'GPU', usagePercent: value } },
  load: { oneMinute: value, fiveMinutes: value, fifteenMinutes: value },
  battery: { percent: 100 - value, state: 'full' },
})

/** Benchmark of computing the preview of one alert rule over 30 days of 1-minute history. */
export const alertPreview: Row = {
  id: 'N3',
  what: `alerts: the preview of one rule over ${DAYS} days of minutes`,
  async measure() {
    await using stack = new AsyncDisposableStack()
    const folder = stack.use(scratchFolder())
    const untilMs = Date.now()
    const bus = inProcessEventBus()
    const database = stack.adopt(await openDatabase({ at: { directory: folder.path }, bus, log: log('db') }), ({ close }) => close())
    const systems = ['system000000001', 'system000000002']
    await seedHistory(database, log('history'), { systems, containers: 10, days: DAYS, untilMs })
    const history = historyStore({ db: database, clock: { now: () => untilMs }, bus, log: log('history') })
    const took: number[] = []
    for (let round = 0; round < 10; round++)
      for (const name of ['CPU', 'Temperature']) {
        const kind = levelKind(name)
        if (kind === undefined) throw new RangeError(`There is no alert "${name}"`)
        const begunAtMs = performance.now()
        const readings = await readReadings(history, {
          system: systems[round % 2] ?? '',
          kind,
          window: { fromMs: untilMs - DAYS * DAY_MS, toMs: untilMs },
        })
        previewEpisodes(kind, { threshold: 30, minutes: 10 }, readings)
        took.push(performance.now() - begunAtMs)
      }
    const sorted = Float64Array.from(took).toSorted()
    return [
      { name: 'p50', value: quantile(sorted, 0.5), unit: 'ms' },
      { name: 'longest', value: sorted.at(-1) ?? Number.NaN, unit: 'ms', bar: 200 },
    ]
  },
}
