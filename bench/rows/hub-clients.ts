import { Agent, get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { scratchFolder } from '../../e2e/programs.ts'
import { startBenchHub } from '../bench-hub.ts'
import { startBenchProcess } from '../bench-process.ts'
import type { DashboardsOptions, DashboardsReport } from '../dashboards-report.ts'
import { monotonicMs, SIGHTING_NUMBERS, type Sightings } from '../fleet-report.ts'
import { startPostgresServer } from '../../hub/test/postgres-server.ts'
import { memoryOf } from '../process-figures.ts'
import type { Figure, Row } from '../row.ts'
import { BENCH_PASSWORD, emailOf, seedHub } from '../seeded-hub.ts'
import { freePort } from '../../tools/free-port.ts'

const PEOPLE = 10
const SUBSCRIBERS = 1000
const MOST_SUBSCRIBERS = 2000
const EVENTS = 60
/** Delay in ms, 300, between two changes of a system by the benchmark. Each change has reached all subscribers before the next one. */
const BETWEEN_EVENTS_MS = 300
const LISTS = 300
const WARM_UP = 20

type Session = { readonly token: string }

const databases = ['SQLite', 'PostgreSQL'] as const

/**
 * Starts a real hub on one database, with paused systems and no agents. Resolves with its URL, process id and the session tokens of ten
 * users.
 */
async function idleHub(systems: number, database: (typeof databases)[number]) {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(scratchFolder())
  const server = database === 'SQLite' ? undefined : stack.adopt(await startPostgresServer(), ({ stop }) => stop())
  const databaseUrl = server?.url
  await seedHub(folder.path, { systems, people: PEOPLE, tokens: 'own', link: 'websocket', port: 1, status: 'paused', databaseUrl })
  const listen = `127.0.0.1:${await freePort()}`
  const url = `http://${listen}`
  const hub = await startBenchHub({ listen, directory: folder.path, databaseUrl })
  stack.defer(async () => void (await hub.stop()))
  const tokens: string[] = []
  for (let person = 0; person < PEOPLE; person++) {
    const body = { identity: emailOf(person), password: BENCH_PASSWORD }
    tokens.push((await asked<Session>(`${url}/api/collections/users/auth-with-password`, { method: 'POST', token: '', body })).token)
  }
  const opened = stack.move()
  return { url, tokens, pid: hub.pid, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

type Asking = { readonly method: string; readonly token: string; readonly body?: object }

async function asked<T>(url: string, { method, token, body }: Asking): Promise<T> {
  const answer = await fetch(url, {
    method,
    headers: { authorization: token, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${url} is answered with ${answer.status}`)
  return (await answer.json()) as T // the caller names what this route answers
}

type Page = { readonly items: readonly { readonly id: string }[] }

export const eventFanOut: Row = {
  id: 'H2a',
  what: `hub: a person's change → ${SUBSCRIBERS} event streams of ten people`,
  measure: () => onBoth((database) => fanOut(database, { subscribers: SUBSCRIBERS, p99: 100 })),
}

export const eventFanOutToMany: Row = {
  id: 'H2b',
  what: `hub: the same with ${MOST_SUBSCRIBERS} event streams, in order and within bounds`,
  measure: () => onBoth((database) => fanOut(database, { subscribers: MOST_SUBSCRIBERS })),
}

type FanOut = { readonly subscribers: number; readonly p99?: number }

async function fanOut(database: (typeof databases)[number], { subscribers, p99 }: FanOut): Promise<readonly Figure[]> {
  await using hub = await idleHub(1, database)
  const [admin = ''] = hub.tokens
  const before = memoryOf(hub.pid)
  const options: DashboardsOptions = { url: hub.url, count: subscribers, tokens: hub.tokens, mark: 'port' }
  await using dashboards = startBenchProcess<object, DashboardsReport>(new URL('../dashboards.ts', import.meta.url), options)
  while ((await dashboards.ask({})).open < subscribers) await wait(BETWEEN_EVENTS_MS)
  const records = `${hub.url}/api/collections/systems/records`
  const id = (await asked<Page>(records, { method: 'GET', token: admin })).items[0]?.id ?? ''
  const sentAtMs: number[] = []
  for (let mark = 1; mark <= EVENTS; mark++) {
    await wait(BETWEEN_EVENTS_MS)
    sentAtMs[mark] = monotonicMs()
    await asked(`${records}/${id}`, { method: 'PATCH', token: admin, body: { port: String(mark) } })
  }
  await wait(BETWEEN_EVENTS_MS)
  const { events, disordered } = await dashboards.ask({})
  const after = memoryOf(hub.pid)
  const delaysMs = delaysOf(events, sentAtMs, subscribers)
  return [
    { name: 'events that did not arrive', value: EVENTS * subscribers - delaysMs.length, unit: '', bar: 0 },
    { name: 'events that told an older state than the one before', value: disordered, unit: '', bar: 0 },
    { name: 'request of the change sent → event received, p50', value: quantile(delaysMs, 0.5), unit: 'ms' },
    { name: 'the same, p99', value: quantile(delaysMs, 0.99), unit: 'ms', ...(p99 === undefined ? {} : { bar: p99 }) },
    {
      name: 'private memory per stream',
      value: ((after.privateMebibytes - before.privateMebibytes) * 1024) / subscribers,
      unit: 'KiB',
    },
    { name: 'resident', value: after.residentMebibytes, unit: 'MiB' },
  ]
}

/**
 * Returns a list of the delays in ms from each change of a system to its events on the event streams. Events of a change beyond one for
 * each of the `subscribers` are ignored.
 */
function delaysOf(events: Sightings, sentAtMs: readonly number[], subscribers: number): readonly number[] {
  const delaysMs: number[] = []
  const arrived = new Map<number, number>()
  for (let at = 0; at < events.length; at += SIGHTING_NUMBERS) {
    const mark = events[at + 1] ?? 0
    const sent = sentAtMs[mark]
    const already = arrived.get(mark) ?? 0
    arrived.set(mark, already + 1)
    // A further event with the same mark is the system's change to down, as it has no agent.
    if (sent !== undefined && already < subscribers) delaysMs.push((events[at + 2] ?? 0) - sent)
  }
  return delaysMs
}

export const systemsList: Row = {
  id: 'H5',
  what: 'hub: the systems list, 500 of 1,000, as the dashboard asks for it, without other load',
  measure: () => onBoth(listTimes),
}

async function listTimes(database: (typeof databases)[number]): Promise<readonly Figure[]> {
  await using hub = await idleHub(1000, database)
  const [admin = '', user = ''] = hub.tokens
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const figures = []
  for (const [who, token] of [
    ['an admin', admin],
    ['a user', user],
  ] as const) {
    const list = `${hub.url}/api/collections/systems/records?page=1&perPage=500&skipTotal=1&sort=%2Bname`
    const page = await asked<Page>(list, { method: 'GET', token })
    if (page.items.length !== 500) throw new Error(`The list has ${page.items.length} systems`)
    const tookMs = await timesMs(LISTS, () => readAll(agent, list, { authorization: token, 'accept-encoding': 'gzip' }))
    figures.push(
      { name: `${who}, p50`, value: quantile(tookMs, 0.5), unit: 'ms', bar: 8 },
      { name: `${who}, p99`, value: quantile(tookMs, 0.99), unit: 'ms', bar: 30 },
    )
  }
  return figures
}

/**
 * Runs a measurement on SQLite and then on PostgreSQL. Resolves with the figures (measured values) of both as one list; their names begin
 * with the database.
 */
async function onBoth(measure: (database: (typeof databases)[number]) => Promise<readonly Figure[]>): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const database of databases) {
    for (const figure of await measure(database)) figures.push({ ...figure, name: `${database}: ${figure.name}` })
  }
  return figures
}

/**
 * Sends a GET request and resolves when the complete gzip response was read, without unpacking it. Unpacking would cause garbage
 * collections of 20 to 40 ms in this process.
 */
function readAll(agent: Agent, url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200 || answer.headers['content-encoding'] !== 'gzip')
        reject(new Error(`GET ${url} is answered with ${answer.statusCode} in ${answer.headers['content-encoding'] ?? 'no encoding'}`))
      answer.on('error', reject).on('end', resolve).resume()
    }).on('error', reject)
  })
}

async function timesMs(count: number, work: () => Promise<void>): Promise<readonly number[]> {
  const took: number[] = []
  for (let at = -WARM_UP; at < count; at++) {
    const startedAtMs = performance.now()
    await work()
    if (at >= 0) took.push(performance.now() - startedAtMs)
  }
  return took
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
