import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { hubKey } from './running-agent.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

function agentProcess(env: Readonly<Record<string, string>>, ...argv: readonly string[]) {
  const child = spawn(process.execPath, [main, ...argv], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const exited = once(child, 'exit').then(([code]: unknown[]) => code)
  const said = (part: string): Promise<void> =>
    new Promise((resolve) => {
      const hear = (piece: Buffer): void => {
        output += piece.toString()
        if (output.includes(part)) resolve()
      }
      child.stderr.on('data', hear)
      child.stdout.on('data', hear)
    })
  return { child, exited, said }
}

test('main ends with code 0 on SIGTERM', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-main-'))
  const { child, exited, said } = agentProcess({ KEY: hubKey.publicLine, LISTEN: '127.0.0.1:0', DATA_DIR: folder, DOCKER_HOST: '' })
  await said('Waiting for the hub over SSH')
  child.kill('SIGTERM')
  assert.equal(await exited, 0)
  await rm(folder, { recursive: true })
})

test('main refuses to start and names what to put right', async () => {
  const { exited, said } = agentProcess({ LISTEN: 'nowhere' })
  await said('KEY or KEY_FILE')
  assert.equal(await exited, 1)
})

test('main refuses a data folder it cannot write to', async () => {
  const { exited, said } = agentProcess({ KEY: hubKey.publicLine, DATA_DIR: '/proc/none', LISTEN: '127.0.0.1:0', DOCKER_HOST: '' })
  await said('DATA_DIR: Cannot write to "/proc/none"')
  assert.equal(await exited, 1)
})

test('main answers --help and --version', async () => {
  const help = agentProcess({}, '--help')
  await help.said('--hub-url')
  assert.equal(await help.exited, 0)
  const version = agentProcess({}, '--version')
  await version.said('vedette-agent ')
  assert.equal(await version.exited, 0)
})
