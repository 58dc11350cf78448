import { spawn } from 'node:child_process'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { scratchFolder } from '../../e2e/programs.ts'
import { root } from '../../tools/rules/source-tree.ts'
import type { Row } from '../row.ts'
import { freePort } from '../../tools/free-port.ts'

const GIVE_UP_MS = 300_000

/**
 * Benchmark of a fresh clone: time of `npm start` until the hub responds. It first starts without installed packages (but with a warm
 * package cache), then a second time with them.
 */
export const freshClone: Row = {
  id: 'F1',
  what: 'fresh clone: npm start until the hub answers; second start',
  async measure() {
    using folder = scratchFolder()
    const clone = join(folder.path, 'vedette')
    execFileSync('git', ['clone', '--quiet', root, clone])
    const first = await startOnce(clone)
    const second = await startOnce(clone)
    return [
      { name: 'first start', value: first, unit: 's', bar: 120 },
      { name: 'second start', value: second, unit: 's', bar: 3 },
    ]
  },
}

async function startOnce(clone: string): Promise<number> {
  const port = await freePort()
  const startedAtMs = Date.now()
  // Removes the folders that npm added to the PATH, because they belong to this checkout and not to the clone.
  const path = (process.env['PATH'] ?? '')
    .split(':')
    .filter((one) => !one.includes('node_modules'))
    .join(':')
  const npm = spawn('npm', ['start', '--', '--listen', `127.0.0.1:${port}`], {
    cwd: clone,
    stdio: 'ignore',
    detached: true,
    env: { PATH: path, HOME: process.env['HOME'] },
  })
  try {
    while (!(await answers(port))) {
      if (Date.now() - startedAtMs > GIVE_UP_MS || npm.exitCode !== null) throw new Error('npm start does not lead to a hub that answers')
      await wait(50)
    }
    return (Date.now() - startedAtMs) / 1000
  } finally {
    // Ctrl-C in a terminal reaches the whole group.
    if (npm.pid !== undefined && npm.exitCode === null) {
      process.kill(-npm.pid, 'SIGINT')
      await once(npm, 'exit')
    }
  }
}

async function answers(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/api/health`, { signal: AbortSignal.timeout(1000) })).ok
  } catch {
    // Nothing listens on the port yet.
    return false
  }
}
