import { setTimeout as wait } from 'node:timers/promises'
import { scratchFolder } from '../e2e/programs.ts'
import { startPostgresServer } from '../hub/test/postgres-server.ts'
import { startBenchHub } from './bench-hub.ts'
import { startBenchProcess, type BenchProcess } from './bench-process.ts'
import type { DashboardsOptions, DashboardsReport } from './dashboards-report.ts'
import { SIGHTING_NUMBERS, type Dialling, type FleetOptions, type FleetOrder, type FleetReport, type Tokens } from './fleet-report.ts'
import { BENCH_PASSWORD, emailOf, seedHub } from './seeded-hub.ts'
import { freePort } from '../tools/free-port.ts'

export type Load = {
  readonly agents: number
  readonly containers: number
  readonly link: 'websocket' | 'ssh'
  readonly tokens: Tokens
  /** How the simulated agents reconnect when a WebSocket is lost: `spread` (random delays, the default) or `in step`. */
  readonly dialling?: Dialling
  /** Days of history that is stored for every system before the hub starts; 0 by default. */
  readonly storedDays?: number
  /** Name of the hub's database, SQLite or PostgreSQL; SQLite by default. */
  readonly database?: 'SQLite' | 'PostgreSQL'
  /** Additional environment variables of the benchmark's hub process, by name, such as for profiling. Ignored with `executable`. */
  readonly hubEnvironment?: Readonly<Record<string, string>>
  /** Path of the single executable to start as the hub; absent, the hub's bundle is started. */
  readonly executable?: string
}

export type Dashboards = BenchProcess<object, DashboardsReport>

/**
 * Real hub on a real database, and a process that simulates many agents, for benchmarks: functions to start and stop the hub, connect
 * agents and open dashboards. Disposing it stops all processes.
 */
export type LoadedHub = AsyncDisposable & {
  readonly pid: () => number
  readonly fleet: BenchProcess<FleetOrder, FleetReport>
  readonly stop: () => Promise<void>
  /** Starts the benchmark's hub again after it was stopped. Resolves when it listens. */
  readonly start: () => Promise<void>
  /**
   * Starts the benchmark's simulated agents, `perSecond` a second, and waits until the hub has polled each. Rejects when that takes longer
   * than `withinMs`.
   */
  readonly bringUp: (perSecond: number, withinMs: number) => Promise<void>
  readonly url: string
  /** Signs in as one of the benchmark's users and resolves with a session token. `person` is the user's index; user 0 is an admin. */
  readonly signIn: (person: number) => Promise<string>
  readonly openDashboards: (count: number) => Promise<Dashboards>
  /** Resolves with the number of systems of the benchmark's hub that have this status, such as `up`. */
  readonly countSystems: (status: string) => Promise<number>
  readonly complaints: () => string
}

/** Number of users of the benchmark's hub: 10. They open the dashboards in turn, because access is decided per user. */
const PEOPLE = 10
const LOOK_EVERY_MS = 250

export async function loadedHub({
  agents,
  containers,
  link,
  tokens,
  storedDays = 0,
  dialling = 'spread',
  database,
  hubEnvironment = {},
  executable,
}: Load): Promise<LoadedHub> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(scratchFolder())
  const sshPort = await freePort()
  const server = database === 'PostgreSQL' ? stack.adopt(await startPostgresServer(), ({ stop }) => stop()) : undefined
  const databaseUrl = server?.url
  const stored = storedDays > 0 ? { stored: { days: storedDays, containers } } : {}
  const { publicLine } = await seedHub(folder.path, {
    systems: agents,
    people: PEOPLE,
    tokens,
    link,
    port: sshPort,
    databaseUrl,
    ...stored,
  })
  const listen = `127.0.0.1:${await freePort()}`
  const url = `http://${listen}`
  const start = () => startBenchHub({ listen, directory: folder.path, databaseUrl, environment: hubEnvironment, executable })
  const fleetOptions: FleetOptions = {
    count: agents,
    containers,
    tokens,
    link:
      link === 'websocket'
        ? { kind: link, url: `ws://${listen}/api/beszel/agent-connect`, dialling }
        : { kind: link, port: sshPort, hubKeyLine: publicLine },
  }
  const fleet = stack.use(startBenchProcess<FleetOrder, FleetReport>(new URL('./fleet.ts', import.meta.url), fleetOptions))
  let hub = await start()
  stack.defer(async () => void (await hub.stop()))
  const opened = stack.move()

  const signIn = (person: number): Promise<string> => signInAt(url, person)

  return {
    fleet,
    url,
    signIn,
    pid: () => hub.pid,
    complaints: () => hub.errors(),
    stop: async () => void (await hub.stop()),
    async start() {
      hub = await start()
    },
    async bringUp(perSecond, withinMs) {
      fleet.tell({ order: 'dial', perSecond })
      await answersFrom(fleet, agents, withinMs)
    },
    async openDashboards(count) {
      const people = await Promise.all(Array.from({ length: PEOPLE }, (_, person) => signIn(person)))
      const options: DashboardsOptions = { url, count, tokens: people }
      const dashboards = startBenchProcess<object, DashboardsReport>(new URL('./dashboards.ts', import.meta.url), options)
      opened.use(dashboards)
      while ((await dashboards.ask({})).open < count) await wait(LOOK_EVERY_MS)
      return dashboards
    },
    async countSystems(status) {
      const filter = encodeURIComponent(`status="${status}"`)
      const answer = await fetch(`${url}/api/collections/systems/records?perPage=1&filter=${filter}`, {
        headers: { authorization: await signIn(0) },
      })
      const { totalItems } = (await answer.json()) as { readonly totalItems: number } // what this route answers
      return totalItems
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Signs in to the hub at `url` as the benchmark's user with the index `person`, and resolves with a session token. */
export async function signInAt(url: string, person: number): Promise<string> {
  const answer = await fetch(`${url}/api/collections/users/auth-with-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identity: emailOf(person), password: BENCH_PASSWORD }),
  })
  if (!answer.ok) throw new Error(`Cannot sign in: ${answer.status}`)
  const { token } = (await answer.json()) as { readonly token: string } // what this route answers
  return token
}

/**
 * Waits until `wanted` simulated agents have each responded to a poll of the hub. Resolves with the errors that agents reported meanwhile,
 * as a map from message to number. Rejects after `withinMs` ms.
 */
export async function answersFrom(fleet: LoadedHub['fleet'], wanted: number, withinMs: number): Promise<ReadonlyMap<string, number>> {
  const startedAtMs = performance.now()
  const seen = new Set<number>()
  const problems = new Map<string, number>()
  for (;;) {
    const report = await fleet.ask({ order: 'report' })
    for (let at = 0; at < report.answers.length; at += SIGHTING_NUMBERS) seen.add(report.answers[at] ?? -1)
    for (const [problem, times] of Object.entries(report.problems)) problems.set(problem, (problems.get(problem) ?? 0) + times)
    const tookMs = performance.now() - startedAtMs
    if (seen.size >= wanted) return problems
    if (tookMs > withinMs) {
      const told = [...problems].map(([problem, times]) => `${problem} × ${times}`).join(', ')
      throw new Error(
        `Only ${seen.size} of ${wanted} agents were polled within ${(withinMs / 1000).toFixed(0)} s (${told || 'no problems told'})`,
      )
    }
    await wait(LOOK_EVERY_MS)
  }
}
