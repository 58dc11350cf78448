import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { root } from '../tools/rules/source-tree.ts'

/**
 * Functions of a child process of a test that runs the hub, the agent or another script. They wait for output or the end, read errors, and
 * stop it.
 */
export type Program = {
  readonly pid: number
  /** Returns the text that the child process has written to standard output and error so far. */
  readonly output: () => string
  /** Returns the text that the child process has written to standard error so far. */
  readonly errors: () => string
  /**
   * Resolves with the first (or `nth`, from 1) line of standard output or error that matches the regular expression. Rejects when the
   * program ends before.
   */
  readonly line: (fits: RegExp, nth?: number) => Promise<string>
  /** Waits for the program's end and resolves with its exit status; `null` after a signal. */
  readonly ended: () => Promise<number | null>
  /** Sends a signal (SIGTERM by default), waits for the program's end, and resolves with its exit status; `null` after a signal. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

export type ProgramOptions = {
  readonly args?: readonly string[]
  /** Command line flags for Node.js, such as `--expose-gc`, which come before the path of the script that a test starts. */
  readonly nodeFlags?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

/**
 * Starts a script with Node in a child process and returns it. `script` is a path relative to the project, or absolute. Only `PATH` and
 * `HOME` of the test's environment variables are passed on.
 */
export function startProgram(script: string, { args = [], nodeFlags = [], environment = {} }: ProgramOptions = {}): Program {
  return followed(
    spawn(process.execPath, [...nodeFlags, resolve(root, script), ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: process.env['HOME'] ?? '',
        NODE_NO_WARNINGS: '1',
        // As in the npm scripts: compiled code is cached between runs.
        NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'vedette'),
        ...environment,
      },
    }),
  )
}

/** Starts an executable file in its own folder, without any environment variable, and returns its process. */
export const startExecutable = (path: string, args: readonly string[]): Program =>
  followed(spawn(path, args, { cwd: dirname(path), stdio: ['ignore', 'pipe', 'pipe'], env: {} }))

/** Starts a command line of bash in a folder, with exactly these environment variables, and returns its process. */
export const startCommandLine = (
  line: string,
  { folder, environment }: { readonly folder: string; readonly environment: Readonly<Record<string, string>> },
): Program => followed(spawn('bash', ['-c', line], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env: environment }))

function followed(child: ChildProcessByStdio<null, Readable, Readable>): Program {
  const lines: string[] = []
  const errors: string[] = []
  const waiting = new Set<() => void>()
  const take = (line: string): void => {
    lines.push(line)
    for (const check of waiting) check()
  }
  createInterface({ input: child.stdout }).on('line', take)
  createInterface({ input: child.stderr }).on('line', (line) => {
    errors.push(line)
    take(line)
  })
  const ended = once(child, 'exit')
  return {
    pid: child.pid ?? 0,
    output: () => lines.join('\n'),
    errors: () => errors.join('\n'),
    line: (fits, nth = 1) => nthLine({ fits, nth, lines, waiting, child, errors }),
    async ended() {
      if (child.exitCode === null && child.signalCode === null) await ended
      return child.exitCode
    },
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal)
        await ended
      }
      return child.exitCode
    },
  }
}

type Watch = {
  readonly fits: RegExp
  readonly nth: number
  readonly lines: readonly string[]
  readonly waiting: Set<() => void>
  readonly child: ChildProcess
  readonly errors: readonly string[]
}

function nthLine({ fits, nth, lines, waiting, child, errors }: Watch): Promise<string> {
  return new Promise((resolve, reject) => {
    const check = (): void => {
      const found = lines.filter((line) => fits.test(line))[nth - 1]
      if (found === undefined) return
      waiting.delete(check)
      resolve(found)
    }
    child.on('close', () => reject(new Error(`ended before it said ${String(fits)}:\n${errors.join('\n')}`)))
    waiting.add(check)
    check()
  })
}

/** Creates a temporary folder for a test and returns its path; disposing the result removes it. */
export function scratchFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'vedette-e2e-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
