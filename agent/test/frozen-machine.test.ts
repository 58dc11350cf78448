import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { readMachine } from '../src/fixtures/machine.ts'
import { recordedFiles, type Files } from '../src/fixtures/recorded-machine.ts'
import { agentCommand, agentHost } from './agent-host.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** Runs `sample` over a machine whose files do not change, so that no value depends on the time. */
async function sampleOf([program, ...args]: readonly [string, ...string[]], folder: string): Promise<string> {
  const env = {
    HOST_PROC: join(folder, 'proc'),
    HOST_SYS: join(folder, 'sys'),
    HOST_ETC: join(folder, 'etc'),
    SYS_SENSORS: join(folder, 'sys'),
    DOCKER_HOST: '',
    SKIP_SYSTEMD: 'true',
  }
  const { stdout } = await promisify(execFile)(program, [...args, 'sample'], { env })
  // The time comes from the clock, and the sizes of the filesystem at / from this machine.
  return stdout.replace(/"takenAtMs": \d+/, '').replace(/"rootDisk": \{.*?\n {2}\}/s, '')
}

const machines: Readonly<Record<string, Files>> = {
  'machine-1': recordedFiles('machine-1', 't0'),
  'machine-2': recordedFiles('machine-2', 't0'),
  ...Object.fromEntries(
    ['laptop', 'nas-with-many-disks', 'nvme-server-with-raid-and-zfs', 'lxc-guest'].map((name) => [name, readMachine(name).files]),
  ),
}

/** On a busy machine a reading may miss its timeout and be absent. A real difference between the hosts appears in every run. */
const MORE_SAMPLES = 4

// On Node there is no other host to compare with.
if (agentHost === 'native') {
  test('agent prints the same sample of frozen machines on this host as on Node, byte for byte', { timeout: 300_000 }, compareMachines)
}

async function compareMachines(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-frozen-'))
  for (const [name, files] of Object.entries(machines)) {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name, path)), { recursive: true })
      await writeFile(join(folder, name, path), content)
    }
    const place = join(folder, name)
    const sampleOnBoth = () => Promise.all([sampleOf(agentCommand(), place), sampleOf([process.execPath, main], place)])
    let [here, onNode] = await sampleOnBoth()
    for (let more = MORE_SAMPLES; here !== onNode && more > 0; more--) [here, onNode] = await sampleOnBoth()
    assert.match(here, /"totalBytes"/)
    assert.equal(here, onNode, name)
  }
  await rm(folder, { recursive: true })
}
