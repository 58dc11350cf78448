import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

const program = new URL('../list-garbage-program.ts', import.meta.url).pathname

// In a process of its own: what watches a test keeps its promises.
test('what a list is made of goes with the young: nothing of it waits until everything is collected', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 120_000 })
  assert.ok(Number(stdout) < 10_000, `a list leaves ${Math.round(Number(stdout))} bytes`)
})
