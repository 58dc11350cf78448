import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { stopRequested } from '../hub/src/startup/stop-request.ts'
import {
  launchAgent,
  launchHub,
  listeningAddress,
  stopProgram,
  tokenFileIn,
  writeToken,
  type Child,
  type ProgramCommands,
} from './launched-programs.ts'

/**
 * Times in ms after which `vedette start` kills the agent and the hub if they have not stopped: 1 s and 3.5 s. The agent stops first; both
 * are gone within 5 s.
 */
const STOP_WITHIN_MS = { agent: 1000, hub: 3500 }

/**
 * Runs `vedette start`: starts a hub with these options, and an agent that registers this machine with it, as child processes. A signal
 * stops the agent, then the hub. When the hub ends, all ends with the hub's exit status; when the agent fails, the hub keeps running.
 */
export async function startBoth(options: readonly string[], commands: ProgramCommands): Promise<void> {
  if (options.includes('--help')) return void (await once(launchHub(commands, ['--help'], {}), 'exit'))
  const children: Child[] = []
  const stopping = new AbortController()
  void stopRequested(commands.environment).then(() => stopping.abort())
  stopping.signal.addEventListener('abort', () => void endInTurn(children))
  const data = dataDirectory(options, commands.environment)
  const agentFolder = join(data, 'agent')
  const environment = { VEDETTE_LOG_LEVEL: commands.environment['VEDETTE_LOG_LEVEL'] ?? 'warn' }
  const hub = launchHub(commands, [...options, '--enroll-token-file', tokenFileIn(agentFolder)], environment)
  children.unshift({ process: hub, stopWithinMs: STOP_WITHIN_MS.hub })
  hub.on('exit', (status) => {
    process.exitCode = status ?? 1
    stopping.abort()
  })
  try {
    const address = await listeningAddress(hub)
    if (address === undefined || stopping.signal.aborted) return
    writeToken(agentFolder)
    const agent = launchAgent(commands, { hubUrl: loopbackAddress(address), keyFile: join(data, 'id_ed25519.pub'), folder: agentFolder })
    children.unshift({ process: agent, stopWithinMs: STOP_WITHIN_MS.agent })
    agent.on('exit', (status, signal) => {
      // A signal before its handler was installed is a normal stop too; any other end is a failure.
      if (status === 0 || signal === 'SIGHUP' || signal === 'SIGINT' || signal === 'SIGTERM') stopping.abort()
      if (!stopping.signal.aborted) say(`The agent of this machine ended with ${signal ?? `status ${status}`}; the hub goes on`)
    })
    say(await welcome(address, data))
  } catch (error) {
    stopping.abort()
    throw error
  }
}

function dataDirectory(options: readonly string[], environment: NodeJS.ProcessEnv): string {
  const { values } = parseArgs({ args: [...options], options: { data: { type: 'string' } }, strict: false, allowPositionals: true })
  return resolve(typeof values.data === 'string' ? values.data : (environment['VEDETTE_DATA'] ?? 'data'))
}

async function welcome(address: string, data: string): Promise<string> {
  const answer = await fetch(`${loopbackAddress(address)}/api/beszel/first-run`, { signal: AbortSignal.timeout(5000) })
  const { firstRun } = (await answer.json()) as { readonly firstRun?: boolean } // a missing field only changes the words
  const next = firstRun === true ? 'Open it and create the first admin; this machine is on the list already.' : 'Open it and sign in.'
  return `\n  Vedette is running at ${address}\n  ${next}\n  Data: ${data}    Stop: Ctrl-C\n`
}

/**
 * Takes the address on which the hub listens and returns it as the agent on the same machine uses it. `0.0.0.0` or `[::]` becomes the
 * loopback address, and a slash at the end is removed.
 */
function loopbackAddress(address: string): string {
  return address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:').replace(/\/$/, '')
}

/**
 * Stops the child processes one after the other in the list's order (SIGTERM, later kill), so that no agent outlives its hub and logs
 * connection errors. With an empty list, this process ends with status 1.
 */
async function endInTurn(children: readonly Child[]): Promise<void> {
  if (children.length === 0) process.exit(1)
  for (const child of children) await stopProgram(child)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
