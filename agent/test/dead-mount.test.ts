import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

/** A program whose statfs never returns: opening a pipe without a writer blocks its thread as a dead mount does. */
const program = (pipe: string): string => `
import { open } from 'node:fs/promises'
import { nodeRuntime } from '${new URL('../src/runtime/node-runtime.ts', import.meta.url).href}'
const runtime = nodeRuntime({
  sizes: {
    mountInfo: () => '1 0 0:40 / / rw - nfs4 nas:/ rw',
    readLink: () => null,
    atOnce: () => null,
    offTheLoop: () => open('${pipe}', 'r').then(() => null),
    nowMs: () => 0,
  },
})
console.log(runtime.statfs('/'))
runtime.exit(0)
`

test('nodeRuntime: a dead mount blocks neither statfs nor the exit of the program', { timeout: 300_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-dead-mount-'))
  try {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const child = spawn(process.execPath, ['--input-type=module', '-e', program(pipe)], { stdio: ['ignore', 'pipe', 'inherit'] })
    const said: string[] = []
    child.stdout.on('data', (chunk) => said.push(String(chunk)))
    const [code, signal] = await once(child, 'close')
    assert.deepEqual([said.join('').trim(), code, signal], ['null', null, 'SIGKILL'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
