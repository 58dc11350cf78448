import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { decodeCbor } from '@vedette/protocol/cbor/decode'
import { isCborMap } from '@vedette/protocol/cbor/value'
import { decodeDocument } from '@vedette/protocol/wire/document-decode'
import { decodeEnvelope } from '@vedette/protocol/wire/envelope'
import { findEngine } from '../../e2e/engine.ts'
import { nodeUtf8 } from '../../protocol/test/node-utf8.ts'
import { fromHex } from '../../protocol/test/recorded.ts'
import { agentHost } from './agent-host.ts'
import { hubKey } from './running-agent.ts'
import { SshHub } from './ssh-client.ts'

const native = fileURLToPath(new URL('../native', import.meta.url))

// The image is of the native agent alone.
if (agentHost === 'native') {
  test('Dockerfile: the image runs, answers its hub and sees its own container', { timeout: 120_000 }, async (t) => {
    await using engine = await findEngine()
    if (engine.kind === 'none') return t.skip(engine.reason)
    const { address } = engine
    const docker = async (...args: readonly string[]): Promise<string> => {
      const env = { PATH: process.env['PATH'], DOCKER_BUILDKIT: '0', DOCKER_HOST: address, HOME: '/nonexistent' }
      return (await promisify(execFile)('docker', args, { env })).stdout.trim()
    }
    const name = `vedette-image-${randomBytes(4).toString('hex')}`
    const folder = await mkdtemp(join(tmpdir(), 'vedette-image-'))
    await docker('build', '--quiet', '--tag', name, native)
    try {
      // As the compose text has it: the machine's network, and the engine's socket read only. An engine of a test's own has a network of
      // its own, so the hub comes over a socket.
      const variables = ['--env', `KEY=${hubKey.publicLine.trim()}`, '--env', 'LISTEN=/run/vedette/agent.sock']
      const volumes = ['--volume', `${address.replace('unix://', '')}:/var/run/docker.sock:ro`, '--volume', `${folder}:/run/vedette`]
      const limits = ['--network', 'host', '--ulimit', 'nofile=1024:1024']
      await docker('run', '--detach', '--name', name, ...limits, ...volumes, ...variables, name)
      assert.match(await docker('exec', name, '/vedette-agent', '--version'), /^vedette-agent \d/)
      while (!existsSync(join(folder, 'agent.sock'))) await setImmediate()
      await using hub = await SshHub.connect(join(folder, 'agent.sock'), hubKey.privateText)
      const { stdout } = await hub.shell(fromHex('a2000001a20019ea6001f5'), { end: true })
      const item = decodeCbor(stdout, nodeUtf8)
      assert.ok(item.ok && isCborMap(item.value))
      const envelope = decodeEnvelope(item.value, 'document')
      assert.ok(envelope.ok && envelope.reply.kind === 'document')
      const document = decodeDocument(envelope.reply.document)
      assert.ok(document.ok)
      assert.ok(document.sample.containers?.some((container) => container.name === name))
      assert.match(await docker('exec', name, '/vedette-agent', 'doctor'), /^ok machine +the machine around a container \(docker\)/m)
    } finally {
      await docker('rm', '--force', name).catch(() => undefined)
      await docker('rmi', '--force', name)
      await rm(folder, { recursive: true })
    }
  })
}
