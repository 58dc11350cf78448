import { setTimeout as wait } from 'node:timers/promises'
import { availableParallelism } from 'node:os'
import { SIGHTING_NUMBERS, type Sightings } from './fleet-report.ts'
import type { Dashboards, LoadedHub } from './loaded-hub.ts'
import { cpuMsOf, machineBusyMs, memoryOf, writesOf } from './process-figures.ts'
import type { Figure } from './row.ts'

/**
 * Measured values of a hub over a time range under constant load: polls, CPU, memory, written bytes, received events, load by other
 * programs.
 */
export type Steady = {
  readonly polls: number
  readonly cpuMsPerPoll: number
  /** CPU time that the hub used in the measured time range, in percent of one core. */
  readonly corePercent: number
  readonly residentMebibytes: number
  readonly privateMebibytes: number
  readonly toDiskBytesPerPoll: number
  readonly writtenBytesPerPoll: number
  readonly answers: Sightings
  /** Log of the realtime events that the simulated dashboards received; empty without dashboards. */
  readonly events: Sightings
  readonly problems: number
  /**
   * CPU time of the processes that simulate agents and dashboards, in percent of one core. `othersPercent` is that of all other programs,
   * in percent of the machine.
   */
  readonly simulatorPercent: number
  readonly othersPercent: number
}

export async function measureSteady(hub: LoadedHub, forMs: number, dashboards?: Dashboards): Promise<Steady> {
  const pid = hub.pid()
  const simulators = dashboards === undefined ? [hub.fleet.pid] : [hub.fleet.pid, dashboards.pid]
  const look = () => ({
    cpuMs: cpuMsOf(pid),
    simulatorMs: simulators.reduce((sum, one) => sum + cpuMsOf(one), 0),
    busyMs: machineBusyMs(),
    atMs: performance.now(),
    ...writesOf(pid),
  })
  await Promise.all([hub.fleet.ask({ order: 'report' }), dashboards?.ask({})])
  const before = look()
  await wait(forMs)
  const after = look()
  const [report, seen] = await Promise.all([hub.fleet.ask({ order: 'report' }), dashboards?.ask({})])
  const polls = report.answers.length / SIGHTING_NUMBERS
  if (polls === 0) throw new Error('The hub polled nobody')
  const tookMs = after.atMs - before.atMs
  const cpuMs = after.cpuMs - before.cpuMs
  const simulatorMs = after.simulatorMs - before.simulatorMs
  return {
    polls,
    cpuMsPerPoll: cpuMs / polls,
    corePercent: (cpuMs / tookMs) * 100,
    ...memoryOf(pid),
    toDiskBytesPerPoll: (after.toDiskBytes - before.toDiskBytes) / polls,
    writtenBytesPerPoll: (after.writtenBytes - before.writtenBytes) / polls,
    answers: report.answers,
    events: seen?.events ?? new Float64Array(),
    problems: Object.values(report.problems).reduce((sum, times) => sum + times, 0),
    simulatorPercent: (simulatorMs / tookMs) * 100,
    othersPercent: ((after.busyMs - before.busyMs - cpuMs - simulatorMs) / tookMs / availableParallelism()) * 100,
  }
}

/**
 * Returns the figures (measured values) that show whether a run of the benchmark is reliable: number of polls, lost connections, and the
 * load by the simulator and other programs.
 */
export const circumstances = ({ polls, problems, simulatorPercent, othersPercent }: Steady): readonly Figure[] => [
  { name: 'polls measured', value: polls, unit: '' },
  { name: 'connections that failed or were lost', value: problems, unit: '', bar: 0 },
  { name: 'the simulator itself', value: simulatorPercent, unit: '% of a core' },
  { name: 'the machine busy with other work', value: othersPercent, unit: '%' },
]

/**
 * Returns the delays in ms, ascending, from the response to each poll until its event arrives at each dashboard. It also returns the
 * percentage of the expected events that arrived.
 */
export function eventDelays(
  answers: Sightings,
  events: Sightings,
  dashboards: number,
): { readonly delaysMs: Float64Array; readonly arrivedPercent: number } {
  const sentAtMs = new Map<string, number>()
  for (const [index, uptimeSeconds, atMs] of sightings(answers)) sentAtMs.set(`${index} ${uptimeSeconds}`, atMs)
  const delays: number[] = []
  for (const [index, uptimeSeconds, atMs] of sightings(events)) {
    const sent = sentAtMs.get(`${index} ${uptimeSeconds}`)
    if (sent !== undefined) delays.push(atMs - sent)
  }
  return { delaysMs: Float64Array.from(delays).toSorted(), arrivedPercent: (delays.length / (sentAtMs.size * dashboards)) * 100 }
}

export const quantile = (rising: Float64Array, share: number): number =>
  rising[Math.min(rising.length - 1, Math.floor(rising.length * share))] ?? Number.NaN

/** Returns the times in ms between consecutive polls of each system, ascending, from the log of the agents' responses. */
export function pollIntervals(answers: Sightings): Float64Array {
  const lastAtMs = new Map<number, number>()
  const intervals: number[] = []
  for (const [index, , atMs] of sightings(answers)) {
    const last = lastAtMs.get(index)
    if (last !== undefined) intervals.push(atMs - last)
    lastAtMs.set(index, atMs)
  }
  return Float64Array.from(intervals).toSorted()
}

function* sightings(numbers: Sightings): Generator<readonly [index: number, uptimeSeconds: number, atMs: number]> {
  for (let at = 0; at < numbers.length; at += SIGHTING_NUMBERS)
    yield [numbers[at] ?? -1, numbers[at + 1] ?? -1, numbers[at + 2] ?? Number.NaN]
}
