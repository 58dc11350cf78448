import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import ssh2 from 'ssh2'
import { scratchFolder } from '../../e2e/programs.ts'
import { findEngine, type Engine } from '../../e2e/engine.ts'
import type { AgentForm, AgentProcess } from '../agent-forms.ts'
import { BENCH_TOKEN, hubForAgents, type AgentUnderTest, type HubForAgents } from '../hub-for-agents.ts'
import { cpuMsOf, memoryOf } from '../process-figures.ts'
import type { Figure, Row } from '../row.ts'
import { freePort } from '../../tools/free-port.ts'

const SAMPLES = 200
const WARM_UP = 5
const SECOND_MS = 1000
const MINUTE_MS = 60_000

function startAgent(form: AgentForm, hub: HubForAgents, directory: string, more: Readonly<Record<string, string>> = {}): AgentProcess {
  return form.start({
    HUB_URL: hub.url,
    TOKEN: BENCH_TOKEN,
    KEY: hub.publicLine,
    DATA_DIR: directory,
    DISABLE_SSH: 'true',
    DOCKER_HOST: '',
    LOG_LEVEL: 'error',
    ...more,
  })
}

const fullSample = { action: 'data', cacheTimeMs: 1000, includeDetails: false } as const

/** List of the numbers of running containers, 0, 3 and 10, with which an agent is measured, one agent per number. */
const containerCounts = [0, 3, 10] as const

const MOST_CONTAINERS = 10

export const agentCpu = (form: AgentForm): Row => ({
  id: `A1${form.suffix}`,
  what: `${form.name}: CPU per full sample, once a second over WebSocket, mean of ${SAMPLES}`,
  async measure() {
    await form.build()
    await using engine = await findEngine()
    await using hub = await hubForAgents()
    await using stack = new AsyncDisposableStack()
    if (engine.kind === 'found') await startContainers(engine, MOST_CONTAINERS)
    const measured: Promise<Figure>[] = []
    for (const count of containerCounts) {
      const name = nameOf(count)
      if (count > 0 && engine.kind === 'none') throw new Error(`Cannot measure ${name}: ${engine.reason}`)
      const folder = stack.use(scratchFolder())
      const arrival = hub.agent()
      const program = startAgent(form, hub, folder.path, count > 0 && engine.kind === 'found' ? containerEnvironment(engine, count) : {})
      stack.defer(async () => void (await program.stop()))
      const agent = await arrival
      measured.push(cpuPerSample(program, agent).then((value) => ({ name, value, unit: 'ms', bar: form.bars.sampleMs[count] })))
    }
    // Agents are measured in parallel, because an old engine takes up to 2 s for each response.
    return await Promise.all(measured)
  },
})

const nameOf = (count: number): string => (count === 0 ? 'no containers' : `${count} containers`)

async function startContainers(engine: Engine, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await engine.run({ name: `vedette-bench-${index}`, script: 'echo ready; while true; do sleep 1; done', cpuShare: 0.1 })
  }
}

/** Returns environment variables, by name, for an agent that make it ignore all but `count` of the benchmark's ten containers. */
function containerEnvironment(engine: Engine, count: number): Readonly<Record<string, string>> {
  const hidden = Array.from({ length: MOST_CONTAINERS - count }, (_, index) => `vedette-bench-${index}`)
  return { DOCKER_HOST: engine.address, EXCLUDE_CONTAINERS: hidden.join(',') }
}

async function cpuPerSample(program: AgentProcess, agent: AgentUnderTest): Promise<number> {
  const everySecond = async (times: number): Promise<void> => {
    for (let sample = 0; sample < times; sample++) {
      const nextMs = performance.now() + SECOND_MS
      await agent.ask(fullSample, 'document')
      await wait(Math.max(0, nextMs - performance.now()))
    }
  }
  await everySecond(WARM_UP)
  const before = cpuMsOf(program.pid)
  await everySecond(SAMPLES)
  return (cpuMsOf(program.pid) - before) / SAMPLES
}

/** Number of containers that run while the agent's memory is measured: 3. The benchmark's limit is defined for this number. */
const MEMORY_CONTAINERS = 3

export const agentMemory = (form: AgentForm): Row => ({
  id: `A2${form.suffix}`,
  what: `${form.name}: memory at one poll a minute`,
  async measure() {
    await form.build()
    await using engine = await findEngine()
    if (engine.kind === 'none') throw new Error(`Cannot measure ${nameOf(MEMORY_CONTAINERS)}: ${engine.reason}`)
    await startContainers(engine, MEMORY_CONTAINERS)
    await using hub = await hubForAgents()
    await using stack = new AsyncDisposableStack()
    const measured: Promise<readonly Figure[]>[] = []
    for (const count of [0, MEMORY_CONTAINERS]) {
      const folder = stack.use(scratchFolder())
      const arrival = hub.agent()
      const program = startAgent(form, hub, folder.path, count === 0 ? {} : { DOCKER_HOST: engine.address })
      stack.defer(async () => void (await program.stop()))
      const agent = await arrival
      measured.push(memoryAtAPollAMinute(form, program, agent).then((figures) => named(figures, nameOf(count))))
    }
    return (await Promise.all(measured)).flat()
  },
})

const named = (figures: readonly Figure[], what: string): readonly Figure[] =>
  figures.map((figure) => ({ ...figure, name: `${figure.name}, ${what}` }))

async function memoryAtAPollAMinute(form: AgentForm, program: AgentProcess, agent: AgentUnderTest): Promise<readonly Figure[]> {
  for (let poll = 0; poll < 2; poll++) {
    await agent.ask({ action: 'data', cacheTimeMs: MINUTE_MS, includeDetails: poll === 0 }, 'document')
    await wait(MINUTE_MS)
  }
  const { residentMebibytes, privateMebibytes } = memoryOf(program.pid)
  const resident = form.bars.residentMebibytes
  return [
    { name: 'private', value: privateMebibytes, unit: 'MiB', bar: form.bars.privateMebibytes },
    { name: 'resident', value: residentMebibytes, unit: 'MiB', ...(resident === undefined ? {} : { bar: resident }) },
  ]
}

export const agentStart = (form: AgentForm): Row => ({
  id: `A3${form.suffix}`,
  what: `${form.name}: process start to connected, first reply and first sample over WebSocket, and to the first answer over SSH`,
  async measure() {
    await form.build()
    await using hub = await hubForAgents()
    using folder = scratchFolder()
    await oneStart(form, hub, folder.path) // the fingerprint is made once, at the very first start
    const starts: Start[] = []
    for (let run = 0; run < STARTS; run++) starts.push(await oneStart(form, hub, folder.path))
    const answered: number[] = []
    for (let run = 0; run < STARTS; run++) answered.push(await oneSshStart(form, hub, folder.path))
    const { connectedMs, firstReplyMs, firstAnswerMs } = form.bars
    const reply = { name: 'first reply', value: medianOf(starts.map(({ repliedMs }) => repliedMs)), unit: 'ms' }
    return [
      { name: 'connected over WebSocket', value: medianOf(starts.map((start) => start.connectedMs)), unit: 'ms', bar: connectedMs },
      firstReplyMs === undefined ? reply : { ...reply, bar: firstReplyMs },
      { name: 'first sample', value: medianOf(starts.map(({ sampledMs }) => sampledMs)), unit: 'ms' },
      { name: 'first answer over SSH', value: medianOf(answered), unit: 'ms', bar: firstAnswerMs },
    ]
  },
})

const STARTS = 11

/** Times of one start of an agent, in ms since its process began: WebSocket open, first reply, first sample. */
type Start = { readonly connectedMs: number; readonly repliedMs: number; readonly sampledMs: number }

async function oneStart(form: AgentForm, hub: HubForAgents, directory: string): Promise<Start> {
  const now = (): number => performance.timeOrigin + performance.now()
  const arrival = hub.agent()
  const startedAtMs = now()
  const program = startAgent(form, hub, directory)
  const { connectedAtMs, repliedAtMs, ask } = await arrival
  await ask({ action: 'data', cacheTimeMs: MINUTE_MS, includeDetails: true }, 'document')
  const sampledAtMs = now()
  await program.stop()
  return { connectedMs: connectedAtMs - startedAtMs, repliedMs: repliedAtMs - startedAtMs, sampledMs: sampledAtMs - startedAtMs }
}

/**
 * Starts an agent and connects by SSH every 5 ms until it responds. Resolves with the time from the process start to the first response, in
 * ms.
 */
async function oneSshStart(form: AgentForm, hub: HubForAgents, directory: string): Promise<number> {
  const port = await freePort()
  const startedAtMs = performance.now()
  const program = startAgent(form, hub, directory, { HUB_URL: '', TOKEN: '', DISABLE_SSH: 'false', LISTEN: `127.0.0.1:${port}` })
  while (!(await sshAnswer(port, hub.privateKey))) await wait(5)
  const answeredAtMs = performance.now()
  await program.stop()
  return answeredAtMs - startedAtMs
}

function sshAnswer(port: number, privateKey: string): Promise<boolean> {
  return new Promise((resolve) => {
    const client = new ssh2.Client()
    client.on('error', () => resolve(false))
    client.on('ready', () => {
      client.shell(false, (error, channel) => {
        if (error) resolve(false)
        else {
          channel.on('data', () => {
            resolve(true)
            client.destroy()
          })
          // {0: 0, 1: {0: 60000, 1: false}}: a data request, as a hub sends it.
          channel.end(Buffer.from('a2000001a20019ea6001f4', 'hex'))
        }
      })
    })
    // Hubs connect without Nagle's algorithm, which would add several delays of 40 ms.
    client.connect({ sock: connect({ host: '127.0.0.1', port, noDelay: true }), username: 'u', privateKey, ident: 'beszel_0.18.8' })
  })
}

const medianOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
