import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { ensureDashboard } from './dashboard.ts'
import { root } from './rules/source-tree.ts'

const flags = process.argv.slice(2)
const data = resolve(flagOf('--data') ?? process.env['VEDETTE_DATA'] ?? 'data')

/** How long a program may take to stop before it is ended. */
const STOP_WITHIN_MS = 12_000

if (flags.includes('--help')) spawn('node', [join(root, 'hub/src/main.ts'), '--help'], { stdio: 'inherit' })
else await start()

async function start(): Promise<void> {
  await ensureDashboard()
  const agentFolder = join(data, 'agent')
  const tokenFile = join(agentFolder, 'token')
  const children: ChildProcess[] = []
  let stopping = false

  const stop = (): void => {
    if (stopping) return
    stopping = true
    for (const child of children) end(child)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  process.on('SIGHUP', stop)

  const hub = launch(
    'hub/src/main.ts',
    [...flags, '--enroll-token-file', tokenFile],
    { VEDETTE_LOG_LEVEL: process.env['VEDETTE_LOG_LEVEL'] ?? 'warn' },
    'pipe',
  )
  children.push(hub)
  hub.on('exit', (status) => {
    stop()
    process.exitCode = status ?? 1
  })
  const address = await listening(hub)
  if (address === undefined || stopping) return
  writeToken(agentFolder, tokenFile)
  const agent = launch(
    'agent/src/main.ts',
    [],
    {
      VEDETTE_AGENT_HUB_URL: local(address),
      VEDETTE_AGENT_KEY_FILE: join(data, 'id_ed25519.pub'),
      VEDETTE_AGENT_TOKEN_FILE: tokenFile,
      VEDETTE_AGENT_DATA_DIR: agentFolder,
      VEDETTE_AGENT_DISABLE_SSH: 'true',
      VEDETTE_AGENT_LOG_LEVEL: process.env['VEDETTE_AGENT_LOG_LEVEL'] ?? 'warn',
    },
    'inherit',
  )
  children.push(agent)
  agent.on('exit', (status) => {
    if (!stopping) process.stderr.write(`The agent of this machine ended with status ${status ?? 'of a signal'}; the hub goes on\n`)
  })
  await welcome(address)
}

function launch(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  stdout: 'pipe' | 'inherit',
): ChildProcess {
  return spawn('node', [join(root, program), ...args], {
    stdio: ['ignore', stdout, 'inherit'],
    env: { ...process.env, NODE_NO_WARNINGS: '1', ...environment },
  })
}

/** The address of the hub's one line on standard output; `undefined` when it ends before it listens. */
function listening(hub: ChildProcess): Promise<string | undefined> {
  return new Promise((done) => {
    hub.on('exit', () => done(undefined))
    if (hub.stdout === null) return
    createInterface({ input: hub.stdout }).on('line', (line) => {
      const address = /https?:\/\/\S+/.exec(line)?.[0]
      if (address !== undefined) done(address)
      else process.stdout.write(`${line}\n`)
    })
  })
}

/** The token by which this machine's agent registers itself, once. The hub reads the file when an agent shows a token. */
function writeToken(folder: string, file: string): void {
  if (existsSync(file)) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(file, randomUUID(), { mode: 0o600, flag: 'wx' })
}

async function welcome(address: string): Promise<void> {
  const answer = await fetch(`${local(address)}/api/beszel/first-run`, { signal: AbortSignal.timeout(5000) })
  const { firstRun } = (await answer.json()) as { readonly firstRun?: boolean }
  const next = firstRun === true ? 'Open it and create the first admin.' : 'Open it and sign in.'
  process.stdout.write(
    `\n  Vedette is running at ${address}\n  ${next} This machine is on the list already.\n  Data: ${data}    Stop: Ctrl-C\n\n`,
  )
}

/** A hub that listens everywhere is reached from here by the loopback address. */
const local = (address: string): string => address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:').replace(/\/$/, '')

function end(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  const last = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
  child.on('exit', () => clearTimeout(last))
}

function flagOf(name: string): string | undefined {
  const at = flags.findIndex((flag) => flag === name || flag.startsWith(`${name}=`))
  const flag = flags[at]
  return flag?.includes('=') ? flag.slice(name.length + 1) : flags[at + 1]
}
