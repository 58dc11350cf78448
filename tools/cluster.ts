import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { stopProgram, launchAgent, launchHub, listeningAddress, tokenFileIn, writeToken, type Child } from '../program/launched-programs.ts'
import { stopRequested } from '../hub/src/startup/stop-request.ts'
import { startPostgresServer } from '../hub/test/postgres-server.ts'
import { ensureAgent } from './build-agent.ts'
import { ensureHub } from './build-hub.ts'
import { ensureDashboard } from './dashboard.ts'
import { haproxyConfig } from './haproxy-config.ts'
import { programNamed } from './installed-programs.ts'
import { builtPrograms } from './built-programs.ts'
import { freePort } from './free-port.ts'

const STOP_WITHIN_MS = 3500
const names = ['a', 'b', 'c'] as const

/**
 * Text of a shell script that runs a server (its arguments are the server's command line). It stops the server on SIGTERM, and when its
 * standard input closes because the parent process was killed.
 */
const KEEPER = `exec 3<&0
"$@" </dev/null 3<&- & server=$!
{ read -r _ <&3; kill $server; } 2>/dev/null &
trap 'kill $server' TERM
wait $server`

const launchServer = (program: string, args: readonly string[], errors: 'ignore' | 'inherit'): ChildProcess =>
  spawn('/bin/sh', ['-c', KEEPER, 'keeper', program, ...args], { stdio: ['pipe', 'ignore', errors], detached: true })

const HELP = `npm run cluster -- [--listen HOST:PORT]

Starts three hubs, PostgreSQL, NATS and HAProxy on this machine, and an agent for it, for a trial. All of it is gone when it ends.
  --listen HOST:PORT  Address of HAProxy, 127.0.0.1:8090 by default.
`

const { values } = parseArgs({ options: { listen: { type: 'string', default: '127.0.0.1:8090' }, help: { type: 'boolean' } } })
if (values.help === true) process.stdout.write(HELP)
else process.exitCode = await runCluster(values.listen)

/**
 * Runs a local cluster for trying it out (database, NATS, HAProxy, several hubs), which is reached at the address `listen`. It runs until a
 * signal, or until a process other than a hub ends. Resolves with the exit status, 1 when NATS or HAProxy is not installed.
 */
async function runCluster(listen: string): Promise<number> {
  const nats = programNamed('nats-server')
  const haproxy = programNamed('haproxy')
  if (nats === undefined || haproxy === undefined) {
    const missing = [nats === undefined ? 'nats-server' : '', haproxy === undefined ? 'haproxy' : ''].filter((name) => name !== '')
    process.stderr.write(
      `Cannot start: ${missing.join(' and ')} must be installed, for example with "apt-get install ${missing.join(' ')}"\n`,
    )
    return 1
  }
  await ensureHub()
  await ensureDashboard()
  await ensureAgent()
  await using stack = new AsyncDisposableStack()
  const stopped = new AbortController()
  void stopRequested(process.env).then(() => stopped.abort())
  /**
   * Ties a child process (database, NATS, proxy, agent or hub) to the local trial cluster, so that it stops when the cluster stops. The
   * cluster stops when such a process ends, unless the process is a hub.
   */
  const tieToCluster = (process: ChildProcess, name: string): void => {
    const child: Child = { process, stopWithinMs: STOP_WITHIN_MS }
    process.on('exit', (status, signal) => {
      if (!stopped.signal.aborted) say(`${name} ended with ${signal ?? `status ${status}`}`)
      // The loss of a hub is what the trial is for.
      if (!name.startsWith('Hub')) stopped.abort()
    })
    stack.defer(() => stopProgram(child))
  }

  const folder = mkdtempSync(join(tmpdir(), 'vedette-cluster-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const database = stack.adopt(await startPostgresServer(), ({ stop }) => stop())
  const natsPort = await freePort()
  tieToCluster(launchServer(nats, ['--addr', '127.0.0.1', '--port', String(natsPort)], 'ignore'), 'NATS')
  const agentFolder = join(folder, 'agent')
  mkdirSync(agentFolder)
  const hubs: { readonly name: string; readonly address: string }[] = []
  const secretKey = randomBytes(32).toString('base64')
  for (const name of names) {
    const address = `127.0.0.1:${await freePort()}`
    const options = {
      listen: address,
      data: join(folder, name),
      database: database.url,
      nats: `nats://127.0.0.1:${natsPort}`,
      'hub-name': name,
      'secret-key': secretKey,
      'app-url': `http://${listen}`,
      'trusted-proxies': '127.0.0.1',
      'enroll-token-file': tokenFileIn(agentFolder),
      'log-level': 'warn',
    }
    const hub = launchHub(
      builtPrograms,
      Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]),
      {},
    )
    tieToCluster(hub, `Hub ${name}`)
    // One after the other: the first one makes the tables.
    if ((await listeningAddress(hub)) === undefined) return 1
    hubs.push({ name, address })
    say(`Hub ${name} listens on http://${address}, process ${hub.pid}`)
  }
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, haproxyConfig(listen, hubs))
  tieToCluster(launchServer(haproxy, ['-db', '-f', file], 'inherit'), 'HAProxy')
  await untilReachable(`http://${listen}/api/health`, stopped.signal)
  writeToken(agentFolder)
  tieToCluster(
    launchAgent(builtPrograms, { hubUrl: `http://${listen}`, keyFile: join(folder, 'a', 'id_ed25519.pub'), folder: agentFolder }),
    'The agent',
  )
  say(
    `\n  Three hubs are running behind http://${listen}\n  Open it and create the first admin. End one hub with kill -9, and watch.\n  Stop: Ctrl-C\n`,
  )
  if (!stopped.signal.aborted) await once(stopped.signal, 'abort')
  return 0
}

/** Requests the URL of HAProxy repeatedly and resolves when a hub responds behind it, or when `signal` aborts. */
async function untilReachable(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const status = await fetch(url, { signal }).then(
      (answer) => answer.status,
      () => undefined,
    )
    if (status === 200) return
    await wait(200)
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
