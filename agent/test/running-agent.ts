import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startAgent } from '../src/agent.ts'
import { readConfig } from '../src/config/config.ts'
import { nodeRuntime } from '../src/runtime/node-runtime.ts'
import { agentCommand, agentHost } from './agent-host.ts'

const keyFile = (name: string) => new URL(`../../protocol/vectors/agent/test-only-keys/${name}`, import.meta.url)

/** Test-only hub keys. Agents under test accept the first and refuse the second. */
export const hubKey = {
  publicLine: readFileSync(keyFile('hub_ed25519.pub'), 'utf8'),
  privateText: readFileSync(keyFile('hub_ed25519'), 'utf8'),
}
export const wrongKey = {
  publicLine: readFileSync(keyFile('wrong_ed25519.pub'), 'utf8'),
  privateText: readFileSync(keyFile('wrong_ed25519'), 'utf8'),
}

export type LogLine = { readonly level: string; readonly text: string }

/** Running agent, in this process or its own. */
type Started = { readonly stop: () => void; readonly exited: Promise<number> }

/** Agent of this machine for tests, with its own data folder and without a container engine. By default it runs on Node in this process. */
export class RunningAgent {
  readonly dataFolder: string
  readonly lines: LogLine[] = []
  readonly #started: Started
  #hears: (() => void)[] = []

  private constructor(dataFolder: string, env: Readonly<Record<string, string>>, place: 'any process' | 'own process') {
    this.dataFolder = dataFolder
    const environment = { KEY: hubKey.publicLine, DATA_DIR: dataFolder, DOCKER_HOST: '', LOG_LEVEL: 'debug', ...env }
    const heard = (line: LogLine): void => {
      this.lines.push(line)
      for (const hear of this.#hears.splice(0)) hear()
    }
    this.#started = agentHost === 'native' || place === 'own process' ? startProcess(environment, heard) : startInside(environment, heard)
  }

  static async start(env: Readonly<Record<string, string>>, place: 'any process' | 'own process' = 'any process'): Promise<RunningAgent> {
    return new RunningAgent(await mkdtemp(join(tmpdir(), 'vedette-agent-')), env, place)
  }

  get exited(): Promise<number> {
    return this.#started.exited
  }

  /** Resolves with the first log line that contains `part`. Rejects when the agent ends without it. */
  async line(part: string): Promise<LogLine> {
    for (;;) {
      const found = this.lines.find(({ text }) => text.includes(part))
      if (found !== undefined) return found
      const ended = await Promise.race([new Promise<void>((resolve) => this.#hears.push(resolve)), this.exited.then(() => true)])
      if (ended === true && this.lines.every(({ text }) => !text.includes(part)))
        throw new Error(`the agent ended before it said "${part}":\n${this.lines.map(({ text }) => text).join('\n')}`)
    }
  }

  async sshPort(): Promise<number> {
    const { text } = await this.line('Waiting for the hub over SSH')
    return Number(/(\d+)\D*$/.exec(text)?.[1])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#started.stop()
    await this.exited
    await rm(this.dataFolder, { recursive: true })
  }
}

type Environment = Readonly<Record<string, string>>

function startInside(env: Environment, heard: (line: LogLine) => void): Started {
  const { promise, resolve } = Promise.withResolvers<number>()
  const runtime = nodeRuntime({ argv: [], env, logLine: (level, text) => heard({ level, text }), exit: resolve })
  // The test stops its agent; signals belong to the test runner.
  const result = readConfig({ ...runtime, onSignal: () => undefined })
  if (result.kind !== 'run') throw new Error(`Cannot start the agent: ${JSON.stringify(result)}`)
  const { stop } = startAgent({ ...runtime, onSignal: () => undefined }, result.config)
  return { stop, exited: promise }
}

function startProcess(env: Environment, heard: (line: LogLine) => void): Started {
  const [program, ...args] = agentCommand()
  const child: ChildProcess = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  if (child.stderr === null) throw new Error('Cannot start the agent: it has no standard error')
  createInterface({ input: child.stderr }).on('line', (line) => {
    const [, level = '', text = ''] = /^\S+ ([A-Z]+) (.*)$/s.exec(line) ?? []
    heard({ level: level.toLowerCase(), text })
  })
  const exited = once(child, 'close').then(([code]: unknown[]) => Number(code))
  return { stop: () => child.kill('SIGTERM'), exited }
}
