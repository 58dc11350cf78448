import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/**
 * Command lines that start the two programs: the path of an executable file, and its first arguments. Both programs inherit the variables
 * of `environment`; the hub also gets those of `hubEnvironment`.
 */
export type ProgramCommands = {
  readonly hub: readonly string[]
  readonly agent: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  readonly hubEnvironment: Readonly<Record<string, string>>
}

/** Child process that is stopped with this process. It is killed when it does not stop within `stopWithinMs`. */
export type Child = { readonly process: ChildProcess; readonly stopWithinMs: number }

/** Starts a hub with these options and returns its process. Its standard output is a pipe, except for `--help`. */
export function launchHub(
  { hub, environment: inherited, hubEnvironment }: ProgramCommands,
  options: readonly string[],
  environment: Readonly<Record<string, string>>,
): ChildProcess {
  return launch([...hub, ...options], options[0] === '--help' ? 'inherit' : 'pipe', { ...inherited, ...hubEnvironment, ...environment })
}

/**
 * Starts an agent for this machine and returns its process. All its files are in its folder; it opens no port and touches no other agent's
 * files.
 */
export function launchAgent(
  { agent, environment }: ProgramCommands,
  { hubUrl, keyFile, folder }: { readonly hubUrl: string; readonly keyFile: string; readonly folder: string },
): ChildProcess {
  return launch(agent, 'inherit', {
    ...environment,
    VEDETTE_AGENT_HUB_URL: hubUrl,
    VEDETTE_AGENT_KEY_FILE: keyFile,
    VEDETTE_AGENT_TOKEN_FILE: tokenFileIn(folder),
    VEDETTE_AGENT_DATA_DIR: folder,
    VEDETTE_AGENT_DISABLE_SSH: 'true',
    VEDETTE_AGENT_LOG_LEVEL: environment['VEDETTE_AGENT_LOG_LEVEL'] ?? 'warn',
  })
}

function launch([program = '', ...args]: readonly string[], output: 'pipe' | 'inherit', environment: NodeJS.ProcessEnv): ChildProcess {
  return spawn(program, args, {
    // The channel ends with this process, even when it is killed; the child then stops.
    stdio: ['ignore', output, 'inherit', 'ipc'],
    // In a session of its own: the signals of a terminal reach this process alone, which stops its children in turn.
    detached: true,
    env: { ...environment, VEDETTE_ENDS_WITH: undefined, NODE_NO_WARNINGS: '1' },
  })
}

/**
 * Resolves with the address in the line `… listens on ADDRESS` of the hub's output; `undefined` when the hub ends before. All other lines
 * are copied to this process's standard output.
 */
export function listeningAddress(hub: ChildProcess): Promise<string | undefined> {
  return new Promise((done) => {
    hub.on('exit', () => done(undefined))
    if (hub.stdout === null) return
    createInterface({ input: hub.stdout }).on('line', (line) => {
      const address = / listens on (\S+)/.exec(line)?.[1]
      if (address === undefined) process.stdout.write(`${line}\n`)
      else done(address)
    })
  })
}

/**
 * Creates a file with a random token in `folder`, unless it exists. This machine's agent sends the token to register once, and the hub
 * compares it with the file.
 */
export function writeToken(folder: string): void {
  const file = tokenFileIn(folder)
  if (existsSync(file)) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(file, randomUUID(), { mode: 0o600, flag: 'wx' })
}

export const tokenFileIn = (folder: string): string => join(folder, 'token')

/** Stops a program with SIGTERM, and kills it when it does not end in time. */
export async function stopProgram({ process: child, stopWithinMs }: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const last = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
  await ended
  clearTimeout(last)
}
