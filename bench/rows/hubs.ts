import { setTimeout as wait } from 'node:timers/promises'
import { availableParallelism } from 'node:os'
import { SIGHTING_NUMBERS, type Sightings } from '../fleet-report.ts'
import type { Dashboards } from '../loaded-hub.ts'
import { loadedHubs, type LoadedHubs } from '../loaded-hubs.ts'
import { cpuMsOf, machineBusyMs } from '../process-figures.ts'
import type { Figure, Row } from '../row.ts'
import { eventDelays, quantile } from '../steady-state.ts'

const AGENTS = 6000
const CONTAINERS = 10
const DASHBOARDS = 50
const KILOBYTE = 1000
const THREE = ['a', 'b', 'c']

const DIALS_PER_SECOND = 150
const UP_WITHIN_MS = 240_000
/** Waiting time in ms, 90 s, until the hubs have spread their polls: each system is then polled at its own fixed second of the minute. */
const SETTLED_MS = 90_000
const MEASURED_MS = 120_000

/**
 * Measured values of all hubs together over a time range without faults: CPU per poll, SQL statements, delays of events, load by other
 * programs.
 */
type HubsSteady = {
  readonly polls: number
  readonly cpuMsPerPoll: number
  readonly walBytesPerPoll: number
  readonly statementsPerSecond: number
  /** Number of SQL statements per second that the benchmark's hubs run, without those that begin, end or set up transactions. */
  readonly workStatementsPerSecond: number
  /** Array of the delays in ms from a poll to its event on dashboards at hubs that do not poll this system, ascending. */
  readonly delaysMs: Float64Array
  readonly problems: number
  readonly simulatorPercent: number
  readonly othersPercent: number
}

type Measured = { readonly alone: HubsSteady; readonly watched: HubsSteady }

/**
 * Starts the named hubs with simulated agents, and measures CPU, SQL statements and delays of events: first without open dashboards
 * (`alone`), then with them (`watched`). Resolves with both.
 */
async function measured(names: readonly string[]): Promise<Measured> {
  await using hubs = await loadedHubs({ agents: AGENTS, containers: CONTAINERS, hubs: names })
  await hubs.bringUp(DIALS_PER_SECOND, UP_WITHIN_MS)
  await wait(SETTLED_MS)
  const alone = await measureHubs(hubs, new Map())
  const dashboards = new Map<string, Dashboards>()
  for (const [at, hub] of hubs.hubs.entries())
    dashboards.set(hub.name, await hubs.openDashboards(hub, Math.floor((DASHBOARDS + at) / names.length)))
  await wait(SETTLED_MS)
  return { alone, watched: await measureHubs(hubs, dashboards) }
}

const TRANSACTIONS = `'^(begin|start transaction|commit|rollback|set )'`

async function measureHubs(hubs: LoadedHubs, dashboards: ReadonlyMap<string, Dashboards>): Promise<HubsSteady> {
  const simulators = [hubs.fleet.pid, ...[...dashboards.values()].map(({ pid }) => pid)]
  const sum = (pids: readonly number[]): number => pids.reduce((total, pid) => total + cpuMsOf(pid), 0)
  const look = async () => {
    const [row] = await hubs.query<{ wal: string; calls: string; work: string }>(
      `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as wal, sum(calls) as calls,
        sum(calls) filter (where query !~* ${TRANSACTIONS}) as work from pg_stat_statements`,
    )
    return {
      wal: Number(row?.wal),
      calls: Number(row?.calls),
      work: Number(row?.work),
      hubsMs: sum(hubs.hubs.map(({ pid }) => pid())),
      simulatorMs: sum(simulators),
      busyMs: machineBusyMs(),
      atMs: performance.now(),
    }
  }
  await Promise.all([hubs.fleet.ask({ order: 'report' }), ...[...dashboards.values()].map((one) => one.ask({}))])
  const before = await look()
  await wait(MEASURED_MS)
  const after = await look()
  const { answers, problems } = await hubs.fleet.ask({ order: 'report' })
  const delays = await delaysElsewhere(hubs, answers, dashboards)
  const polls = answers.length / SIGHTING_NUMBERS
  if (polls === 0) throw new Error('The hubs polled nobody')
  const tookMs = after.atMs - before.atMs
  const cpuMs = after.hubsMs - before.hubsMs
  const simulatorMs = after.simulatorMs - before.simulatorMs
  return {
    polls,
    cpuMsPerPoll: cpuMs / polls,
    walBytesPerPoll: (after.wal - before.wal) / polls,
    statementsPerSecond: ((after.calls - before.calls) / tookMs) * 1000,
    workStatementsPerSecond: ((after.work - before.work) / tookMs) * 1000,
    delaysMs: delays,
    problems: Object.values(problems).reduce((total, times) => total + times, 0),
    simulatorPercent: (simulatorMs / tookMs) * 100,
    othersPercent: ((after.busyMs - before.busyMs - cpuMs - simulatorMs) / tookMs / availableParallelism()) * 100,
  }
}

async function delaysElsewhere(hubs: LoadedHubs, answers: Sightings, dashboards: ReadonlyMap<string, Dashboards>): Promise<Float64Array> {
  const owners = await hubs.owners()
  const delays: number[] = []
  for (const [hub, one] of dashboards) {
    const elsewhere = sightingsOf(answers, (machine) => owners.has(machine) && owners.get(machine) !== hub)
    // A million delays are too many arguments for one `push` call.
    for (const delayMs of eventDelays(elsewhere, (await one.ask({})).events, 1).delaysMs) delays.push(delayMs)
  }
  return Float64Array.from(delays).toSorted()
}

function sightingsOf(all: Sightings, fits: (machine: number) => boolean): Sightings {
  const found: number[] = []
  for (let at = 0; at < all.length; at += SIGHTING_NUMBERS) if (fits(all[at] ?? -1)) found.push(...all.subarray(at, at + SIGHTING_NUMBERS))
  return Float64Array.from(found)
}

const circumstances = (name: string, { polls, problems, simulatorPercent, othersPercent }: HubsSteady): readonly Figure[] => [
  { name: `${name}: polls measured`, value: polls, unit: '' },
  { name: `${name}: connections that failed or were lost`, value: problems, unit: '', bar: 0 },
  { name: `${name}: the simulators`, value: simulatorPercent, unit: '% of a core' },
  { name: `${name}: the machine busy with PostgreSQL, NATS, HAProxy and other work`, value: othersPercent, unit: '%' },
]

let threeMeasured: Promise<Measured> | undefined
/**
 * Resolves with the measured values of three hubs, such as CPU per poll, with and without open dashboards. The measurement runs once and
 * serves several benchmarks.
 */
const threeHubs = (): Promise<Measured> => (threeMeasured ??= measured(THREE))

export const hubsCost: Row = {
  id: 'S1',
  what: `3 hubs: ${AGENTS} agents × ${CONTAINERS} containers through HAProxy, ${DASHBOARDS} dashboards; compared with one hub on PostgreSQL`,
  async measure() {
    const three = await threeHubs()
    const one = await measured(['a'])
    return [
      {
        name: 'CPU per poll, with dashboards: 3 hubs by one',
        value: three.watched.cpuMsPerPoll / one.watched.cpuMsPerPoll,
        unit: 'times',
        bar: 1.25,
      },
      {
        name: 'CPU per poll, without dashboards: 3 hubs by one',
        value: three.alone.cpuMsPerPoll / one.alone.cpuMsPerPoll,
        unit: 'times',
        bar: 1.25,
      },
      { name: '3 hubs with dashboards: CPU per poll', value: three.watched.cpuMsPerPoll, unit: 'ms' },
      { name: '3 hubs: CPU per poll', value: three.alone.cpuMsPerPoll, unit: 'ms' },
      { name: '1 hub with dashboards: CPU per poll', value: one.watched.cpuMsPerPoll, unit: 'ms' },
      { name: '1 hub: CPU per poll', value: one.alone.cpuMsPerPoll, unit: 'ms' },
      ...circumstances('3 hubs with dashboards', three.watched),
      ...circumstances('1 hub with dashboards', one.watched),
    ]
  },
}

export const eventsOfOtherHubs: Row = {
  id: 'S2',
  what: `3 hubs: response → event on a dashboard of another hub, ${AGENTS} agents, ${DASHBOARDS} dashboards`,
  async measure() {
    const { watched } = await threeHubs()
    return [
      { name: 'p50', value: quantile(watched.delaysMs, 0.5), unit: 'ms', bar: 40 },
      { name: 'p99', value: quantile(watched.delaysMs, 0.99), unit: 'ms', bar: 250 },
      { name: 'events', value: watched.delaysMs.length, unit: '' },
      ...circumstances('3 hubs with dashboards', watched),
    ]
  },
}

export const databaseLoad: Row = {
  id: 'S6',
  what: `3 hubs: what they give to PostgreSQL, ${AGENTS} agents × ${CONTAINERS} containers`,
  async measure() {
    const { alone, watched } = await threeHubs()
    return [
      { name: 'log (WAL) per poll', value: alone.walBytesPerPoll / KILOBYTE, unit: 'kB', bar: 10 },
      { name: 'statements', value: alone.statementsPerSecond, unit: 'a second', bar: 60 },
      { name: 'statements without begin, commit and set', value: alone.workStatementsPerSecond, unit: 'a second' },
      { name: 'with dashboards: log (WAL) per poll', value: watched.walBytesPerPoll / KILOBYTE, unit: 'kB' },
      { name: 'with dashboards: statements', value: watched.statementsPerSecond, unit: 'a second' },
      ...circumstances('3 hubs', alone),
    ]
  },
}
