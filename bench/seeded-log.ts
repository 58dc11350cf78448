import { openDatabase } from '../hub/src/platform/db/open-database.ts'
import { inProcessEventBus } from '../hub/src/platform/events/event-bus.ts'
import { logTo } from '../hub/src/platform/log.ts'
import { levels, rowOf, type LogEntry } from '../hub/src/operations/logs/log-entry.ts'
import { openLogDatabase } from '../hub/src/operations/logs/log-database.ts'
import { insertLogs } from '../hub/src/operations/logs/log-table.ts'
import { vacuumed } from '../hub/test/vacuumed.ts'

export const PERSON = 'person000000007'
export const ADDRESS = '10.0.3.7'

const ROWS_AT_ONCE = 1_000
const PEOPLE = 200

/** Fills the log of a stopped hub with `entries` log entries, spread over the three days before `untilMs` (epoch ms). */
export async function seedLog(directory: string, databaseUrl: string | undefined, entries: number, untilMs: number): Promise<void> {
  const bus = inProcessEventBus()
  const log = logTo((line) => process.stderr.write(`${line}\n`), 'warn')('db')
  const main = await openDatabase({ at: databaseUrl === undefined ? { directory } : { url: databaseUrl }, bus, log })
  try {
    await using logs = await openLogDatabase(main, directory, bus, log)
    const betweenMs = (3 * 86_400_000) / entries
    for (let first = 0; first < entries; first += ROWS_AT_ONCE) {
      const rows = Array.from({ length: ROWS_AT_ONCE }, (_, at) => rowOf(entryAt(first + at, untilMs - (entries - first - at) * betweenMs)))
      await insertLogs(logs.database, rows)
    }
    await vacuumed(logs.database, 'logs')
  } finally {
    await main.close()
  }
}

/**
 * Creates the log entry with the index `at` and the time `atMs`. By index, 1 in 50 has status 404, 1 in 5,000 status 500, and 1 in 1,000 is
 * a hub warning.
 */
function entryAt(at: number, atMs: number): LogEntry {
  if (at % 1_000 === 999)
    return { atMs, level: levels.warn, message: 'heartbeat not sent', account: '', address: '', data: { type: 'hub', area: 'heartbeat' } }
  const status = at % 5_000 === 0 ? 500 : at % 50 === 0 ? 404 : 200
  const level = status === 500 ? levels.error : status === 404 ? levels.warn : levels.info
  const account = `person${String((at * 7) % PEOPLE).padStart(9, '0')}`
  const address = `10.0.${(at * 13) % 20}.${(at * 17) % 250}`
  const url = `/api/collections/systems/records/${String((at * 31) % 1_000).padStart(15, 'x')}`
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
  const who = { auth: 'users', authId: account, referer: 'https://hub.example.com', userAgent, userIP: address, remoteIP: '127.0.0.1' }
  const data = { type: 'request', execTime: 1.234, status, method: 'GET', url, ...who, bytes: 812 }
  return { atMs, level, message: `GET ${url}`, status, account, address, data }
}
