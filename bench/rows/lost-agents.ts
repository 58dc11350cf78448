import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { scratchFolder } from '../../e2e/programs.ts'
import { untilNextPoll } from '../../hub/src/fleet/polling/poll.ts'
import type { AgentForm, AgentProcess } from '../agent-forms.ts'
import { startBenchHub } from '../bench-hub.ts'
import { addressOf, tokenOf } from '../fleet-report.ts'
import { machineBusyMs } from '../process-figures.ts'
import type { Figure, Row } from '../row.ts'
import { BENCH_PASSWORD, emailOf, seedHub } from '../seeded-hub.ts'
import { fingerprintOf, machineName } from '../simulated-machine.ts'
import { openStatusStream, type StatusStream } from '../status-stream.ts'
import { quantile } from '../steady-state.ts'
import { freePort } from '../../tools/free-port.ts'

const KILLED = { agents: 40, lives: 5 }
const FROZEN = { agents: 25, lives: 2 }

/** Time in ms, 20 s, over which the starts of the benchmark's agents are spread, so that they do not slow each other down. */
const STARTS_OVER_MS = 20_000
const MINUTE_MS = 60_000
/**
 * Longest time in ms, 400, that a hub's poll of an agent takes. To kill an agent during a poll, the benchmark sends the signal at a random
 * time within this span after the poll's start.
 */
const EXCHANGE_MS = 400
/** Width in ms, 100, of the time slot in which the hub polls systems together while a user watches live values. */
const WATCHED_GROUP_MS = 100
const UP_WITHIN_MS = 120_000
/** Timeout in ms, 4 min, until a system whose agent was killed or frozen has the status "down". */
const DOWN_WITHIN_MS = 240_000

type Link = 'ssh' | 'websocket'
type Signal = 'SIGKILL' | 'SIGSTOP'

/**
 * Measured times in s from the signal that kills or freezes an agent to the hub's event "down". `inMinute` is for a signal at any time,
 * `inExchange` for one during a poll.
 */
type Losses = {
  readonly inMinute: number[]
  readonly inExchange: number[]
  /** Number of times that the hub reported a system as down although its agent was running. */
  mistakes: number
}
type Moment = 'inMinute' | 'inExchange'

type Scene = {
  readonly form: AgentForm
  readonly link: Link
  readonly folder: string
  readonly url: string
  readonly port: number
  readonly publicLine: string
  readonly stream: StatusStream
}

/**
 * Benchmark of the time until a dashboard shows that an agent is gone. Each agent is killed or frozen several times, in turn during a poll
 * and at any time.
 */
export const lostAgents = (form: AgentForm): Row => ({
  id: `D1${form.suffix}`,
  what: `${form.name}: lost → "down" on the event stream; killed over SSH and over WebSocket, ${KILLED.agents * KILLED.lives} times each; frozen, ${FROZEN.agents * FROZEN.lives} times`,
  async measure() {
    await form.build()
    const startedAtMs = performance.now()
    const busyBeforeMs = machineBusyMs()
    const [overSsh, overWebSocket] = await Promise.all([
      onHub(form, 'ssh', KILLED.agents, (scene) => loseAgents(scene, 0, KILLED, 'SIGKILL')),
      onHub(form, 'websocket', KILLED.agents + FROZEN.agents, (scene) =>
        Promise.all([loseAgents(scene, 0, KILLED, 'SIGKILL'), loseAgents(scene, KILLED.agents, FROZEN, 'SIGSTOP')]),
      ),
    ])
    const [killed, frozen] = overWebSocket
    const busy = (machineBusyMs() - busyBeforeMs) / (performance.now() - startedAtMs) / availableParallelism()
    return [
      // Over SSH, the hub reports "down" after another connection attempt, whose time is included.
      ...figures('killed, SSH: dialled again and shown', overSsh, 1),
      ...figures('killed, WebSocket', killed, 10),
      ...figures('frozen, WebSocket', frozen, 30),
      { name: 'the machine busy', value: busy * 100, unit: '%' },
    ]
  },
})

function figures(name: string, { inMinute, inExchange, mistakes }: Losses, bar: number): readonly Figure[] {
  const all = Float64Array.from([...inMinute, ...inExchange]).toSorted()
  return [
    { name: `${name}, p50`, value: quantile(all, 0.5), unit: 's' },
    { name: `${name}, p99 of ${all.length}`, value: quantile(all, 0.99), unit: 's', bar },
    { name: `${name}, longest at any moment`, value: Math.max(...inMinute), unit: 's' },
    { name: `${name}, longest within an exchange`, value: Math.max(...inExchange), unit: 's' },
    { name: `${name}, called down before`, value: mistakes, unit: '', bar: 0 },
  ]
}

async function onHub<T>(form: AgentForm, link: Link, systems: number, work: (scene: Scene) => Promise<T>): Promise<T> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(scratchFolder()).path
  const port = await freePort()
  const { publicLine } = await seedHub(folder, { systems, people: 1, tokens: 'own', link, port })
  const listen = `127.0.0.1:${await freePort()}`
  const url = `http://${listen}`
  const hub = await startBenchHub({ listen, directory: folder })
  stack.defer(async () => void (await hub.stop()))
  const stream = stack.use(await openStatusStream(url, await signIn(url)))
  return await work({ form, link, folder, url, port, publicLine, stream })
}

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/collections/users/auth-with-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identity: emailOf(0), password: BENCH_PASSWORD }),
  })
  if (!answer.ok) throw new Error(`Cannot sign in: ${answer.status}`)
  const { token } = (await answer.json()) as { readonly token: string } // what this route answers
  return token
}

/**
 * Starts `agents` agents in parallel and kills or freezes each one `lives` times with the signal. Resolves with the lists of times in s
 * until the hub's event "down", and the number of wrong events.
 */
async function loseAgents(scene: Scene, first: number, { agents, lives }: typeof KILLED, signal: Signal): Promise<Losses> {
  const losses: Losses = { inMinute: [], inExchange: [], mistakes: 0 }
  await Promise.all(
    Array.from({ length: agents }, async (_, at) => {
      await wait((STARTS_OVER_MS / agents) * at)
      for (let life = 0; life < lives; life++) {
        const moment = (at + life) % 2 === 0 ? 'inMinute' : 'inExchange'
        const seconds = await oneLife(scene, first + at, moment, signal)
        if (seconds < 0) losses.mistakes++
        else losses[moment].push(seconds)
      }
    }),
  )
  return losses
}

/**
 * Starts agent number `index` and kills or freezes it with the signal, during a poll or at any time. Resolves with the seconds until the
 * hub's event "down". Negative when the hub reported "down" before the signal, which is a mistake.
 */
async function oneLife(scene: Scene, index: number, moment: Moment, signal: Signal): Promise<number> {
  const { stream } = scene
  const name = machineName(index)
  const up = stream.next(name, ({ status }) => status === 'up', UP_WITHIN_MS)
  const agent = startAgent(scene, index)
  try {
    const { id } = await up
    const down = stream.next(name, ({ status }) => status === 'down', DOWN_WITHIN_MS)
    await wait(moment === 'inMinute' ? Math.random() * MINUTE_MS : untilExchangeMs(id) + Math.random() * EXCHANGE_MS)
    const lostAtMs = performance.now()
    process.kill(agent.pid, signal)
    return ((await down).atMs - lostAtMs) / 1000
  } finally {
    await agent.stop('SIGKILL')
  }
}

/** Returns the time in ms until the hub's next poll of the system with this id, computed by the function that the hub itself uses. */
const untilExchangeMs = (system: string): number => untilNextPoll(system, Date.now(), WATCHED_GROUP_MS)

function startAgent({ form, link, folder, url, port, publicLine }: Scene, index: number): AgentProcess {
  const data = join(folder, `agent-${index}`)
  mkdirSync(data, { recursive: true })
  writeFileSync(join(data, 'fingerprint'), fingerprintOf(index))
  const environment = { KEY: publicLine, DATA_DIR: data, DOCKER_HOST: '', LOG_LEVEL: 'error' }
  return form.start(
    link === 'ssh'
      ? { ...environment, LISTEN: `${addressOf(index)}:${port}` }
      : { ...environment, HUB_URL: url, TOKEN: tokenOf('own', index), DISABLE_SSH: 'true' },
  )
}
