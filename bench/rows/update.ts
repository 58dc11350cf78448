import { copyFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { scratchFolder, startExecutable } from '../../e2e/programs.ts'
import { freePort } from '../../tools/free-port.ts'
import { writeProgram } from '../../tools/build-program.ts'
import { SIGHTING_NUMBERS, type Dialling } from '../fleet-report.ts'
import { loadedHub, type Load } from '../loaded-hub.ts'
import type { Figure, Row } from '../row.ts'

const AGENTS = 1000
const DASHBOARDS = 50
const DIALS_PER_SECOND = 100
const UP_WITHIN_MS = 120_000
/** Time in ms, 125 s, before and after the update, in which samples are recorded, so that each system is polled at least twice. */
const WATCHED_MS = 125_000
const LOOK_EVERY_MS = 100

type Links = { readonly name: string; readonly link: Load['link']; readonly dialling?: Dialling; readonly gapBar: number }

/**
 * List of the kinds of agents that the benchmark of an update runs: name, transport, how they reconnect, and `gapBar`, the allowed maximum
 * time between two samples in s.
 */
const kinds: readonly Links[] = [
  { name: 'our agents over WebSocket', link: 'websocket', dialling: 'spread', gapBar: 65 },
  { name: 'agents over SSH', link: 'ssh', gapBar: 65 },
  { name: 'other agents over WebSocket', link: 'websocket', dialling: 'in step', gapBar: 75 },
]

/**
 * Benchmark of an update of the single executable: its file is replaced, and the hub stops and starts. It measures the gap in each system's
 * samples. Download and verification are not part of it, because the hub runs meanwhile.
 */
export const updateGap: Row = {
  id: 'U1',
  what: `hub: update of the single executable with ${AGENTS} agents of each kind and ${DASHBOARDS} dashboards`,
  async measure() {
    using folder = scratchFolder()
    const built = join(folder.path, 'built')
    await writeProgram({ node: process.execPath, output: built })
    const figures: Figure[] = []
    for (const kind of kinds) figures.push(...(await updated(kind, built)))
    return figures
  },
}

async function updated({ name, link, dialling = 'spread', gapBar }: Links, built: string): Promise<readonly Figure[]> {
  using folder = scratchFolder()
  const executable = join(folder.path, 'vedette')
  copyFileSync(built, executable)
  await using hub = await loadedHub({ agents: AGENTS, containers: 10, link, tokens: 'own', dialling, executable })
  await hub.bringUp(DIALS_PER_SECOND, UP_WITHIN_MS)
  const dashboards = await hub.openDashboards(DASHBOARDS)
  await wait(WATCHED_MS)
  const times = new Map<number, number[]>()
  await note(hub.fleet, times)
  copyFileSync(built, `${executable}.new`)
  const beganAtMs = performance.now()
  renameSync(`${executable}.new`, executable)
  await hub.stop()
  const stoppedAtMs = performance.now()
  await hub.start()
  const startedAtMs = performance.now()
  while ((await dashboards.ask({})).open < DASHBOARDS) await wait(LOOK_EVERY_MS)
  const liveAtMs = performance.now()
  await wait(WATCHED_MS)
  await note(hub.fleet, times)
  return [
    { name: `${name}: longest gap between two samples of a system`, value: longestGapMs(times) / 1000, unit: 's', bar: gapBar },
    { name: `${name}: all dashboards live again`, value: (liveAtMs - beganAtMs) / 1000, unit: 's', bar: 5 },
    { name: `${name}: stop of the hub`, value: (stoppedAtMs - beganAtMs) / 1000, unit: 's' },
    { name: `${name}: start of the hub`, value: (startedAtMs - stoppedAtMs) / 1000, unit: 's' },
    { name: `${name}: systems called down`, value: await hub.countSystems('down'), unit: '', bar: 0 },
  ]
}

/**
 * Fetches from the process that simulates agents the samples sent since the last call. Adds the time (ms) of each to `times`, a map from
 * machine index to a list of times.
 */
async function note(fleet: Awaited<ReturnType<typeof loadedHub>>['fleet'], times: Map<number, number[]>): Promise<void> {
  const { answers } = await fleet.ask({ order: 'report' })
  for (let at = 0; at < answers.length; at += SIGHTING_NUMBERS) {
    const [index = -1, , atMs = 0] = answers.subarray(at, at + SIGHTING_NUMBERS)
    const before = times.get(index)
    if (before === undefined) times.set(index, [atMs])
    else before.push(atMs)
  }
}

/**
 * Returns the longest time in ms between two consecutive samples of one system, over all systems; Infinity if a system has fewer than two
 * samples.
 */
const longestGapMs = (times: ReadonlyMap<number, readonly number[]>): number =>
  times.size < AGENTS
    ? Number.POSITIVE_INFINITY
    : Math.max(...[...times.values()].map((ofOne) => (ofOne.length < 2 ? Number.POSITIVE_INFINITY : longestStep(ofOne))))

const longestStep = (times: readonly number[]): number => Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)))

/**
 * Benchmark of the first minute: the single executable is started in an empty folder; measured is the time until an admin can read samples
 * of this machine.
 */
export const firstCharts: Row = {
  id: 'U2',
  what: 'the single executable on an empty machine: start until an account reads the first samples of this machine',
  async measure() {
    using folder = scratchFolder()
    const executable = join(folder.path, 'vedette')
    await writeProgram({ node: process.execPath, output: executable })
    const url = `http://127.0.0.1:${await freePort()}`
    const beganAtMs = performance.now()
    const started = startExecutable(executable, ['start', '--listen', new URL(url).host])
    try {
      await started.line(/create the first admin/)
      const account = { email: 'admin@example.com', password: 'correct horse battery' }
      const post = async (path: string, body: object): Promise<{ readonly token?: string }> => {
        const answer = await fetch(`${url}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
        return answer.json() as Promise<{ readonly token?: string }> // a record or a sign-in
      }
      await post('/api/beszel/create-user', account)
      const { token = '' } = await post('/api/collections/users/auth-with-password', {
        identity: account.email,
        password: account.password,
      })
      const count = async (collection: string): Promise<number> => {
        const answer = await fetch(`${url}/api/collections/${collection}/records?perPage=1`, { headers: { authorization: token } })
        return ((await answer.json()) as { readonly totalItems: number }).totalItems // a list of records
      }
      while ((await count('system_stats')) < 1) await wait(LOOK_EVERY_MS)
      return [{ name: 'first sample of this machine in the charts', value: (performance.now() - beganAtMs) / 1000, unit: 's', bar: 30 }]
    } finally {
      await started.stop('SIGINT')
    }
  },
}
