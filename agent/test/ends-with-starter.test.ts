import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { agentCommand } from './agent-host.ts'
import { hubKey } from './running-agent.ts'

/** The shell stands for npm: it starts the agent and waits for it. */
const STARTER = 'VEDETTE_ENDS_WITH=$$ "$@" & wait'

for (const [what, environment, skip] of [
  ['', {}, false],
  [' after it switched to another user', { RUN_AS: '65534' }, process.getuid?.() === 0 ? false : 'only root can become another user'],
] as const) {
  test(`agent ends when the process that started it is killed${what}`, { skip, timeout: 300_000 }, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'vedette-starter-'))
    await chmod(folder, 0o755)
    const env = { KEY: hubKey.publicLine, LISTEN: '127.0.0.1:0', DATA_DIR: folder, DOCKER_HOST: '', ...environment }
    const starter = spawn('sh', ['-c', STARTER, 'sh', ...agentCommand()], { env, stdio: ['ignore', 'ignore', 'pipe'], detached: true })
    // The agent of a failed test is still in the shell's process group.
    t.after(() => endGroup(starter.pid))
    // The agent holds the other end of the pipe, so the stream ends only when both shell and agent have ended.
    const ended = once(starter, 'close')
    for await (const line of createInterface({ input: starter.stderr })) {
      if (line.includes('Waiting for the hub over SSH')) starter.kill('SIGKILL')
    }
    assert.deepEqual(await ended, [null, 'SIGKILL'])
    await rm(folder, { recursive: true })
  })
}

function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL')
  } catch {
    // The process group is empty.
  }
}
