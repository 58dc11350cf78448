import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Sample } from '@vedette/protocol/metrics/sample'
import { agentCommand, agentHost } from './agent-host.ts'
import { hubKey } from './running-agent.ts'

function agentProcess(env: Readonly<Record<string, string>>, ...argv: readonly string[]) {
  const [program, ...first] = agentCommand()
  const child = spawn(program, [...first, ...argv], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const exited = once(child, 'close').then(([code]: unknown[]) => code)
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (output += piece.toString()))
  const said = (part: string): Promise<void> =>
    new Promise((resolve) => {
      const hear = (): void => {
        if (output.includes(part)) resolve()
      }
      child.stderr.on('data', hear)
      child.stdout.on('data', hear)
    })
  return { child, exited, said, text: () => output }
}

test('main ends with code 0 on SIGTERM', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-main-'))
  const { child, exited, said } = agentProcess({ KEY: hubKey.publicLine, LISTEN: '127.0.0.1:0', DATA_DIR: folder, DOCKER_HOST: '' })
  await said('Waiting for the hub over SSH')
  child.kill('SIGTERM')
  assert.equal(await exited, 0)
  await rm(folder, { recursive: true })
})

// The native host cannot load a probe; the guard's unit tests run there instead.
if (agentHost === 'node')
  test('main guards the prototype that every object inherits', async () => {
    const probe = join(import.meta.dirname, '..', '..', 'hub', 'test', 'frozen-prototype-probe.ts')
    const { exited, text } = agentProcess({ NODE_OPTIONS: `--require=${probe}` }, '--version')
    assert.equal(await exited, 0)
    assert.match(text(), /^program frozen$/m)
  })

test('main refuses to start and names the settings to correct', async () => {
  const { exited, said } = agentProcess({ LISTEN: 'nowhere' })
  await said('KEY or KEY_FILE')
  assert.equal(await exited, 1)
})

test('main refuses to start with a data folder that is not writable', async () => {
  const { exited, said } = agentProcess({ KEY: hubKey.publicLine, DATA_DIR: '/proc/none', LISTEN: '127.0.0.1:0', DOCKER_HOST: '' })
  await said('DATA_DIR: Cannot write to "/proc/none"')
  assert.equal(await exited, 1)
})

for (const name of ['fingerprint', 'ssh_host_ed25519_key']) {
  test(`main refuses to start with a new identity when its ${name} is unreadable, and keeps that file`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vedette-main-'))
    const path = join(folder, name)
    // Replaces the file by a folder, which even root cannot read.
    await mkdir(path)
    const { exited, text } = agentProcess({ KEY: hubKey.publicLine, DATA_DIR: folder, LISTEN: '127.0.0.1:0', DOCKER_HOST: '' })
    assert.equal(await exited, 1)
    assert.ok(text().includes(`Cannot read "${path}", by which hubs recognise this agent`))
    assert.deepEqual(await readdir(folder), [name])
    await rm(folder, { recursive: true })
  })
}

test('main health reports ok for a running agent, with or without a connected hub', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-main-'))
  const { child, exited, said } = agentProcess({ KEY: hubKey.publicLine, LISTEN: '127.0.0.1:0', DATA_DIR: folder, DOCKER_HOST: '' })
  await said('Waiting for the hub over SSH')
  const health = agentProcess({ DATA_DIR: folder }, 'health')
  assert.deepEqual([await health.exited, health.text()], [0, 'ok\n'])
  child.kill('SIGTERM')
  await exited
  await rm(folder, { recursive: true })
})

test('main prints --help and --version', async () => {
  const help = agentProcess({}, '--help')
  await help.said('--hub-url')
  assert.equal(await help.exited, 0)
  const version = agentProcess({}, '--version')
  await version.said('vedette-agent ')
  assert.equal(await version.exited, 0)
})

test('main doctor prints the findings and the cost of each collector, without a key or a hub', async () => {
  const { exited, said, text } = agentProcess({ DOCKER_HOST: '' }, 'doctor')
  await said('ok machine')
  assert.equal(await exited, 0)
  assert.match(text(), /^ok cpu +\S.* [\d.]+ ms$/m)
  assert.match(text(), /^ok memory /m)
})

test('main sample prints one sample as JSON with rates', async () => {
  const { exited, text } = agentProcess({ DOCKER_HOST: '' }, 'sample')
  assert.equal(await exited, 0)
  const sample = JSON.parse(text()) as Sample
  assert.ok(sample.memory && sample.memory.totalBytes > 0 && sample.cpu && sample.uptimeSeconds)
  assert.equal(sample.machine?.os, 'linux')
})

test('main refuses an unknown command and prints its name', async () => {
  const { exited, text } = agentProcess({ KEY: hubKey.publicLine }, 'heal')
  assert.equal(await exited, 1)
  assert.match(text(), /Unknown argument "heal"; --help lists all/)
})

for (const [typed, meant] of [
  ['docter', 'doctor'],
  ['--lisen=45876', '--listen'],
] as const)
  test(`main suggests the likely command for "${typed}"`, async () => {
    const { exited, text } = agentProcess({ KEY: hubKey.publicLine }, typed)
    assert.equal(await exited, 1)
    assert.match(text(), new RegExp(`Unknown argument "${typed}"; did you mean ${meant}\\?`))
  })
