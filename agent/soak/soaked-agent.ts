import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { memoryOf } from '../../bench/process-figures.ts'
import { nativeAgent } from '../../tools/native-agent.ts'
import { hubKey } from '../test/running-agent.ts'

/**
 * Native agent that a soak test runs in a process of its own, with a temporary data folder. Disposing it stops the agent and removes the
 * folder.
 */
export type SoakedAgent = AsyncDisposable & {
  readonly residentMebibytes: () => number
  readonly privateMebibytes: () => number
  /**
   * Resolves with the first line of the agent's log, past or future, that matches the regular expression. Rejects when the agent's process
   * ends first.
   */
  readonly line: (fits: RegExp) => Promise<string>
  /** Throws an Error, with the last lines of the agent's log, if the agent's process has ended. */
  readonly assertAlive: () => void
}

export function startSoakedAgent(options: Readonly<Record<string, string>>): SoakedAgent {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-soak-'))
  const child = spawn(nativeAgent(process.arch), [], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { KEY: hubKey.publicLine.trim(), DATA_DIR: folder, DOCKER_HOST: '', SKIP_SYSTEMD: 'true', LOG_LEVEL: 'info', ...options },
  })
  const said: string[] = []
  const waiting = new Set<() => void>()
  createInterface({ input: child.stderr }).on('line', (line) => {
    said.push(line)
    if (said.length > 50) said.shift()
    for (const look of waiting) look()
  })
  const assertAlive = (): void => {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`The agent ended with ${child.exitCode ?? child.signalCode}: ${said.join('\n')}`)
    }
  }
  return {
    residentMebibytes: () => memoryOf(child.pid ?? 0).residentMebibytes,
    privateMebibytes: () => memoryOf(child.pid ?? 0).privateMebibytes,
    assertAlive,
    line: (fits) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = said.find((line) => fits.test(line))
          if (found === undefined) return
          waiting.delete(look)
          resolve(found)
        }
        child.once('close', () => reject(new Error(`ended before it said ${String(fits)}: ${said.join('\n')}`)))
        waiting.add(look)
        look()
      }),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
      }
      rmSync(folder, { recursive: true })
    },
  }
}

/** Resolves with the port of the agent's SSH server, as the agent logs it once it listens. */
export async function sshPortOf(agent: SoakedAgent): Promise<number> {
  const [, port] = /(\d+)\D*$/.exec(await agent.line(/Waiting for the hub over SSH/)) ?? []
  return Number(port)
}
