import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/**
 * Command lines that start hub and agent: each a list of the executable's path and its first arguments. Both programs get the environment
 * variables `environment`; the hub also gets `hubEnvironment`.
 */
export type ProgramCommands = {
  readonly hub: readonly string[]
  readonly agent: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  readonly hubEnvironment: Readonly<Record<string, string>>
}

/**
 * Hub or agent as a child process of `vedette start`, which stops it when it ends itself. `stopWithinMs`: time in ms after SIGTERM after
 * which the child is killed.
 */
export type Child = { readonly process: ChildProcess; readonly stopWithinMs: number }

/**
 * Starts a hub with these command line options and returns its process. Its standard output is a pipe, in which the address is searched;
 * with `--help` it is this process's own.
 */
export function launchHub(
  { hub, environment: inherited, hubEnvironment }: ProgramCommands,
  options: readonly string[],
  environment: Readonly<Record<string, string>>,
): ChildProcess {
  return launch([...hub, ...options], options[0] === '--help' ? 'inherit' : 'pipe', { ...inherited, ...hubEnvironment, ...environment })
}

/**
 * Starts an agent that monitors this machine, and returns its process. It connects to the hub at `hubUrl`, whose public key is in
 * `keyFile`. Its files are all in `folder`, and it opens no port, so it cannot disturb another agent.
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
 * Reads the hub's standard output and resolves with the address in its line `… listens on ADDRESS`; `undefined` when the hub ends before.
 * All other lines are copied to this process's standard output.
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
 * Creates a file with a random enrolment token in `folder`, unless it exists. The agent started beside the hub sends this token once to
 * register this machine, and the hub compares it with the file.
 */
export function writeToken(folder: string): void {
  const file = tokenFileIn(folder)
  if (existsSync(file)) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(file, randomUUID(), { mode: 0o600, flag: 'wx' })
}

export const tokenFileIn = (folder: string): string => join(folder, 'token')

/** Sends SIGTERM to a child process and resolves when it has ended. After its `stopWithinMs`, it is killed. */
export async function stopProgram({ process: child, stopWithinMs }: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const last = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
  await ended
  clearTimeout(last)
}
