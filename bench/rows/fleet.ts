import { setTimeout as wait } from 'node:timers/promises'
import { loadedHub, type Load } from '../loaded-hub.ts'
import { memoryOf } from '../process-figures.ts'
import type { Figure, Row } from '../row.ts'
import { circumstances, eventDelays, measureSteady, pollIntervals, quantile, type Steady } from '../steady-state.ts'

const CONTAINERS = 10
const DASHBOARDS = 50
const KILOBYTE = 1000
const MINUTE_MS = 60_000

/** Waiting time in ms, 90 s, until the hub has spread its polls: each system is then polled at its own fixed second of the minute. */
const SETTLED_MS = 90_000
const MEASURED_MS = 120_000
/**
 * Number of simulated agents, 150, that start to connect per second. It is low enough not to overload the hub by connecting all at once.
 */
const DIALS_PER_SECOND = 150
const UP_WITHIN_MS = 150_000

/** Number of days of stored history in the benchmark, 30. A hub that has run for a while has larger caches and tables. */
const STORED_DAYS = 30

const fleetOf = (agents: number): Load => ({ agents, containers: CONTAINERS, link: 'websocket', tokens: 'own' })

export const thousandAgents: Row = {
  id: 'H1',
  what: `hub: 1,000 agents × ${CONTAINERS} containers over WebSocket, a poll a minute, ${STORED_DAYS} days stored`,
  async measure() {
    await using hub = await loadedHub({ ...fleetOf(1000), storedDays: STORED_DAYS })
    await hub.bringUp(DIALS_PER_SECOND, UP_WITHIN_MS)
    await wait(SETTLED_MS)
    const steady = await measureSteady(hub, MEASURED_MS)
    return [
      { name: 'CPU per poll', value: steady.cpuMsPerPoll, unit: 'ms', bar: 0.9 },
      { name: 'resident', value: steady.residentMebibytes, unit: 'MiB', bar: 140 },
      { name: 'private', value: steady.privateMebibytes, unit: 'MiB' },
      ...writes(steady),
      ...circumstances(steady),
    ]
  },
}

export const thousandAgentsOnBoth: Row = {
  id: 'H1p',
  what: `hub: 1,000 agents × ${CONTAINERS} containers, SQLite and PostgreSQL side by side`,
  async measure() {
    await using embedded = await loadedHub(fleetOf(1000))
    await using server = await loadedHub({ ...fleetOf(1000), database: 'PostgreSQL' })
    const hubs = [embedded, server]
    await Promise.all(hubs.map((hub) => hub.bringUp(DIALS_PER_SECOND, UP_WITHIN_MS)))
    await wait(SETTLED_MS)
    const steady = await Promise.all(hubs.map((hub) => measureSteady(hub, MEASURED_MS)))
    const [first = Number.NaN, second = Number.NaN] = steady.map(({ cpuMsPerPoll }) => cpuMsPerPoll)
    return [
      { name: 'SQLite: CPU per poll', value: first, unit: 'ms' },
      { name: "PostgreSQL: CPU per poll, without the server's", value: second, unit: 'ms' },
      { name: 'the second by the first', value: second / first, unit: 'times', bar: 2 },
      ...steady.map(({ residentMebibytes }, at) => ({
        name: `${at === 0 ? 'SQLite' : 'PostgreSQL'}: resident`,
        value: residentMebibytes,
        unit: 'MiB',
      })),
    ]
  },
}

export const thousandAgentsOnPostgres: Row = {
  id: 'P1',
  what: `hub on PostgreSQL: 1,000 agents × ${CONTAINERS} containers; then with ${DASHBOARDS} live dashboards too`,
  async measure() {
    await using hub = await loadedHub({ ...fleetOf(1000), database: 'PostgreSQL' })
    await hub.bringUp(DIALS_PER_SECOND, UP_WITHIN_MS)
    await wait(SETTLED_MS)
    const alone = await measureSteady(hub, MEASURED_MS)
    const dashboards = await hub.openDashboards(DASHBOARDS)
    await wait(SETTLED_MS)
    const watched = await measureSteady(hub, MEASURED_MS, dashboards)
    return [
      { name: "CPU per poll, without the server's", value: alone.cpuMsPerPoll, unit: 'ms', bar: 1 },
      ...circumstances(alone),
      { name: "watched: CPU per poll, without the server's", value: watched.cpuMsPerPoll, unit: 'ms', bar: 1.8 },
      ...eventFigures(watched, { p50: 20, p99: 60 }),
      ...circumstances(watched),
    ]
  },
}

export const liveDashboards: Row = {
  id: 'H2',
  what: `hub: the same with ${DASHBOARDS} live dashboards of ten people`,
  async measure() {
    await using hub = await loadedHub({ ...fleetOf(1000), storedDays: STORED_DAYS })
    await hub.bringUp(DIALS_PER_SECOND, UP_WITHIN_MS)
    const dashboards = await hub.openDashboards(DASHBOARDS)
    await wait(SETTLED_MS)
    const steady = await measureSteady(hub, MEASURED_MS, dashboards)
    return [
      { name: 'CPU per poll', value: steady.cpuMsPerPoll, unit: 'ms', bar: 3 },
      { name: 'resident', value: steady.residentMebibytes, unit: 'MiB' },
      ...eventFigures(steady, { p50: 5, p99: 30 }),
      ...circumstances(steady),
    ]
  },
}

const MOST_AGENTS = 10_000
const MOST_SSH_AGENTS = 3000
const PUNCTUAL_MINUTES = 2
/** Allowed maximum time between two polls of a system, 61 s: one minute plus the time of a response. */
const INTERVAL_BAR_SECONDS = 61

export const tenThousandAgents: Row = {
  id: 'H3',
  what: `hub: 10,000 agents × ${CONTAINERS} containers over WebSocket; then with ${DASHBOARDS} live dashboards too`,
  async measure() {
    await using hub = await loadedHub(fleetOf(MOST_AGENTS))
    const empty = memoryOf(hub.pid())
    await hub.bringUp(DIALS_PER_SECOND, UP_WITHIN_MS)
    await wait(SETTLED_MS)
    const alone = await measureSteady(hub, MEASURED_MS)
    const dashboards = await hub.openDashboards(DASHBOARDS)
    await wait(SETTLED_MS)
    const watched = await measureSteady(hub, PUNCTUAL_MINUTES * MINUTE_MS, dashboards)
    return [
      { name: 'CPU', value: alone.corePercent, unit: '% of a core', bar: 12 },
      { name: 'CPU per poll', value: alone.cpuMsPerPoll, unit: 'ms' },
      { name: 'resident', value: alone.residentMebibytes, unit: 'MiB', bar: 500 },
      perSystem(alone, empty, MOST_AGENTS),
      ...writes(alone),
      ...circumstances(alone),
      { name: 'watched: CPU', value: watched.corePercent, unit: '% of a core' },
      { name: 'watched: CPU per poll', value: watched.cpuMsPerPoll, unit: 'ms' },
      { name: 'watched: resident', value: watched.residentMebibytes, unit: 'MiB', bar: 500 },
      ...eventFigures(watched, { p99: 1000 }),
      ...punctuality(watched, MOST_AGENTS),
      ...circumstances(watched),
    ]
  },
}

export const thousandsOverSsh: Row = {
  id: 'H3s',
  what: `hub: 3,000 agents × ${CONTAINERS} containers over SSH`,
  async measure() {
    await using hub = await loadedHub({ agents: MOST_SSH_AGENTS, containers: CONTAINERS, link: 'ssh', tokens: 'own' })
    const empty = memoryOf(hub.pid())
    await hub.bringUp(MOST_SSH_AGENTS, UP_WITHIN_MS)
    await wait(SETTLED_MS)
    const steady = await measureSteady(hub, PUNCTUAL_MINUTES * MINUTE_MS)
    return [
      { name: 'CPU', value: steady.corePercent, unit: '% of a core' },
      { name: 'CPU per poll', value: steady.cpuMsPerPoll, unit: 'ms' },
      { name: 'resident', value: steady.residentMebibytes, unit: 'MiB' },
      perSystem(steady, empty, MOST_SSH_AGENTS),
      ...punctuality(steady, MOST_SSH_AGENTS),
      ...circumstances(steady),
    ]
  },
}

/**
 * Returns the benchmark's figure "private memory per system" in KiB. It is the hub's private memory `now` less that of the hub without
 * agents (`empty`), divided by the number of systems.
 */
const perSystem = (now: Memory, empty: Memory, systems: number): Figure => ({
  name: 'private memory per system, beyond a hub without',
  value: ((now.privateMebibytes - empty.privateMebibytes) * 1024) / systems,
  unit: 'KiB',
})

type Memory = Pick<Steady, 'privateMebibytes'>

const punctuality = ({ polls, answers }: Steady, agents: number): readonly Figure[] => [
  { name: 'polled each minute', value: (polls / (PUNCTUAL_MINUTES * agents)) * 100, unit: '% of the agents' },
  { name: 'longest time between two answers', value: quantile(pollIntervals(answers), 1) / 1000, unit: 's', bar: INTERVAL_BAR_SECONDS },
]

const writes = ({ toDiskBytesPerPoll, writtenBytesPerPoll }: Steady): readonly Figure[] => [
  { name: 'written to disk per poll', value: toDiskBytesPerPoll / KILOBYTE, unit: 'kB', bar: 20 },
  { name: 'given to the files per poll', value: writtenBytesPerPoll / KILOBYTE, unit: 'kB' },
]

function eventFigures({ answers, events }: Steady, bars: { readonly p50?: number; readonly p99: number }): readonly Figure[] {
  const { delaysMs, arrivedPercent } = eventDelays(answers, events, DASHBOARDS)
  return [
    {
      name: 'answer sent → event read, p50',
      value: quantile(delaysMs, 0.5),
      unit: 'ms',
      ...(bars.p50 === undefined ? {} : { bar: bars.p50 }),
    },
    { name: 'answer sent → event read, p99', value: quantile(delaysMs, 0.99), unit: 'ms', bar: bars.p99 },
    { name: 'events that arrived', value: arrivedPercent, unit: '%' },
  ]
}
