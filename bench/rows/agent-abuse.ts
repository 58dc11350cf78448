import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import ssh2 from 'ssh2'
import { floodNames } from '../../agent/test/ssh-flood.ts'
import { hubKey } from '../../agent/test/running-agent.ts'
import { SshHub } from '../../agent/test/ssh-client.ts'
import { scratchFolder } from '../../e2e/programs.ts'
import { fromHex } from '../../protocol/test/recorded.ts'
import type { AgentForm, AgentProcess } from '../agent-forms.ts'
import { cpuMsOf, memoryOf } from '../process-figures.ts'
import type { Figure, Row } from '../row.ts'
import { freePort } from '../../tools/free-port.ts'

const FLOOD_MS = 10_000
const SECOND_MS = 1000
const SILENT_SOCKETS = 1000
const SIGN_INS = 5
const sampleRequest = fromHex('a2000001a1001903e8')
const sources = ['127.0.0.2', '127.0.0.1'] as const

const floodProgram = 'agent/test/ssh-flood.ts'

type Measured = {
  readonly gapMs: number
  readonly residentMebibytes: number
  readonly privateMebibytes: number
  readonly cpuPercent: number
}

/**
 * Benchmark ("abuse") of an agent whose SSH port is flooded with connections, first from another address than the hub's, then from the
 * hub's. Meanwhile a hub fetches a sample a second on its own connection.
 */
export const abusedAgent = (form: AgentForm): Row => ({
  id: `X1${form.suffix}`,
  what: `${form.name}: ${floodNames.length} floods of its SSH port, ${FLOOD_MS / SECOND_MS} s each from 127.0.0.2 and 127.0.0.1, amid a sample a second`,
  async measure() {
    await form.build()
    const measured: { readonly name: string; readonly figures: Measured }[] = []
    for (const flood of floodNames) {
      for (const from of sources) {
        await using agent = await startAgent(form)
        measured.push({ name: `${flood} from ${from}`, figures: await sampleAmid(agent, flood, from) })
      }
    }
    return measured.flatMap(({ name, figures: { gapMs, residentMebibytes, privateMebibytes, cpuPercent } }): Figure[] => [
      { name: `${name}: longest gap between samples`, value: gapMs, unit: 'ms', bar: 3000 },
      { name: `${name}: more memory`, value: residentMebibytes, unit: 'MiB', bar: 4 },
      { name: `${name}: more private memory`, value: privateMebibytes, unit: 'MiB' },
      { name: `${name}: CPU of the agent`, value: cpuPercent, unit: '% of a core', bar: 20 },
    ])
  },
})

export const silentSockets = (form: AgentForm): Row => ({
  id: `X2${form.suffix}`,
  what: `${form.name}: a hub signs in beside ${SILENT_SOCKETS} silent connections, slowest of ${SIGN_INS}`,
  async measure() {
    await form.build()
    const figures: Figure[] = []
    for (const from of sources) {
      await using agent = await startAgent(form)
      const open = await Promise.all(Array.from({ length: SILENT_SOCKETS }, () => openSilent(agent.port, from)))
      const took: number[] = []
      for (let count = 0; count < SIGN_INS; count++) {
        const beganAtMs = performance.now()
        await using _hub = await SshHub.connect(agent.port, hubKey.privateText)
        took.push(performance.now() - beganAtMs)
      }
      for (const socket of open) socket.destroy()
      figures.push({ name: `sockets from ${from}`, value: Math.max(...took), unit: 'ms', bar: 1000 })
    }
    return figures
  },
})

type Listening = AsyncDisposable & { readonly port: number; readonly pid: number }

async function startAgent(form: AgentForm): Promise<Listening> {
  const folder = scratchFolder()
  const port = await freePort()
  const key = ssh2.utils.parseKey(hubKey.publicLine)
  if (key instanceof Error) throw key
  const program: AgentProcess = form.start({
    LISTEN: `127.0.0.1:${port}`,
    KEY: hubKey.publicLine,
    DATA_DIR: folder.path,
    DOCKER_HOST: '',
    LOG_LEVEL: 'error',
  })
  while (!(await isListening(port))) await wait(20)
  return {
    port,
    pid: program.pid,
    async [Symbol.asyncDispose]() {
      await program.stop()
      folder[Symbol.dispose]()
    },
  }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.on('connect', () => resolve(true))
    socket.on('error', () => resolve(false))
  })
  socket.destroy()
  return isOpen
}

async function openSilent(port: number, from: string): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, localAddress: from })
  socket.on('error', () => undefined)
  await Promise.race([once(socket, 'connect'), new Promise((resolve) => socket.on('close', resolve))])
  return socket
}

async function sampleAmid({ port, pid }: Listening, flood: string, from: string): Promise<Measured> {
  await using hub = await SshHub.connect(port, hubKey.privateText)
  for (let samples = 0; samples < 5; samples++) await sample(hub)
  const before = memoryOf(pid)
  const abuser = spawn(process.execPath, [floodProgram, flood, String(port), from], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    await refused(abuser)
    const [beganAtMs, cpuBeforeMs] = [performance.now(), cpuMsOf(pid)]
    let [lastAtMs, gapMs, residentMebibytes, privateMebibytes] = [beganAtMs, 0, 0, 0]
    while (performance.now() - beganAtMs < FLOOD_MS) {
      await sample(hub)
      const nowMs = performance.now()
      gapMs = Math.max(gapMs, nowMs - lastAtMs)
      lastAtMs = nowMs
      const now = memoryOf(pid)
      residentMebibytes = Math.max(residentMebibytes, now.residentMebibytes - before.residentMebibytes)
      privateMebibytes = Math.max(privateMebibytes, now.privateMebibytes - before.privateMebibytes)
      await wait(SECOND_MS)
    }
    const cpuPercent = ((cpuMsOf(pid) - cpuBeforeMs) / (performance.now() - beganAtMs)) * 100
    return { gapMs, residentMebibytes, privateMebibytes, cpuPercent }
  } finally {
    abuser.kill('SIGKILL')
    await once(abuser, 'exit')
  }
}

async function sample(hub: SshHub): Promise<void> {
  const { exitStatus } = await hub.shell(sampleRequest, { end: true })
  if (exitStatus !== 0) throw new Error('The agent gave no sample')
}

/** Resolves when the benchmark's flooding process prints its first output, which means that the agent has closed one of its connections. */
async function refused(abuser: ChildProcess): Promise<void> {
  if (abuser.stdout !== null) await once(abuser.stdout, 'data')
  abuser.stdout?.resume()
}
