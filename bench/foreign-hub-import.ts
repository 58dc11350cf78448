import { DatabaseSync } from 'node:sqlite'
import { planHistory } from '../hub/src/operations/transfer/history/plan-history.ts'
import { systemClock } from '../hub/src/platform/clock.ts'
import { openDatabase } from '../hub/src/platform/db/open-database.ts'
import { inProcessEventBus } from '../hub/src/platform/events/event-bus.ts'
import { logTo } from '../hub/src/platform/log.ts'

/**
 * Measured cost of importing another hub's history: times in ms to plan and to write (elapsed, and as CPU time of all threads), resident
 * memory in MiB, numbers of rows and bytes.
 */
export type ImportReport = {
  readonly planMs: number
  readonly planCpuMs: number
  readonly writeMs: number
  readonly writeCpuMs: number
  readonly residentMebibytes: number
  readonly rows: number
  readonly estimatedBytes: number
}

/**
 * Command line arguments of a benchmark's program. It imports the history of another hub's database (file, first argument) into the folder
 * of a new hub (second argument). It prints an `ImportReport` as JSON.
 */
const [, , file = '', directory = ''] = process.argv
const foreign = new DatabaseSync(file, { readOnly: true })
const log = logTo((line) => process.stderr.write(`${line}\n`), 'warn')('import')
const database = await openDatabase({ at: { directory }, bus: inProcessEventBus(), log })
const systems = new Map(
  foreign
    .prepare('select id from systems')
    .all()
    .map(({ id }) => [String(id), String(id)]),
)

async function timed<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly ms: number; readonly cpuMs: number }> {
  const startedMs = performance.now()
  const startedCpu = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(startedCpu)
  return { result, ms: performance.now() - startedMs, cpuMs: (user + system) / 1000 }
}

const planned = await timed(() => planHistory({ database: foreign }, { database, clock: systemClock }, systems))
const written = await timed(() => planned.result.write(() => {}, new AbortController().signal))
await database.close()
const report: ImportReport = {
  planMs: planned.ms,
  planCpuMs: planned.cpuMs,
  writeMs: written.ms,
  writeCpuMs: written.cpuMs,
  residentMebibytes: process.resourceUsage().maxRSS / 1024,
  rows: planned.result.rows,
  estimatedBytes: planned.result.bytes,
}
process.stdout.write(`${JSON.stringify(report)}\n`)
