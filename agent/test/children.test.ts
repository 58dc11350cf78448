import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { test } from 'node:test'
import { startAgent } from '../src/agent.ts'
import { readConfig } from '../src/config/config.ts'
import { nodeRuntime } from '../src/runtime/node-runtime.ts'
import type { Runtime } from '../src/runtime/runtime.ts'
import { hubKey } from './running-agent.ts'

/** Yields to the event loop until the condition holds. The time limit of the test ends it otherwise. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setImmediate()
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('startAgent leaves no program running when it stops', { timeout: 300_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-children-'))
  const at = (...parts: readonly string[]): string => join(folder, ...parts)
  await mkdir(at('proc', 'driver', 'nvidia'), { recursive: true })
  await writeFile(at('proc', 'driver', 'nvidia', 'version'), 'NVRM version: 1\n')
  await mkdir(at('programs'))
  // Its PATH contains only the folder of programs.
  const script = `#!/bin/sh\necho "$$" > ${at('pid')}\nexec /bin/sleep 600\n`
  await writeFile(at('programs', 'nvidia-smi'), script)
  await chmod(at('programs', 'nvidia-smi'), 0o755)
  let exitCode: number | undefined
  const timers = new Set<number>()
  const node = nodeRuntime({
    programFolders: [at('programs')],
    env: {
      KEY: hubKey.publicLine,
      LISTEN: '127.0.0.1:0',
      DATA_DIR: at('data'),
      HOST_PROC: at('proc'),
      SKIP_SYSTEMD: 'true',
      DOCKER_HOST: '',
    },
    argv: [],
    logLine: () => undefined,
    exit: (code) => {
      exitCode = code
    },
  })
  // A real agent's process would have ended; the test's process continues.
  const runtime: Runtime = {
    ...node,
    timer: (id, ms) => {
      if (exitCode === undefined || ms < 0) node.timer(id, ms)
      if (exitCode === undefined) timers.add(id)
    },
  }
  const read = readConfig(runtime)
  assert.ok(read.kind === 'run')
  const agent = startAgent(runtime, read.config)
  await until(() => existsSync(at('pid')) && readFileSync(at('pid'), 'utf8').endsWith('\n'))
  const pid = Number(readFileSync(at('pid'), 'utf8'))
  assert.ok(isAlive(pid))
  agent.stop()
  await until(() => exitCode !== undefined && !isAlive(pid))
  assert.equal(exitCode, 0)
  for (const id of timers) node.timer(id, -1)
  await rm(folder, { recursive: true })
})
