import { availableParallelism } from 'node:os'
import { answersFrom, loadedHub } from '../loaded-hub.ts'
import { cpuMsOf, machineBusyMs, memoryOf } from '../process-figures.ts'
import type { Figure, Row } from '../row.ts'
import type { Dialling, Tokens } from '../fleet-report.ts'
import { GIVEN_UP } from '../websocket-fleet.ts'

const AGENTS = 5000
const CONTAINERS = 10
const MOST = 0.99
const DIALS_PER_SECOND = 150
const UP_WITHIN_MS = 150_000
/**
 * Timeout in ms, 150 s, until the agents are polled again after the benchmark's restart of the hub. It is ten times the benchmark's limit
 * of 15 s.
 */
const BACK_WITHIN_MS = 150_000

type Bars = { readonly backSeconds: number; readonly cpuSeconds: number }
const restartBars: Bars = { backSeconds: 15, cpuSeconds: 15 }

/**
 * Benchmark step: stops the hub and starts it again at once, as an update does. Returns a list of figures (measured values) about the time
 * until 99 % of the agents are polled again: seconds, CPU, memory and errors.
 */
async function restart(tokens: Tokens, dialling: Dialling, bars: Bars): Promise<readonly Figure[]> {
  await using hub = await loadedHub({ agents: AGENTS, containers: CONTAINERS, link: 'websocket', tokens, dialling })
  await hub.bringUp(DIALS_PER_SECOND, UP_WITHIN_MS)
  await hub.stop()
  await hub.fleet.ask({ order: 'report' })
  const stoppedAtMs = performance.now()
  const simulatorBeforeMs = cpuMsOf(hub.fleet.pid)
  const busyBeforeMs = machineBusyMs()
  await hub.start()
  const problems = await answersFrom(hub.fleet, AGENTS * MOST, BACK_WITHIN_MS)
  const tookMs = performance.now() - stoppedAtMs
  const cpuMs = cpuMsOf(hub.pid())
  const simulatorMs = cpuMsOf(hub.fleet.pid) - simulatorBeforeMs
  const othersMs = machineBusyMs() - busyBeforeMs - cpuMs - simulatorMs
  const { residentMebibytes } = memoryOf(hub.pid())
  const name = tokens === 'universal' ? 'one universal token' : 'a token each'
  return [
    { name: `${name}: 99 % polled again, from the start of the process`, value: tookMs / 1000, unit: 's', bar: bars.backSeconds },
    { name: `${name}: CPU until then`, value: cpuMs / 1000, unit: 's', bar: bars.cpuSeconds },
    { name: `${name}: resident then`, value: residentMebibytes, unit: 'MiB' },
    { name: `${name}: dials that timed out`, value: problems.get(GIVEN_UP) ?? 0, unit: '', ...(dialling === 'in step' ? { bar: 0 } : {}) },
    { name: `${name}: systems called down`, value: await hub.countSystems('down'), unit: '', bar: 0 },
    { name: `${name}: CPU of the simulator`, value: simulatorMs / 1000, unit: 's' },
    { name: `${name}: the machine busy with other work`, value: (othersMs / tookMs / availableParallelism()) * 100, unit: '%' },
  ]
}

export const restartWithOwnTokens: Row = {
  id: 'H4',
  what: `hub: restart with ${AGENTS} agents, a token each`,
  measure: () => restart('own', 'spread', restartBars),
}

export const restartWithUniversalToken: Row = {
  id: 'H4u',
  what: `hub: restart with ${AGENTS} agents, one universal token`,
  measure: () => restart('universal', 'spread', restartBars),
}

export const herd: Row = {
  id: 'X5',
  what: `hub: restart with ${AGENTS} agents that dial in step, at once and then every 10 s`,
  measure: () => restart('own', 'in step', { backSeconds: 16, cpuSeconds: 7 }),
}
