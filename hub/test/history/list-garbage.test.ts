import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

const program = new URL('../list-garbage-program.ts', import.meta.url).pathname

// A separate process, because the test runner's hooks keep promises alive.
test('objects of a list request are collected in the young generation, and none survives until a full collection', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 300_000 })
  assert.ok(Number(stdout) < 10_000, `a list leaves ${Math.round(Number(stdout))} bytes`)
})
