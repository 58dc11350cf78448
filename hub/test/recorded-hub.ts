import { randomBytes } from 'node:crypto'
import { allDuties } from '../src/platform/cluster/duties.ts'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '@vedette/protocol/wire/stats-json'
import type { Hono } from 'hono'
import { openAccounts, type Accounts } from '../src/accounts/accounts.ts'
import { memoryCounts } from '../src/platform/limits/attempt-counts.ts'
import { signInAttempts } from '../src/accounts/attempts.ts'
import { ownBackupPlace } from '../src/operations/backups/backup-place.ts'
import { importsOf } from '../src/operations/transfer/imports.ts'
import { openOwnTarget } from '../src/operations/transfer/own-target.ts'
import { backupsOf } from '../src/operations/backups/backups.ts'
import { firstRunOf } from '../src/accounts/first-run.ts'
import { hubListOf } from '../src/operations/health/hub-list.ts'
import { hashPassword } from '../src/accounts/passwords/password.ts'
import { rememberOrigin } from '../src/accounts/sessions/proofs.ts'
import { serveProviderSignIn } from '../src/accounts/routes/providers.ts'
import { hubPushKey } from '../src/delivery/channels/vapid.ts'
import { universalTokensOf } from '../src/accounts/universal-token.ts'
import { systemClock, type Clock } from '../src/platform/clock.ts'
import { collections } from '../src/records/collections/collections.ts'
import { admission } from '../src/fleet/enrolment/agent-admission.ts'
import { enrolment } from '../src/fleet/enrolment/enroll.ts'
import type { Agents } from '../src/fleet/fleet.ts'
import { httpApp, type AppParts } from '../src/http/app.ts'
import { hubRoutes, type HubRouteParts } from '../src/startup/hub-routes.ts'
import { openRequestAdmission } from '../src/http/requests/request-admission.ts'
import type { ConnectionGuard } from '../src/platform/http/connection-guard.ts'
import { standardPeerLimits, type PeerLimits } from '../src/platform/http/peer-limits.ts'
import type { Log } from '../src/platform/log.ts'
import type { StreamLimits } from '../src/records/realtime/stream-limits.ts'
import { readDashboard, type Dashboard } from '../src/http/dashboard-files.ts'
import { agentFilesIn } from '../src/fleet/enrolment/agent-files.ts'
import { filesIn } from '../src/platform/process/program-files.ts'
import { serveDashboard } from '../src/http/static.ts'
import type { RequestContext } from '../src/http/requests/request-context.ts'
import { historyStore } from '../src/history/history-store.ts'
import type { History } from '../src/history/model/history.ts'
import { hubJobs } from '../src/startup/hub-jobs.ts'
import { startJobs, type Jobs } from '../src/operations/jobs/jobs.ts'
import { openLogBook, type LogBook } from '../src/operations/logs/log-book.ts'
import { openLogDatabase } from '../src/operations/logs/log-database.ts'
import { openLogQueue } from '../src/operations/logs/log-queue.ts'
import { accessOf } from '../src/records/engine/access.ts'
import type { Engine } from '../src/records/engine/engine.ts'
import { castValue } from '../src/records/model/field-value.ts'
import { recordDate, type StoredRecord } from '../src/records/model/stored-record.ts'
import type { RecordSource } from '../src/records/model/record-source.ts'
import { recordTableStore } from '../src/records/engine/record-table-store.ts'
import { startRealtime, type Realtime } from '../src/records/realtime/realtime.ts'
import { secretBox } from '../src/platform/secrets/secret-box.ts'
import { makeMemoryFolder } from './memory-folder.ts'
import { silentLog, type TestDatabase, type TestDatabaseKind } from './databases.ts'

const vectors = join(import.meta.dirname, '..', '..', 'protocol', 'vectors', 'hub')

/** A recording; the test that uses it names its shape. */
export function readVector(name: string): unknown {
  return JSON.parse(readFileSync(join(vectors, name), 'utf8'))
}

type Row = { readonly id: string; readonly [field: string]: Json }
type Dataset = {
  readonly password: string
  readonly superuser: { readonly email: string; readonly password: string }
  readonly aliases: { readonly [name: string]: string }
  readonly collections: { readonly [name: string]: readonly Row[] }
}

export const dataset = readVector('dataset.json') as Dataset // the recording's own shape
/** A local port of the recording; nothing here connects to it. */
export const TARPIT = '40001'
const BOSS = 'boss00000000001'

export type RecordedHub = AsyncDisposable & {
  readonly app: Hono<RequestContext>
  readonly engine: Engine
  readonly accounts: Accounts
  readonly realtime: Realtime
  readonly history: History
  readonly connections: ConnectionGuard
  readonly logBook: LogBook
  readonly jobs: Jobs
  readonly test: TestDatabase
  readonly tokenOf: (who: string) => Promise<string>
  /** Stores a measurement as if an agent had sent it. */
  readonly measured: (collection: string, record: StoredRecord) => void
  /** Sets the pending systems at this port to `down`, as the fleet does when nothing listens there. */
  readonly nobodyAt: (port: string) => Promise<void>
}

/** Settings of a test that serves the hub at a port. */
export type ServedLimits = {
  readonly limits?: PeerLimits
  readonly streamLimits?: StreamLimits
  readonly proxies?: readonly string[]
  readonly log?: Log
  readonly writeWaitMs?: number
}

const nobody = async () => ({ ok: false, reason: 'No agent is connected' }) as const

/** The recordings have no agents that respond; an agent that connects gets the reason of its refusal. */
function noAgents(engine: Engine): Agents {
  const { database, store, secrets } = engine
  const admit = admission(
    enrolment({
      db: database,
      records: store,
      secrets,
      clock: systemClock,
      temporaryTokenOwner: () => undefined,
      readLocalToken: () => undefined,
    }),
  )
  return {
    ask: nobody,
    readDrives: nobody,
    acceptHostKey: async () => ({ ok: true, value: false }),
    fetchLive: async () => undefined,
    async refusal(headers, remoteAddress) {
      const knock = await admit(headers, remoteAddress)
      return 'status' in knock ? knock : { status: 400, body: '' }
    },
  }
}

let hashes: Promise<[string, string]> | undefined

/** A hub without a port, on a real database, that holds the records every recording starts from, or nothing. */
export async function recordedHub(
  kind: TestDatabaseKind,
  state: 'with data' | 'unused' = 'with data',
  served: ServedLimits = {},
): Promise<RecordedHub> {
  const test = await kind.open({ writeWaitMs: served.writeWaitMs })
  const { database, bus } = test
  const folder = makeMemoryFolder('vedette-dashboard-')
  const secrets = secretBox(randomBytes(32))
  const store = recordTableStore({ database, collections, secrets, clock: steadyClock() })
  hashes ??= Promise.all([hashPassword(dataset.password), hashPassword(dataset.superuser.password)])
  const [password, superPassword] = await hashes
  const measurements = new Map(
    ['system_stats', 'container_stats'].map((name) => [name, state === 'unused' ? [] : datedNow(dataset.collections[name] ?? [])] as const),
  )
  const stats = new Map([...measurements].map(([name, records]) => [name, recordedSource(records, store.load)]))
  const engine: Engine = { database, collections, store, sources: stats, secrets, clock: systemClock, hashPassword }
  const fill = () =>
    database.write(async (unit) => {
      for (const [name, rows] of Object.entries(dataset.collections)) {
        if (collections.find(name)?.storage !== 'table') continue
        for (const row of rows)
          await store.insert(unit, name, {
            ...asSent(name, filled(row)),
            ...(name === 'users' ? { password } : {}),
            ...systemInfo(name, row),
          })
      }
      await store.insert(unit, 'users', {
        id: BOSS,
        email: dataset.superuser.email,
        username: 'users000001',
        password: superPassword,
        role: 'admin',
        verified: true,
      })
    }, 'process')
  if (state === 'with data') await fill()
  const counts = memoryCounts(systemClock)
  const attempts = signInAttempts(counts)
  const accounts = await openAccounts({
    engine,
    bus,
    counts,
    attempts,
    appUrl: undefined,
    overrides: { passwordOff: false, mfa: undefined },
    createUsers: false,
    log: silentLog,
  })
  const { auth } = accounts
  const minted = new Map<string, string>()
  const directory = 'directory' in test.at ? test.at.directory : folder
  const backups = backupsOf({
    directory,
    place: ownBackupPlace(directory),
    hub: undefined,
    databaseUrl: 'url' in test.at ? test.at.url : undefined,
    database,
    secrets,
    isKeyConfigured: true,
    clock: systemClock,
    log: silentLog,
  })
  const realtime = startRealtime(engine, bus, silentLog, { limits: served.streamLimits })
  accounts.sessions.onEnd(realtime.endSessions)
  serveProviderSignIn(realtime)
  const logQueue = openLogQueue()
  const logs = await openLogDatabase(database, folder, bus, silentLog)
  const logSettings = async () => (await accounts.settings.load()).logs
  const logBook = openLogBook({ queue: logQueue, database: logs.database, settings: logSettings, clock: systemClock, log: silentLog })
  const does = hubJobs({ engine, settings: accounts.settings.load, backups, logs: logs.database })
  const jobs = await startJobs({ jobs: does, repeated: [], duties: allDuties, database, clock: systemClock, log: silentLog })
  const admission = await openRequestAdmission({
    namedProxies: served.proxies ?? [],
    settings: accounts.settings,
    clock: systemClock,
    log: served.log ?? silentLog,
    limits: served.limits ?? standardPeerLimits,
  })
  const history = historyStore({ db: database, clock: systemClock, bus, log: silentLog })
  const openTarget = () => openOwnTarget({ at: test.at, secrets, clock: systemClock, log: silentLog })
  const imports = importsOf({ directory: folder, openTarget, log: silentLog })
  const routeParts: HubRouteParts & AppParts = {
    engine,
    access: accessOf(engine),
    accounts,
    attempts,
    requests: signInAttempts(counts, 'email'),
    linkUses: signInAttempts(counts, 'link'),
    realtime,
    firstRun: firstRunOf(engine),
    heartbeat: undefined,
    hubList: hubListOf(database, undefined),
    universalTokens: await universalTokensOf({ database, records: store, secrets, bus, clock: systemClock }),
    history,
    storing: () => ({ state: 'storing' }),
    logQueue,
    logBook,
    jobs,
    backups,
    imports,
    restart: () => {},
    agents: noAgents(engine),
    agentFiles: agentFilesIn({ files: filesIn(folder), image: 'agent', hasUpdateHint: true, log: silentLog }),
    containerDetails: true,
    webPushKey: hubPushKey(secrets),
    internalDestinations: false,
    publicKey: 'ssh-ed25519 AAAA',
    dashboard: serveDashboard(await writeDashboard(folder)),
    documents: undefined,
    admission,
    signInHeader: undefined,
    log: silentLog,
  }
  const app = httpApp(hubRoutes, routeParts)
  return {
    app,
    engine,
    accounts,
    realtime,
    history,
    connections: admission.connections,
    logBook,
    jobs,
    test,
    measured(name, record) {
      measurements.get(name)?.push(...datedNow([record]))
    },
    async nobodyAt(port) {
      for (const { id } of await store.loadWhere('systems', { status: 'pending', port }))
        await database.write((unit) => store.update(unit, 'systems', id, { status: 'down' }))
    },
    async tokenOf(who) {
      const id = who === 'super' || who === 'boss' ? BOSS : (dataset.aliases[who] ?? '')
      const record = await store.load('users', id)
      const collection = collections.find(who === 'super' ? '_superusers' : 'users')
      if (record === undefined || collection === undefined) return ''
      const key = `${who} ${String(record['tokenKey'])}`
      const known = minted.get(key)
      if (known !== undefined) return known
      // As those who were recorded had signed in, and as what.
      const visitor = { address: '127.0.0.1', browser: 'node', mfaId: '' }
      await rememberOrigin(engine, collection, record, visitor)
      const { token } = await auth.impersonate(collection, record, { seconds: 3600, by: '', visitor })
      minted.set(key, token)
      return token
    },
    async [Symbol.asyncDispose]() {
      realtime.close()
      admission.connections.close()
      await jobs[Symbol.asyncDispose]()
      await logBook[Symbol.asyncDispose]()
      await logs[Symbol.asyncDispose]()
      await accounts.close()
      rmSync(folder, { recursive: true, force: true })
      await test[Symbol.asyncDispose]()
    },
  }
}

/** A page, and the pictures of the real one. */
async function writeDashboard(folder: string): Promise<Dashboard> {
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Vedette</title>')
  cpSync(join(import.meta.dirname, '..', '..', 'web', 'public'), folder, { recursive: true })
  const dashboard = await readDashboard(filesIn(folder))
  if (dashboard === undefined) throw new Error('Cannot read the page that was just written')
  return dashboard
}

/** A clock on which no two moments are the same, so that what was made later sorts later. */
function steadyClock(): Clock {
  let last = 0
  return { now: () => (last = Math.max(last + 1, Date.now())) }
}

/** Paused systems were never given an info; everything else has what the data set says. */
function systemInfo(name: string, row: Row) {
  if (name !== 'systems' || row['status'] !== 'paused') return {}
  return { info: { u: 0, cpu: 0, mp: 0, dp: 0, v: '', bb: 0, la: [0, 0, 0] } }
}

/** As the records API would have taken it. */
function asSent(name: string, row: Row): Row {
  const fields = collections.find(name)?.fields ?? []
  const jsons = fields
    .filter(({ kind }) => kind === 'json')
    .flatMap((field) => (row[field.name] === undefined ? [] : [[field.name, castValue(field, row[field.name] ?? null)]]))
  return { ...row, ...Object.fromEntries(jsons) }
}

function filled(row: Row): Row {
  const text = JSON.stringify(row).replaceAll('{{tarpit}}', TARPIT).replaceAll('"{{nowms}}"', String(Date.now()))
  return JSON.parse(text) as Row // what was a row is one
}

/** The measurements of the data set, as the history would make them. They go with their system. */
function recordedSource(
  records: readonly StoredRecord[],
  load: (collection: string, id: string) => Promise<StoredRecord | undefined>,
): RecordSource {
  const alive = async (record: StoredRecord): Promise<boolean> => (await load('systems', String(record['system']))) !== undefined
  return {
    async load({ systems }) {
      const wanted = records.filter((record) => systems === undefined || systems.includes(String(record['system'])))
      const there = await Promise.all(wanted.map(alive))
      return wanted.filter((_, at) => there[at] === true)
    },
    loadOne: async (id) => records.find((record) => record.id === id),
  }
}

/** Records as if each had been made a millisecond after the one before. */
function datedNow(rows: readonly StoredRecord[]): StoredRecord[] {
  const start = Date.now()
  return rows.map((row, at) => {
    const date = recordDate(start + at)
    return { ...row, created: date, updated: date }
  })
}
