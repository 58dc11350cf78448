import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { decodeDocument } from '@vedette/protocol/wire/document-decode'
import { decodeEnvelope } from '@vedette/protocol/wire/envelope'
import type { Sample } from '@vedette/protocol/metrics/sample'
import { agentCommand } from './agent-host.ts'
import { hubKey } from './running-agent.ts'
import { ScriptedHub, signToken, type AgentConnection } from './scripted-hub.ts'

const TOKEN = 'test-token'
const canMount = process.getuid?.() === 0 && existsSync('/dev/fuse')
const skip = canMount ? false : 'only root with /dev/fuse can mount a filesystem that never answers'

/**
 * Mounts a FUSE filesystem that never responds, fuse(4), in a separate namespace. It ends with the last process that holds descriptor 9.
 */
const MOUNT = `exec 9<>/dev/fuse
mount --make-rprivate /
mount -t fuse -o fd=9,rootmode=40000,user_id=0,group_id=0 vedette-hung "$0"
exec "$@"`

async function scene() {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-hung-'))
  const at = (...parts: readonly string[]): string => join(folder, ...parts)
  for (const path of [at('hung'), at('data'), at('sys', 'class', 'hwmon', 'hwmon0'), at('sys', 'class', 'hwmon', 'hwmon1')])
    await mkdir(path, { recursive: true })
  const sensors: Readonly<Record<string, string>> = {
    'hwmon0/name': 'steady\n',
    'hwmon0/temp1_input': '45000\n',
    'hwmon0/fan1_input': '900\n',
    'hwmon1/name': 'nvme\n',
  }
  for (const [name, text] of Object.entries(sensors)) await writeFile(at('sys', 'class', 'hwmon', name), text)
  // Opening these files blocks until the program behind the mount responds, like a driver that waits for its device.
  for (const name of ['temp1_input', 'fan1_input']) await symlink(at('hung', name), at('sys', 'class', 'hwmon', 'hwmon1', name))
  await symlink(at('hung', 'films'), at('films'))
  return { at, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

async function nextSample(connection: AgentConnection, id: number): Promise<Sample> {
  connection.send({ id, request: { action: 'data', cacheTimeMs: id, includeDetails: false } })
  const envelope = decodeEnvelope(await connection.receive(), 'document')
  assert.ok(envelope.ok && envelope.reply.kind === 'document', JSON.stringify(envelope))
  const document = decodeDocument(envelope.reply.document)
  assert.ok(document.ok)
  return document.sample
}

test('agent loses only the values of a mount and sensors that never respond', { skip, timeout: 300_000 }, async () => {
  await using place = await scene()
  await using hub = await ScriptedHub.start()
  const env = {
    PATH: process.env['PATH'],
    KEY: hubKey.publicLine,
    HUB_URL: hub.url,
    TOKEN,
    LISTEN: '127.0.0.1:0',
    DATA_DIR: place.at('data'),
    DOCKER_HOST: '',
    EXCLUDE_SMART: '*',
    SKIP_SYSTEMD: 'true',
    // On a busy machine the healthy sensor responds late, too.
    SENSORS_TIMEOUT: '10s',
    SYS_SENSORS: place.at('sys'),
    EXTRA_FILESYSTEMS: `${place.at('hung')}__mounted,${place.at('films')}__linked,/dev/shm__local`,
  }
  const agent = spawn('unshare', ['--mount', 'sh', '-ec', MOUNT, place.at('hung'), ...agentCommand()], { env, stdio: 'ignore' })
  const exited = once(agent, 'exit')
  try {
    const connection = await hub.agent()
    const signature = signToken(hubKey.privateText, TOKEN)
    connection.send({ id: 1, request: { action: 'fingerprint', signature, needSystemInfo: false } })
    assert.ok(decodeEnvelope(await connection.receive(), 'identity').ok)
    for (const id of [1001, 1002, 1003]) {
      const sample = await nextSample(connection, id)
      assert.deepEqual(sample.temperatures, { steady: 45 })
      assert.deepEqual(sample.fans, { steady_fan1: 900 })
      assert.ok(sample.memory !== undefined && sample.uptimeSeconds !== undefined && sample.rootDisk !== undefined)
      const disks = new Map(Object.entries(sample.extraDisks ?? {}))
      assert.ok((disks.get('local')?.totalBytes ?? 0) > 0)
      assert.deepEqual([disks.get('mounted')?.totalBytes, disks.get('linked')?.totalBytes], [undefined, undefined])
    }
  } finally {
    agent.kill('SIGTERM')
    await exited
  }
})
