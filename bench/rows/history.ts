import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { scratchFolder } from '../../e2e/programs.ts'
import { openDatabase } from '../../hub/src/platform/db/open-database.ts'
import { SQLITE_FILE } from '../../hub/src/platform/db/sqlite/sqlite.ts'
import { inProcessEventBus } from '../../hub/src/platform/events/event-bus.ts'
import { logTo } from '../../hub/src/platform/log.ts'
import { recordDate } from '../../hub/src/records/model/stored-record.ts'
import type { Figure, Row } from '../row.ts'
import { loadedHub, type LoadedHub } from '../loaded-hub.ts'
import { seedHistory } from '../seeded-history.ts'
import { collectNow } from '../own-garbage.ts'
import { circumstances, measureSteady, quantile } from '../steady-state.ts'

const SYSTEMS = 1000
const CONTAINERS = 10
const DAYS = 30

/**
 * Benchmark of the history's size in bytes per value: the size of a database with history only, divided by the number of values in the
 * samples.
 */
export const historyBytes: Row = {
  id: 'H7',
  what: `history: ${SYSTEMS.toLocaleString('en')} systems × ${CONTAINERS} containers, ${DAYS} days, all resolutions and indexes`,
  async measure() {
    using folder = scratchFolder()
    const log = logTo((line) => process.stderr.write(`${line}\n`), 'warn')('history')
    const database = await openDatabase({ at: { directory: folder.path }, bus: inProcessEventBus(), log })
    const systems = Array.from({ length: SYSTEMS }, (_, index) => `system${String(index).padStart(9, '0')}`)
    const startedAt = process.cpuUsage()
    const numbers = await seedHistory(database, log, { systems, containers: CONTAINERS, days: DAYS, untilMs: Date.now() })
    const { user, system } = process.cpuUsage(startedAt)
    await database.close()
    const bytes = statSync(join(folder.path, SQLITE_FILE)).size
    return [
      { name: 'bytes per number', value: bytes / numbers, unit: 'B', bar: 1 },
      { name: 'the database', value: bytes / 1e9, unit: 'GB' },
      { name: 'CPU to seed it', value: (user + system) / 1e6, unit: 's' },
    ]
  },
}

const DIALS_PER_SECOND = 150
const UP_WITHIN_MS = 150_000
/**
 * Waiting time in ms, 90 s, between the start of the simulated agents and the measured reads. The hub polls no agent again within 30 s, and
 * the reads must compete with polls.
 */
const SETTLED_MS = 90_000
/**
 * Number of measured reads, 2,000, of each kind of history request. They last over 10 s, in which agents are polled, and are enough for a
 * 99th percentile.
 */
const READS = 2000
/**
 * Number of warm-up reads, 100, of each kind of history request in the benchmark. The hub compiles code and grows its memory meanwhile, so
 * these reads are reported separately.
 */
const FIRST_READS = 100
/**
 * Number of measured reads, 15, between two forced garbage collections of the benchmark's own process, so that none happens during a read.
 */
const READS_A_COLLECTION = 15
const MEASURED_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const load = { agents: SYSTEMS, containers: CONTAINERS, link: 'websocket', tokens: 'own' } as const

const callsOf = (days: number) => [
  { name: 'system_stats, last hour', bar: 15, path: (id: string) => statsPath('system_stats', id) },
  { name: 'container_stats, last hour', bar: 15, path: (id: string) => statsPath('container_stats', id) },
  { name: 'any window, up to 1,000 points', bar: 50, path: windowPathOf(days) },
]

/**
 * Benchmark of reading history while 1,000 agents are polled. It measures response times of the requests of a system page, and of requests
 * for time ranges of any length, for different systems.
 */
export const historyReads: Row = {
  id: 'H6',
  what: `hub: reading history under the load of H1, ${DAYS} days stored`,
  async measure() {
    await using hub = await loadedHub({ ...load, storedDays: DAYS })
    await hub.bringUp(DIALS_PER_SECOND, UP_WITHIN_MS)
    await wait(SETTLED_MS)
    const reader = await readerOf(hub)
    const steady = measureSteady(hub, MEASURED_MS)
    const figures: Figure[] = []
    for (const { name, bar, path } of callsOf(DAYS)) {
      const first = await reader.timesMs(path, FIRST_READS)
      const took = await reader.timesMs(path, READS)
      figures.push(
        { name: `${name}, the first ${FIRST_READS}, p90`, value: quantile(first, 0.9), unit: 'ms' },
        { name: `${name}, the slowest of them`, value: quantile(first, 1), unit: 'ms' },
        { name: `${name}, p50`, value: quantile(took, 0.5), unit: 'ms' },
        { name: `${name}, p99`, value: quantile(took, 0.99), unit: 'ms', bar },
      )
    }
    return [...figures, ...circumstances(await steady)]
  },
}

/** Number of days of stored history, 3, in the comparison of SQLite and PostgreSQL. */
const DAYS_ON_BOTH = 3

export const historyReadsOnBoth: Row = {
  id: 'H6p',
  what: `hub: the same on SQLite and PostgreSQL, in turn while both take samples, ${DAYS_ON_BOTH} days stored`,
  async measure() {
    await using embedded = await loadedHub({ ...load, storedDays: DAYS_ON_BOTH })
    await using server = await loadedHub({ ...load, storedDays: DAYS_ON_BOTH, database: 'PostgreSQL' })
    await Promise.all([embedded, server].map((hub) => hub.bringUp(DIALS_PER_SECOND, UP_WITHIN_MS)))
    await wait(SETTLED_MS)
    const [first, second] = [await readerOf(embedded), await readerOf(server)]
    const figures: Figure[] = []
    for (const { name, path } of callsOf(DAYS_ON_BOTH)) {
      for (const reader of [first, second]) await reader.timesMs(path, FIRST_READS)
      const [one, other] = [await first.timesMs(path, READS), await second.timesMs(path, READS)]
      for (const [database, took] of [['SQLite', one] as const, ['PostgreSQL', other] as const])
        figures.push(
          { name: `${name}, ${database}: p50`, value: quantile(took, 0.5), unit: 'ms' },
          { name: `${name}, ${database}: p99`, value: quantile(took, 0.99), unit: 'ms' },
        )
      figures.push({
        name: `${name}: p99 of the second by the first`,
        value: quantile(other, 0.99) / quantile(one, 0.99),
        unit: 'times',
        bar: 2,
      })
    }
    return figures
  },
}

async function readerOf({ url, signIn }: LoadedHub) {
  const authorization = await signIn(0)
  const ask = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${url}${path}`, { headers: { authorization } })
    if (!answer.ok) throw new Error(`GET ${path} is answered with ${answer.status}`)
    return answer.json()
  }
  // Response shape of this route.
  const page = (await ask('/api/collections/systems/records?perPage=500&fields=id')) as {
    readonly items: readonly { readonly id: string }[]
  }
  return {
    async timesMs(path: (id: string, read: number) => string, reads: number): Promise<Float64Array> {
      const took = new Float64Array(reads)
      for (const read of took.keys()) {
        if (read % READS_A_COLLECTION === 0) collectNow()
        const asked = path(page.items[(read * 7) % page.items.length]?.id ?? '', read)
        const startedAtMs = performance.now()
        await ask(asked)
        took[read] = performance.now() - startedAtMs
      }
      return took.toSorted()
    },
  }
}

function statsPath(collection: string, system: string): string {
  const filter = `system='${system}' && created > '${recordDate(Date.now() - HOUR_MS)}' && type='1m'`
  const query = new URLSearchParams({ page: '1', perPage: '500', filter, fields: 'created,stats', sort: 'created' })
  return `/api/collections/${collection}/records?${query.toString()}`
}

/**
 * Creates a function that takes a system id and the number of a read, and returns the URL path of a history request. The requested time
 * ranges are from one hour to 577 hours, but at most all `days`, at varying times in the past.
 */
function windowPathOf(days: number): (system: string, read: number) => string {
  return (system, read) => {
    const lengthMs = Math.min(HOUR_MS * (1 + (read % 25) ** 2), days * DAY_MS)
    const to = Date.now() - ((read * 7919) % (days * DAY_MS - lengthMs > 0 ? days * DAY_MS - lengthMs : 1))
    return `/api/history/${system}?from=${to - lengthMs}&to=${to}&points=1000&kind=${['system', 'containers', 'interfaces'][read % 3] ?? ''}`
  }
}
