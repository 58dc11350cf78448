import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'

const SECONDS = process.env['VEDETTE_SOAK'] === '1' ? 3600 : process.env['VEDETTE_LONG'] === '1' ? 30 : 3
/** An input that hangs the target also hangs the fuzzer, so this process kills it after a timeout. */
const GRACE_SECONDS = 60

async function fuzzed(target: string, seconds: number, seed: number) {
  const fuzzer = join(import.meta.dirname, 'run-fuzzer.ts')
  // No compile cache: V8 measures coverage only of code that it compiles itself.
  const child = spawn(process.execPath, [fuzzer, target, String(seconds), String(seed)], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: (seconds + GRACE_SECONDS) * 1000,
    killSignal: 'SIGKILL',
  })
  const [said, complained, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { said: said + complained, status: status as unknown, runs: Number(/: (\d+) runs/.exec(said)?.[1]) }
}

test('fuzzer finds a word letter by letter, which random input would not find', { timeout: 300_000 }, async () => {
  const { said, status } = await fuzzed('planted', 60, 1)
  assert.equal(status, 1, said)
  assert.match(said, /^fault: 636f7665/m)
})

for (const target of ['cbor', 'json'])
  test(`readers of ${target} neither throw nor take long for any bytes`, { timeout: (SECONDS + 2 * GRACE_SECONDS) * 1000 }, async (t) => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const { said, status, runs } = await fuzzed(target, SECONDS, seed)
    t.diagnostic(said.trim())
    assert.equal(status, 0, said)
    assert.ok(runs > 1000, said)
  })
