import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { stopRequested } from '../hub/src/startup/stop-request.ts'
import { ensureAgent } from './build-agent.ts'
import { ensureHub, hubBundle, hubEnvironment, hubNodeFlags } from './build-hub.ts'
import { ensureDashboard } from './dashboard.ts'
import { root } from './rules/source-tree.ts'

/** How long a program may take to stop before it is killed. The agent stops first; both end within 5 s. */
const STOP_WITHIN_MS = { agent: 1000, hub: 3500 }

/** The agent with the young generation that its own bundle has. */
const agentProgram = ['--max-semi-space-size=1', join(root, 'agent/src/main.ts')]

type Child = { readonly process: ChildProcess; readonly stopWithinMs: number }

const flags = process.argv.slice(2)
/** In the order in which they end. */
const children: Child[] = []
const stopping = new AbortController()
void stopRequested(process.env).then(() => stopping.abort())
stopping.signal.addEventListener('abort', () => void endInTurn())
await ensureHub()
await (flags.includes('--help') ? once(launchHub(['--help'], {}), 'exit') : start())

/** A hub, and an agent for this machine that registers itself with it; both end together. */
async function start(): Promise<void> {
  const data = dataDirectory()
  const agentFolder = join(data, 'agent')
  const tokenFile = join(agentFolder, 'token')
  await ensureDashboard()
  // For the machines that fetch theirs from this hub.
  await ensureAgent()
  const environment = { VEDETTE_LOG_LEVEL: process.env['VEDETTE_LOG_LEVEL'] ?? 'warn' }
  const hub = launchHub([...flags, '--enroll-token-file', tokenFile], environment)
  children.unshift({ process: hub, stopWithinMs: STOP_WITHIN_MS.hub })
  hub.on('exit', (status) => {
    process.exitCode = status ?? 1
    stopping.abort()
  })
  try {
    const address = await listening(hub)
    if (address === undefined || stopping.signal.aborted) return
    writeToken(agentFolder, tokenFile)
    const agent = launch(agentProgram, 'inherit', agentEnvironment(data, agentFolder, address))
    children.unshift({ process: agent, stopWithinMs: STOP_WITHIN_MS.agent })
    agent.on('exit', (status, signal) => {
      // Somebody asked it to stop, if by a signal before it could hear any. With anything else it failed.
      if (status === 0 || signal === 'SIGHUP' || signal === 'SIGINT' || signal === 'SIGTERM') stopping.abort()
      if (!stopping.signal.aborted) say(`The agent of this machine ended with ${signal ?? `status ${status}`}; the hub goes on`)
    })
    say(await welcome(address, data))
  } catch (error) {
    stopping.abort()
    throw error
  }
}

function dataDirectory(): string {
  const { values } = parseArgs({ args: flags, options: { data: { type: 'string' } }, strict: false, allowPositionals: true })
  return resolve(typeof values.data === 'string' ? values.data : (process.env['VEDETTE_DATA'] ?? 'data'))
}

/** Everything of this agent lives below the data directory; it opens no port and touches no other agent's files. */
function agentEnvironment(data: string, folder: string, address: string): Readonly<Record<string, string>> {
  return {
    VEDETTE_AGENT_HUB_URL: local(address),
    VEDETTE_AGENT_KEY_FILE: join(data, 'id_ed25519.pub'),
    VEDETTE_AGENT_TOKEN_FILE: join(folder, 'token'),
    VEDETTE_AGENT_DATA_DIR: folder,
    VEDETTE_AGENT_DISABLE_SSH: 'true',
    VEDETTE_AGENT_LOG_LEVEL: process.env['VEDETTE_AGENT_LOG_LEVEL'] ?? 'warn',
  }
}

function launchHub(args: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess {
  return launch([...hubNodeFlags, hubBundle, ...args], args[0] === '--help' ? 'inherit' : 'pipe', { ...hubEnvironment, ...environment })
}

function launch(args: readonly string[], output: 'pipe' | 'inherit', environment: Readonly<Record<string, string>>): ChildProcess {
  return spawn('node', args, {
    // The channel ends with this process, even when it is killed; the child then stops.
    stdio: ['ignore', output, 'inherit', 'ipc'],
    // In a session of its own: the signals of a terminal reach this process alone, which stops its children in turn.
    detached: true,
    env: { ...process.env, VEDETTE_ENDS_WITH: undefined, NODE_NO_WARNINGS: '1', ...environment },
  })
}

/** The address in the hub's first line; `undefined` when it ends before it listens. What else it says is passed on. */
function listening(hub: ChildProcess): Promise<string | undefined> {
  return new Promise((done) => {
    hub.on('exit', () => done(undefined))
    if (hub.stdout === null) return
    createInterface({ input: hub.stdout }).on('line', (line) => {
      const address = / listens on (\S+)/.exec(line)?.[1]
      if (address === undefined) say(line)
      else done(address)
    })
  })
}

/** The token by which this machine's agent registers itself, once. The hub reads the file when an agent shows a token. */
function writeToken(folder: string, file: string): void {
  if (existsSync(file)) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(file, randomUUID(), { mode: 0o600, flag: 'wx' })
}

async function welcome(address: string, data: string): Promise<string> {
  const answer = await fetch(`${local(address)}/api/beszel/first-run`, { signal: AbortSignal.timeout(5000) })
  const { firstRun } = (await answer.json()) as { readonly firstRun?: boolean } // a missing field only changes the words
  const next = firstRun === true ? 'Open it and create the first admin; this machine is on the list already.' : 'Open it and sign in.'
  return `\n  Vedette is running at ${address}\n  ${next}\n  Data: ${data}    Stop: Ctrl-C\n`
}

/** A hub that listens everywhere is reached from here by the loopback address. */
function local(address: string): string {
  return address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:').replace(/\/$/, '')
}

/** One after the other: an agent that outlived its hub would complain that it cannot connect. Ends this process when there are none yet. */
async function endInTurn(): Promise<void> {
  if (children.length === 0) process.exit(1)
  for (const child of children) await end(child)
}

async function end({ process: child, stopWithinMs }: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const last = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
  await ended
  clearTimeout(last)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
