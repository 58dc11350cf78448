import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { testedHost } from './tested-host.ts'

const skip = process.getuid?.() === 0 ? false : 'only root gives a process mounts of its own'

test('readText returns the current mount table, with mounts added since the last read', { skip, timeout: 300_000 }, async () => {
  await using tested = await testedHost()
  const script = 'echo ready; read _; mount -t tmpfs vedette-mounted-since /mnt; echo mounted; read _'
  const child = spawn('unshare', ['--mount', 'sh', '-ec', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'close')
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const isMounted = async () => (await tested.runtime.readText(`/proc/${child.pid}/mountinfo`))?.includes('vedette-mounted-since')
  assert.equal((await lines.next()).value, 'ready')
  assert.deepEqual([await isMounted(), await isMounted()], [false, false])
  child.stdin.write('\n')
  assert.equal((await lines.next()).value, 'mounted')
  assert.deepEqual([await isMounted(), await isMounted()], [true, true])
  child.stdin.end()
  await exited
})
