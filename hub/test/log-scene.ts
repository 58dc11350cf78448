import { rmSync } from 'node:fs'
import type { Database } from '../src/platform/db/database.ts'
import type { LogEntry } from '../src/operations/logs/log-entry.ts'
import { openLogBook, type LogBook } from '../src/operations/logs/log-book.ts'
import { openLogDatabase } from '../src/operations/logs/log-database.ts'
import { compiledLogFilter, type CompiledLogFilter } from '../src/operations/logs/search/log-filter.ts'
import { openLogQueue, type LogQueue } from '../src/operations/logs/log-queue.ts'
import { defaultLogSettings, type LogSettings } from '../src/operations/logs/log-settings.ts'
import { secretBox } from '../src/platform/secrets/secret-box.ts'
import { makeMemoryFolder } from './memory-folder.ts'
import { silentLog, type TestDatabaseKind } from './databases.ts'

export const NOW_MS = Date.UTC(2026, 5, 1, 12)

/** A log without a hub. */
export type LogScene = AsyncDisposable & {
  readonly database: Database
  readonly book: LogBook
  readonly queue: LogQueue
  readonly settings: { kept: LogSettings }
  /** Stores entries, in their order. */
  readonly write: (entries: readonly Partial<LogEntry>[]) => Promise<void>
  readonly ask: (filter: string, sort?: string) => CompiledLogFilter
}

export async function logScene(kind: TestDatabaseKind): Promise<LogScene> {
  const stack = new AsyncDisposableStack()
  const test = stack.use(await kind.open())
  const folder = makeMemoryFolder('vedette-logs-')
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const { database } = stack.use(await openLogDatabase(test.database, folder, test.bus, silentLog))
  const queue = openLogQueue()
  const settings = { kept: defaultLogSettings }
  const clock = { now: () => NOW_MS }
  const book = stack.use(openLogBook({ queue, database, settings: async () => settings.kept, clock, log: silentLog }))
  const facts = {
    actor: undefined,
    actorCollection: undefined,
    context: 'default' as const,
    early: false,
    method: 'GET',
    query: {},
    headers: {},
    body: undefined,
  }
  const asker = { database, secrets: secretBox(Buffer.alloc(32, 7)), facts, nowMs: NOW_MS }
  return {
    database,
    book,
    queue,
    settings,
    async write(entries) {
      for (const entry of entries) queue.note(entryOf(entry))
      await book.flush()
    },
    ask: (filter, sort = '') => compiledLogFilter(asker, filter, sort),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

function entryOf({ status, ...entry }: Partial<LogEntry>): LogEntry {
  const whole = { atMs: NOW_MS, level: 0, message: 'GET /api/health', account: '', address: '', data: {}, ...entry }
  if (status === undefined) return whole
  return { ...whole, status, data: { type: 'request', status, authId: whole.account, userIP: whole.address, ...whole.data } }
}
