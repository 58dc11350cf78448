import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LogLevel } from '../src/runtime.ts'
import { startAgent } from '../src/agent.ts'
import { readConfig } from '../src/config.ts'
import { nodeRuntime } from '../src/runtime-node.ts'

const keyFile = (name: string) => new URL(`../../protocol/vectors/agent/test-only-keys/${name}`, import.meta.url)

/** Keys that exist for tests only: agents here let the first in and refuse the second. */
export const hubKey = {
  publicLine: readFileSync(keyFile('hub_ed25519.pub'), 'utf8'),
  privateText: readFileSync(keyFile('hub_ed25519'), 'utf8'),
}
export const wrongKey = {
  publicLine: readFileSync(keyFile('wrong_ed25519.pub'), 'utf8'),
  privateText: readFileSync(keyFile('wrong_ed25519'), 'utf8'),
}

export type LogLine = { readonly level: LogLevel; readonly text: string }

/** An agent of this machine in this process, with a data folder of its own and without a container engine. */
export class RunningAgent {
  readonly dataFolder: string
  readonly lines: LogLine[] = []
  readonly exited: Promise<number>
  #stop: () => void = () => undefined
  #hears: (() => void)[] = []

  private constructor(dataFolder: string, env: Readonly<Record<string, string>>) {
    this.dataFolder = dataFolder
    const { promise, resolve } = Promise.withResolvers<number>()
    this.exited = promise
    const runtime = nodeRuntime({
      argv: [],
      env: { KEY: hubKey.publicLine, DATA_DIR: dataFolder, DOCKER_HOST: '', LOG_LEVEL: 'debug', ...env },
      logLine: (level, text) => {
        this.lines.push({ level, text })
        for (const hear of this.#hears.splice(0)) hear()
      },
      exit: resolve,
    })
    // A test's agent is stopped by the test; the test runner's own signals are not its business.
    const result = readConfig({ ...runtime, onSignal: () => undefined })
    if (result.kind !== 'run') throw new Error(`Cannot start the agent: ${JSON.stringify(result)}`)
    this.#stop = startAgent({ ...runtime, onSignal: () => undefined }, result.config).stop
  }

  static async start(env: Readonly<Record<string, string>>): Promise<RunningAgent> {
    return new RunningAgent(await mkdtemp(join(tmpdir(), 'vedette-agent-')), env)
  }

  /** The first line that holds `part`, now or when it comes. */
  async line(part: string): Promise<LogLine> {
    for (;;) {
      const found = this.lines.find(({ text }) => text.includes(part))
      if (found !== undefined) return found
      await new Promise<void>((resolve) => this.#hears.push(resolve))
    }
  }

  async sshPort(): Promise<number> {
    const { text } = await this.line('Waiting for the hub over SSH')
    return Number(/port (\d+)/.exec(text)?.[1])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop()
    await this.exited
    await rm(this.dataFolder, { recursive: true })
  }
}
