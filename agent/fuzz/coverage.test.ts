import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'
import { nativeFolder } from '../../tools/native-agent.ts'

const FUZZ_SECONDS = process.env['VEDETTE_SOAK'] === undefined ? 30 : 3600
const MOST_MEBIBYTES = 512
const INPUT_BYTES = 8192
const triple = `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-gnu`

/** LLVM's SanitizerCoverage pass: it counts branches and records comparisons. The stable compiler has it too. */
const instrumented = [
  '--cfg fuzzing -C codegen-units=1 -C passes=sancov-module',
  '-C llvm-args=-sanitizer-coverage-level=4',
  '-C llvm-args=-sanitizer-coverage-inline-8bit-counters',
  '-C llvm-args=-sanitizer-coverage-pc-table',
  '-C llvm-args=-sanitizer-coverage-trace-compares',
].join(' ')

const crate = fileURLToPath(new URL('../native/fuzz', import.meta.url))
const isThere = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined
const lacks = ['cargo', 'c++'].find((program) => !isThere(program))
const unbuilt = existsSync(`${nativeFolder}/test-driver`) ? undefined : 'the native agent is not built'
const skip = unbuilt ?? (lacks === undefined ? false : `there is no ${lacks} here`)

async function run(program: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<string> {
  const child = spawn(program, args, { cwd: crate, env: { ...process.env, ...environment }, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-20_000)
  })
  const [status] = (await once(child, 'close')) as [number | null]
  assert.equal(status, 0, said)
  return said
}

const build = skip === false ? run('cargo', ['build', '--release', '--locked', '--target', triple], { RUSTFLAGS: instrumented }) : undefined

for (const target of ['ssh_connection', 'websocket_frames', 'http_response']) {
  test(
    `${target} survives every input that coverage-guided fuzzing generates`,
    { skip, timeout: (FUZZ_SECONDS + 1200) * 1000 },
    async () => {
      await build
      const found = mkdtempSync(join(tmpdir(), 'vedette-fuzz-'))
      // An input that crashes the target stays in that folder; the failure names it.
      const said = await run(join(crate, 'target', triple, 'release', target), [
        `-max_total_time=${FUZZ_SECONDS}`,
        `-max_len=${INPUT_BYTES}`,
        `-rss_limit_mb=${MOST_MEBIBYTES}`,
        `-artifact_prefix=${found}/`,
        found,
        join(crate, 'corpus', target),
      ])
      process.stdout.write(`${target}: ${/Done \d+ runs/.exec(said)?.[0] ?? ''}, ${readdirSync(found).length} inputs found\n`)
      assert.match(said, /Done \d+ runs/)
      rmSync(found, { recursive: true })
    },
  )
}
