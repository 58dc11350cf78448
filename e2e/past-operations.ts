import { saveHealth } from '../hub/src/operations/health/health-table.ts'
import { levels, rowOf, type LogEntry } from '../hub/src/operations/logs/log-entry.ts'
import { insertLogs } from '../hub/src/operations/logs/log-table.ts'
import type { Stores } from '../hub/src/startup/open-stores.ts'

const MEGABYTE = 1024 ** 2

/** Adds a row to the hub's health history at each time in epoch ms: an idle hub whose memory and queues go up and down. */
export async function addPastHealth({ database }: Stores, moments: readonly number[]): Promise<void> {
  for (const [index, at] of moments.entries()) {
    const wave = 1 + Math.sin(index / 90)
    await saveHealth(database, {
      at,
      cpuPercent: 2 + 3 * wave,
      residentBytes: Math.round((120 + 8 * wave) * MEGABYTE),
      heapBytes: Math.round((48 + 6 * wave) * MEGABYTE),
      loopLateMs: 1 + wave,
      databaseBytes: 400 * MEGABYTE + index * 2_000,
      agents: 12,
      waitingSamples: Math.round(2 * wave),
      waitingMessages: index % 400 < 20 ? 3 : 0,
      waitingLogs: Math.round(5 * wave),
    })
  }
}

/**
 * Adds an entry to the hub's log at each time in epoch ms. It is a request, about every seventh of which is refused, or a warning of the
 * hub.
 */
export const addPastLog = ({ logs }: Stores, moments: readonly number[]): Promise<unknown> =>
  insertLogs(
    logs.database,
    moments.map((atMs, index) => rowOf(index % 11 === 5 ? warningAt(atMs) : requestAt(atMs, index))),
  )

const warningAt = (atMs: number): LogEntry => ({
  atMs,
  level: levels.warn,
  message: 'heartbeat not sent',
  account: '',
  address: '',
  data: { type: 'hub', area: 'heartbeat' },
})

function requestAt(atMs: number, index: number): LogEntry {
  const isRefused = index % 7 === 3
  const [status, url] = isRefused ? [404, '/api/collections/systems/records/none'] : [200, '/api/collections/systems/records']
  const address = '192.0.2.7'
  return {
    atMs,
    level: isRefused ? levels.warn : levels.info,
    message: `GET ${url}`,
    status,
    account: 'person000000007',
    address,
    data: {
      type: 'request',
      execTime: 1.25 + (index % 5),
      status,
      method: 'GET',
      url,
      auth: 'users',
      authId: 'person000000007',
      userIP: address,
    },
  }
}
