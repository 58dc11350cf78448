import { setTimeout as wait } from 'node:timers/promises'
import { auditWrites } from '../../hub/test/cluster/write-audit.ts'
import { SIGHTING_NUMBERS, monotonicMs, type Sightings } from '../fleet-report.ts'
import { loadedHubs, type LoadedHubs } from '../loaded-hubs.ts'
import type { Figure, Row } from '../row.ts'
import { machineName } from '../simulated-machine.ts'

const AGENTS = 6000
const AGENTS_WITH_ALERTS = 3000
const CONTAINERS = 10
const THREE = ['a', 'b', 'c']
const MOST = 0.99

const DIALS_PER_SECOND = 150
const UP_WITHIN_MS = 240_000
/** Waiting time in ms, 90 s, until the hubs have spread their polls: each system is then polled at its own fixed second of the minute. */
const SETTLED_MS = 90_000
const OUTAGE_MS = 60_000
/** Waiting time in ms of the benchmark, 95 s, after a fault such as a killed hub. Within it each system is polled at least once. */
const AFTER_MS = 95_000
const LOOK_EVERY_MS = 250
/**
 * Timeout in ms until the agents are polled again after a fault: 150 s, ten times the benchmark's limit of 15 s. Then the benchmark fails
 * with an error.
 */
const BACK_WITHIN_MS = 150_000
/**
 * Time in ms after a hub's poll of an agent by which the sample must be in the database: 3 s. Samples are stored in batches of a second.
 */
const STORED_AFTER_MS = 3000
/** Time in ms by which a hub must notice that its database is reachable again: 7 s. It tries every 5 s. */
const TRIED_AGAIN_MS = 7000

type Answer = { readonly machine: number; readonly uptimeSeconds: number; readonly atMs: number }

/**
 * Starts three hubs with simulated agents and records all writes of samples to the database. Resolves, once each agent is polled at its
 * fixed second of the minute, with the hubs, the recorded writes and the log of polls.
 */
async function settledHubs(agents: number) {
  const stack = new AsyncDisposableStack()
  try {
    const hubs = stack.use(await loadedHubs({ agents, containers: CONTAINERS, hubs: THREE, hasAlerts: true }))
    const audit = stack.use(await auditWrites(hubs.server.url))
    await hubs.bringUp(DIALS_PER_SECOND, UP_WITHIN_MS)
    await wait(SETTLED_MS)
    const answers: Answer[] = []
    const look = async (): Promise<void> => {
      for (const answer of answersIn((await hubs.fleet.ask({ order: 'report' })).answers)) answers.push(answer)
    }
    await look()
    return { hubs, audit, answers, look, [Symbol.asyncDispose]: () => stack.disposeAsync() }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

type Scene = Awaited<ReturnType<typeof settledHubs>>

function answersIn(sightings: Sightings): readonly Answer[] {
  const answers: Answer[] = []
  for (let at = 0; at < sightings.length; at += SIGHTING_NUMBERS)
    answers.push({ machine: sightings[at] ?? -1, uptimeSeconds: sightings[at + 1] ?? -1, atMs: sightings[at + 2] ?? -1 })
  return answers
}

/**
 * Counts the errors of the benchmark's hubs, such as samples stored twice, and resolves with them as figures (measured values) with the
 * allowed maximum 0. For comparison, the list also has the stored samples and queued notifications.
 */
async function mistakes({ hubs, audit }: Scene): Promise<readonly Figure[]> {
  const samples = await audit.samples()
  const distinct = new Set(samples.map(({ system, uptime }) => `${system} ${uptime}`))
  const [{ count: down } = { count: Number.NaN }] = await hubs.query<{ count: string | number }>(
    `select count(*) from system_events where kind = 'down'`,
  )
  const [{ count: twice } = { count: Number.NaN }] = await hubs.query<{ count: string | number }>(
    `select coalesce(sum(count - 1), 0) as count from (select count(*) from notices group by incident, transition) as told`,
  )
  const [{ count: notices } = { count: Number.NaN }] = await hubs.query<{ count: string | number }>('select count(*) from notices')
  return [
    { name: 'systems called down', value: Number(down), unit: '', bar: 0 },
    { name: 'samples stored twice', value: samples.length - distinct.size, unit: '', bar: 0 },
    { name: 'samples stored without the lease', value: samples.filter(({ owner, writer }) => owner !== writer).length, unit: '', bar: 0 },
    { name: 'alerts sent twice', value: Number(twice), unit: '', bar: 0 },
    { name: 'samples stored', value: samples.length, unit: '' },
    { name: 'notices of alerts', value: Number(notices), unit: '' },
    { name: 'hubs that ended by themselves', value: unexpectedEnds(hubs), unit: '', bar: 0 },
  ]
}

const unexpectedEnds = ({ hubs }: LoadedHubs): number => hubs.filter(({ exit }) => exit() !== undefined && exit() !== 'a signal').length

/**
 * Resolves with the number of samples that agents sent but no hub stored. Only samples count for whose time (monotonic ms) `isMeant`
 * returns true.
 */
async function lostSamples({ answers, audit, hubs }: Scene, isMeant: (atMs: number) => boolean): Promise<number> {
  const rows = await hubs.query<{ id: string; name: string }>('select id, name from systems')
  const ids = new Map(rows.map(({ id, name }) => [name, id]))
  const stored = new Set((await audit.samples()).map(({ system, uptime }) => `${system} ${uptime}`))
  const meant = answers.filter(({ atMs }) => isMeant(atMs))
  return meant.filter(({ machine, uptimeSeconds }) => !stored.has(`${ids.get(machineName(machine))} ${uptimeSeconds}`)).length
}

export const killedHub: Row = {
  id: 'S3',
  what: `3 hubs: one is killed, ${AGENTS} agents through HAProxy`,
  async measure() {
    await using one = await settledHubs(AGENTS)
    const { hubs, answers, look } = one
    const [victim] = hubs.hubs
    if (victim === undefined) throw new Error('There is no hub')
    const owners = await hubs.owners()
    const moved = new Set([...owners].flatMap(([machine, owner]) => (owner === victim.name ? [machine] : [])))
    await wait(SETTLED_MS)
    await look()
    process.kill(victim.pid(), 'SIGKILL')
    const killedAtMs = monotonicMs()
    const polled = (): number =>
      new Set(answers.flatMap(({ machine, atMs }) => (atMs > killedAtMs && moved.has(machine) ? [machine] : []))).size
    while (polled() < moved.size * MOST) {
      if (monotonicMs() - killedAtMs > BACK_WITHIN_MS) throw new Error(`Only ${polled()} of ${moved.size} agents were polled again`)
      await wait(LOOK_EVERY_MS)
      await look()
    }
    const tookMs = monotonicMs() - killedAtMs
    await wait(AFTER_MS)
    await look()
    const gaps = [...moved].map((machine) => gapAround(answers, machine, killedAtMs))
    return [
      { name: '99 % of its agents polled again', value: tookMs / 1000, unit: 's', bar: 15 },
      { name: 'longest time between the last response before and the first after', value: Math.max(...gaps) / 1000, unit: 's', bar: 75 },
      { name: 'its agents', value: moved.size, unit: '' },
      ...(await mistakes(one)),
    ]
  },
}

function gapAround(answers: readonly Answer[], machine: number, atMs: number): number {
  const times = answers.filter((one) => one.machine === machine).map((one) => one.atMs)
  const before = times.findLast((time) => time <= atMs)
  const after = times.find((time) => time > atMs)
  return (after ?? Number.POSITIVE_INFINITY) - (before ?? Number.NEGATIVE_INFINITY)
}

export const frozenHub: Row = {
  id: 'S4',
  what: `3 hubs: one is frozen for ${OUTAGE_MS / 1000} s and goes on, ${AGENTS_WITH_ALERTS} agents through HAProxy`,
  async measure() {
    await using one = await settledHubs(AGENTS_WITH_ALERTS)
    const { hubs, look } = one
    const [victim, ...others] = hubs.hubs
    if (victim === undefined) throw new Error('There is no hub')
    const owners = await hubs.owners()
    const names = new Set(others.map(({ name }) => name))
    process.kill(victim.pid(), 'SIGSTOP')
    const frozenAtMs = monotonicMs()
    await wait(OUTAGE_MS)
    process.kill(victim.pid(), 'SIGCONT')
    await wait(AFTER_MS)
    await look()
    const readAtMs = monotonicMs()
    const isOfOthers = ({ machine }: Answer): boolean => names.has(owners.get(machine) ?? '')
    const ofOthers = { ...one, answers: one.answers.filter(isOfOthers) }
    const lost = await lostSamples(ofOthers, (atMs) => atMs > frozenAtMs - STORED_AFTER_MS && atMs < readAtMs - STORED_AFTER_MS)
    return [{ name: 'samples that the other hubs lost', value: lost, unit: '', bar: 0 }, ...(await mistakes(one))]
  },
}

export const awayServers: Row = {
  id: 'S5',
  what: `3 hubs: PostgreSQL is away for ${OUTAGE_MS / 1000} s, then NATS, ${AGENTS_WITH_ALERTS} agents through HAProxy`,
  async measure() {
    await using one = await settledHubs(AGENTS_WITH_ALERTS)
    const { hubs, look } = one
    const startedAtMs = monotonicMs()
    hubs.server.crash()
    await wait(OUTAGE_MS)
    hubs.server.restart()
    while ((await hubs.query('select 1').catch(() => [])).length === 0) await wait(LOOK_EVERY_MS)
    const backAtMs = monotonicMs()
    await wait(AFTER_MS)
    await hubs.nats.stop()
    const natsAwayAtMs = monotonicMs()
    await wait(OUTAGE_MS)
    await hubs.nats.start()
    await wait(AFTER_MS)
    await look()
    const readAtMs = monotonicMs() - STORED_AFTER_MS
    const lost = await lostSamples(one, (atMs) => atMs > backAtMs + TRIED_AGAIN_MS && atMs < natsAwayAtMs)
    const lostAtOnce = await lostSamples(one, (atMs) => atMs > backAtMs && atMs <= backAtMs + TRIED_AGAIN_MS)
    const lostWithoutNats = await lostSamples(one, (atMs) => atMs >= natsAwayAtMs && atMs < readAtMs)
    return [
      { name: `samples lost later than ${TRIED_AGAIN_MS / 1000} s after PostgreSQL was back`, value: lost, unit: '', bar: 0 },
      { name: 'samples lost until then', value: lostAtOnce, unit: '' },
      { name: 'samples lost while NATS was away and after', value: lostWithoutNats, unit: '', bar: 0 },
      { name: 'time without PostgreSQL', value: (backAtMs - startedAtMs) / 1000, unit: 's' },
      ...(await mistakes(one)),
    ]
  },
}
