import { scratchFolder } from '../../e2e/programs.ts'
import { startPostgresServer } from '../../hub/test/postgres-server.ts'
import { startBenchHub } from '../bench-hub.ts'
import type { Figure, Row } from '../row.ts'
import { BENCH_PASSWORD, emailOf, seedHub } from '../seeded-hub.ts'
import { ADDRESS, PERSON, seedLog } from '../seeded-log.ts'
import { quantile } from '../steady-state.ts'
import { freePort } from '../../tools/free-port.ts'

const ENTRIES = 1_000_000
const READS = 200
/** Number of requests, 10, for each log filter before the measured ones. The first of them starts the hub's worker thread. */
const WARM_UP = 10

const filters = [
  { name: 'everything', filter: '' },
  { name: 'errors (1 in 5,000)', filter: 'level = 8' },
  { name: 'warnings and errors', filter: 'level >= 4' },
  { name: 'status 404', filter: 'data.status = 404' },
  { name: 'status 5xx', filter: 'data.status >= 500 && data.status <= 599' },
  { name: 'a person', filter: `data.authId = "${PERSON}"` },
  { name: 'an address that failed', filter: `data.userIP = "${ADDRESS}" && level = 8` },
  { name: 'a text that is common', filter: '(message ~ "systems/records" || data ~ "systems/records")' },
  { name: 'a text that is nowhere', filter: '(message ~ "needle" || data ~ "needle")' },
  { name: 'a field without an index', filter: 'data.execTime > 5000' },
] as const

/**
 * Measures searches in a log of a million entries on one database. Resolves with the times until a response as a list of figures (measured
 * values). Each response has a full page, or the matches found within the search's time limit.
 */
async function filterAndPage(database: 'SQLite' | 'PostgreSQL'): Promise<readonly Figure[]> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(scratchFolder())
  const server = database === 'SQLite' ? undefined : stack.adopt(await startPostgresServer(), ({ stop }) => stop())
  const databaseUrl = server?.url
  await seedHub(folder.path, { systems: 1, people: 1, tokens: 'own', link: 'websocket', port: 1, status: 'paused', databaseUrl })
  await seedLog(folder.path, databaseUrl, ENTRIES, Date.now())
  const listen = `127.0.0.1:${await freePort()}`
  const hub = await startBenchHub({ listen, directory: folder.path, databaseUrl })
  stack.defer(async () => void (await hub.stop()))
  const { token } = await ask<{ readonly token: string }>(`http://${listen}/api/collections/users/auth-with-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identity: emailOf(0), password: BENCH_PASSWORD }),
  })
  const get = <T>(path: string) => ask<T>(`http://${listen}${path}`, { headers: { authorization: token } })
  const figures: Figure[] = []
  for (const { name, filter } of filters) {
    const { pages, whole } = await pagesOf(get, filter)
    figures.push(
      { name: `${name}: p50`, value: quantile(pages, 0.5), unit: 'ms' },
      { name: `${name}: p99`, value: quantile(pages, 0.99), unit: 'ms', bar: 100 },
    )
    if (whole > 1) figures.push({ name: `${name}: answers until a page is full or all was looked at`, value: whole, unit: '' })
  }
  const startedAtMs = performance.now()
  await get(`/api/vedette/logs/histogram?filter=${encodeURIComponent('level >= 4')}`)
  figures.push({ name: 'histogram of warnings and errors, all of it', value: performance.now() - startedAtMs, unit: 'ms' })
  return figures
}

type Page = { readonly items: readonly unknown[]; readonly before: number | null }

/**
 * Requests consecutive pages of a log search. Resolves with their response times in ms, ascending, and `whole`, the number of responses
 * that were needed for the first 50 entries. A response may have fewer.
 */
async function pagesOf(get: <T>(path: string) => Promise<T>, filter: string) {
  for (let read = 0; read < WARM_UP; read++) await get(`/api/vedette/logs?${new URLSearchParams({ filter }).toString()}`)
  const took: number[] = []
  let whole = 0
  for (let before: number | null = null, found = 0, isFirst = true; took.length < READS;) {
    const startedAtMs = performance.now()
    const query = new URLSearchParams({ filter, ...(before === null ? {} : { before: String(before) }) })
    const page: Page = await get(`/api/vedette/logs?${query.toString()}`)
    took.push(performance.now() - startedAtMs)
    found += page.items.length
    if (isFirst) whole += 1
    if (found >= 50 || page.before === null) isFirst = false
    before = page.before
  }
  return { pages: Float64Array.from(took).toSorted(), whole }
}

async function ask<T>(url: string, init: RequestInit): Promise<T> {
  const answer = await fetch(url, init)
  if (!answer.ok) throw new Error(`${url} is answered with ${answer.status}`)
  return (await answer.json()) as T // the caller names what this route answers
}

export const logPages: Row = {
  id: 'L1',
  what: `hub: the log, ${ENTRIES.toLocaleString('en')} entries: filter and page`,
  measure: () => filterAndPage('SQLite'),
}

export const logPagesOnPostgres: Row = {
  id: 'L1p',
  what: 'hub: the same on PostgreSQL',
  measure: () => filterAndPage('PostgreSQL'),
}
