import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { scratchFolder, type Program } from '../e2e/programs.ts'
import { startNatsServer, type NatsServer } from '../hub/test/nats-server.ts'
import { startPostgresServer, type PostgresServer } from '../hub/test/postgres-server.ts'
import { rowsOf } from '../hub/test/postgres-template.ts'
import { haproxyConfig } from '../tools/haproxy-config.ts'
import { programNamed } from '../tools/installed-programs.ts'
import { startBenchHub } from './bench-hub.ts'
import { startBenchProcess, type BenchProcess } from './bench-process.ts'
import type { DashboardsOptions, DashboardsReport } from './dashboards-report.ts'
import type { FleetOptions, FleetOrder, FleetReport } from './fleet-report.ts'
import { answersFrom, signInAt, type Dashboards } from './loaded-hub.ts'
import { seedHub } from './seeded-hub.ts'
import { freePort } from '../tools/free-port.ts'

const SECRET_KEY = 'one key for all hubs of a database'
const PEOPLE = 10
const LOOK_EVERY_MS = 250
/**
 * Maximum number of concurrent connections of the benchmark's HAProxy, 9,000. Each needs two file descriptors, and a process may commonly
 * have 20,000.
 */
const MOST_CONNECTIONS = 9000

export type HubsLoad = {
  readonly agents: number
  readonly containers: number
  /** List of the names of the hubs to start on one database. A single hub runs without NATS. */
  readonly hubs: readonly string[]
  /** True to give each system an alert rule whose alert fires and recovers often. */
  readonly hasAlerts?: boolean
}

export type RunningHub = {
  readonly name: string
  readonly url: string
  readonly pid: () => number
  /** Returns how the hub's process ended: its exit status, or the text `a signal`. `undefined` while it runs. */
  readonly exit: () => number | string | undefined
  /** Starts the process of one of the benchmark's hubs again after it has ended. Resolves when it listens. */
  readonly start: () => Promise<void>
}

/**
 * Several real hubs on one PostgreSQL and one NATS server behind HAProxy, and a process that simulates many agents, which connect to
 * HAProxy. Disposing it stops all processes.
 */
export type LoadedHubs = AsyncDisposable & {
  readonly hubs: readonly RunningHub[]
  readonly fleet: BenchProcess<FleetOrder, FleetReport>
  readonly server: PostgresServer
  readonly nats: NatsServer
  readonly bringUp: (perSecond: number, withinMs: number) => Promise<void>
  /**
   * Starts a process that simulates `count` open dashboards at one hub, and resolves with it when all are subscribed to realtime events.
   */
  readonly openDashboards: (hub: RunningHub, count: number) => Promise<Dashboards>
  /** Runs an SQL query on the benchmark's PostgreSQL, as a superuser on a new connection, and resolves with its rows. */
  readonly query: <Row extends object>(text: string) => Promise<readonly Row[]>
  /** Resolves with a map from the index of a system's simulated machine to the name of the hub that owns (polls) the system. */
  readonly owners: () => Promise<ReadonlyMap<number, string>>
}

/**
 * Settings of the benchmark's PostgreSQL server: as in production, full pages are written after a checkpoint; and statements are counted.
 */
const SERVER_SETTINGS = ['full_page_writes=on', 'shared_preload_libraries=pg_stat_statements', 'shared_buffers=128MB', 'max_wal_size=1GB']

export async function loadedHubs({ agents, containers, hubs: names, hasAlerts = false }: HubsLoad): Promise<LoadedHubs> {
  const haproxy = programNamed('haproxy')
  if (haproxy === undefined || programNamed('nats-server') === undefined) throw new Error('haproxy and nats-server must be installed')
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(scratchFolder())
  const server = stack.adopt(await startPostgresServer(undefined, SERVER_SETTINGS), ({ stop }) => stop())
  const nats = stack.use(await startNatsServer())
  const seed = { systems: agents, people: PEOPLE, tokens: 'own', link: 'websocket', port: 45_876 } as const
  await seedHub(folder.path, { ...seed, databaseUrl: server.url, secretKey: SECRET_KEY, hasAlerts })
  const query = <Row extends object>(text: string): Promise<readonly Row[]> => rowsOf<Row>(server.url, text)
  await query('create extension pg_stat_statements')
  const running: RunningHub[] = []
  for (const name of names) {
    const listen = `127.0.0.1:${await freePort()}`
    // The data folder of the seed belongs to no hub.
    const options = { listen, directory: join(folder.path, name), databaseUrl: `${server.url}&application_name=${name}` }
    const cluster = names.length > 1 ? ['--nats', nats.url] : []
    const args = [...cluster, '--hub-name', name, '--secret-key', SECRET_KEY, '--trusted-proxies', '127.0.0.1']
    let program: Program | undefined
    let exit: number | string | undefined
    const start = async (): Promise<void> => {
      const started = await startBenchHub({ ...options, args })
      program = started
      exit = undefined
      void started.ended().then((status) => {
        if (program === started) exit = status ?? 'a signal'
      })
    }
    await start()
    stack.defer(async () => void (await program?.stop('SIGKILL')))
    running.push({ name, url: `http://${listen}`, pid: () => program?.pid ?? 0, exit: () => exit, start })
  }
  const balancer = `127.0.0.1:${await freePort()}`
  const file = join(folder.path, 'haproxy.cfg')
  const addresses = running.map(({ name, url }) => ({ name, address: url.replace('http://', '') }))
  writeFileSync(file, `global\n  maxconn ${MOST_CONNECTIONS}\n${haproxyConfig(balancer, addresses)}`)
  const proxy = spawn(haproxy, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  stack.defer(() => void proxy.kill('SIGKILL'))
  const fleetOptions: FleetOptions = {
    count: agents,
    containers,
    tokens: 'own',
    link: { kind: 'websocket', url: `ws://${balancer}/api/beszel/agent-connect`, dialling: 'spread' },
  }
  const fleet = stack.use(startBenchProcess<FleetOrder, FleetReport>(new URL('./fleet.ts', import.meta.url), fleetOptions))
  await answering(`http://${balancer}/api/health`, () => proxy.exitCode !== null)
  const opened = stack.move()

  return {
    hubs: running,
    fleet,
    server,
    nats,
    query,
    async bringUp(perSecond, withinMs) {
      fleet.tell({ order: 'dial', perSecond })
      await answersFrom(fleet, agents, withinMs)
    },
    async openDashboards({ url }, count) {
      const tokens = await Promise.all(Array.from({ length: PEOPLE }, (_, person) => signInAt(url, person)))
      const options: DashboardsOptions = { url, count, tokens }
      const dashboards = startBenchProcess<object, DashboardsReport>(new URL('./dashboards.ts', import.meta.url), options)
      opened.use(dashboards)
      while ((await dashboards.ask({})).open < count) await wait(LOOK_EVERY_MS)
      return dashboards
    },
    async owners() {
      const rows = await query<{ system: string; hub: string }>(
        'select systems.name as system, hubs.name as hub from systems join system_leases on system = systems.id join hubs on hubs.id = hub',
      )
      return new Map(rows.map(({ system, hub }) => [Number(/\d+$/.exec(system)?.[0]), hub]))
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function answering(url: string, hasEnded: () => boolean): Promise<void> {
  const asked = async (): Promise<boolean> => (await fetch(url).catch(() => undefined))?.status === 200
  while (!(await asked())) {
    if (hasEnded()) throw new Error('HAProxy ended')
    await wait(LOOK_EVERY_MS)
  }
}
