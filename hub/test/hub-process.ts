import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { compiledSources } from './compiled-sources.ts'

/** A hub as a process of its own. */
export type HubProcess = {
  readonly address: string
  readonly pid: number
  /** Resolves with the exit status, or the name of the signal that ended it. */
  readonly ended: Promise<number | string>
  readonly kill: (signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT') => void
  /** Its standard error so far. */
  readonly complaints: () => string
}

const main = join(import.meta.dirname, '..', 'src', 'main.ts')
const START_TIMEOUT_MS = 120_000
/** Flag of the hub's program too: after a minute the hub loads `node:ffi`, of which Node.js would warn on its standard error. */
const NO_WARNING = '--disable-warning=ExperimentalWarning'

/** Starts a hub on a free port and waits until it listens. Rejects with its output when it exits before. `program`: another build. */
export async function startHubProcess(
  flags: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  program = main,
): Promise<HubProcess> {
  const child = spawn(process.execPath, [NO_WARNING, program, '--listen', '127.0.0.1:0', '--log-level', 'error', ...flags], {
    env: { PATH: process.env['PATH'], ...compiledSources, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  let complained = ''
  child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString('utf8')))
  const ended = once(child, 'exit').then(([status, signal]: (number | string | null)[]) => status ?? signal ?? '')
  const listening = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8')
      const [, address] = /listens on (\S+)\n/.exec(said) ?? []
      if (address !== undefined) resolve(address)
    })
  })
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    child.kill('SIGKILL')
    reject(new Error(`The hub does not listen after ${START_TIMEOUT_MS} ms: ${complained}`))
  }, START_TIMEOUT_MS)
  const early = ended.then((status) => Promise.reject(new Error(`The hub ended with ${status}: ${complained}`)))
  early.catch(() => {})
  const address = await Promise.race([listening, early, late]).finally(() => clearTimeout(timer))
  return { address, pid: child.pid ?? 0, ended, kill: (signal) => child.kill(signal), complaints: () => complained }
}

/** Runs a hub that is expected to refuse: its exit status and its complaints. `uid`: another account, which only root can choose. */
export async function refusedHub(flags: readonly string[], environment: Readonly<Record<string, string>> = {}, uid?: number) {
  const child = spawn(process.execPath, [main, ...flags], {
    env: { PATH: process.env['PATH'], ...compiledSources, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(uid === undefined ? {} : { uid }),
  })
  let complained = ''
  child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString('utf8')))
  const [status]: (number | null)[] = await once(child, 'close', { signal: AbortSignal.timeout(START_TIMEOUT_MS) })
  return { status, complaints: complained.split('\n').filter((line) => line !== '') }
}
