import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { decodeCbor } from '@vedette/protocol/cbor/decode'
import { isCborMap } from '@vedette/protocol/cbor/value'
import { decodeDocument } from '@vedette/protocol/wire/document-decode'
import { decodeEnvelope } from '@vedette/protocol/wire/envelope'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { findEngine } from '../../e2e/engine.ts'
import { loadImage } from '../../e2e/load-image.ts'
import { nodeUtf8 } from '../../protocol/test/node-utf8.ts'
import { fromHex } from '../../protocol/test/recorded.ts'
import { agentImage } from '../../tools/images/hub-image.ts'
import { nativeAgent, nativeFolder } from '../../tools/native-agent.ts'
import { agentHost } from './agent-host.ts'
import { hubKey } from './running-agent.ts'
import { SshHub } from './ssh-client.ts'

/** The user of the image. */
const OWN_USER = 65_532

type Started = AsyncDisposable & {
  /** Runs a command on the machine, not in a container. */
  readonly pid: number
  readonly hub: SshHub
  readonly docker: (...args: readonly string[]) => Promise<string>
  readonly name: string
}

// The image contains the native agent only.
if (agentHost === 'native') {
  describe('the image of the agent', { timeout: 240_000 }, () => {
    const image = `vedette-image-${randomBytes(4).toString('hex')}`
    const stack = new AsyncDisposableStack()
    let engine: Awaited<ReturnType<typeof findEngine>>
    const docker = async (...args: readonly string[]): Promise<string> => {
      const address = engine.kind === 'none' ? '' : engine.address
      const env = { PATH: process.env['PATH'], DOCKER_BUILDKIT: '0', DOCKER_HOST: address, HOME: '/nonexistent' }
      const { stdout, stderr } = await promisify(execFile)('docker', args, { env })
      return `${stdout}${stderr}`.trim()
    }
    before(async () => {
      engine = stack.use(await findEngine())
      if (engine.kind === 'none') return
      const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
      const notices = await readFile(join(nativeFolder, 'licenses.txt'), 'utf8')
      const { tar } = agentImage({ program: nativeAgent(process.arch), notices, architecture, name: image })
      loadImage(engine.address, tar)
      stack.defer(async () => void (await docker('rmi', '--force', `${image}:latest`, `${image}:${VEDETTE_VERSION}`)))
    })
    after(() => stack.disposeAsync())

    /**
     * As in the compose text: the machine's network, and the engine's socket read-only. The hub listens on a unix socket because the
     * test's engine has its own network.
     */
    async function start(...more: readonly string[]): Promise<Started> {
      await using made = new AsyncDisposableStack()
      const folder = await mkdtemp(join(tmpdir(), 'vedette-image-'))
      made.defer(() => rm(folder, { recursive: true }))
      if (more.includes('--user')) await chmod(folder, 0o777)
      const name = `${image}-${randomBytes(2).toString('hex')}`
      const socket = engine.kind === 'none' ? '' : engine.address.replace('unix://', '')
      const variables = ['--env', `KEY=${hubKey.publicLine.trim()}`, '--env', 'LISTEN=/run/vedette/agent.sock']
      const volumes = ['--volume', `${socket}:/var/run/docker.sock:ro`, '--volume', `${folder}:/run/vedette`]
      const limits = ['--network', 'host', '--ulimit', 'nofile=1024:1024']
      made.defer(async () => void (await docker('rm', '--force', name)))
      await docker('run', '--detach', '--name', name, ...limits, ...volumes, ...variables, ...more, image)
      const pid = Number(await docker('inspect', '--format', '{{.State.Pid}}', name))
      while (!existsSync(join(folder, 'agent.sock'))) {
        if ((await docker('inspect', '--format', '{{.State.Running}}', name)) !== 'true') throw new Error(await docker('logs', name))
        await setImmediate()
      }
      const hub = made.use(await SshHub.connect(join(folder, 'agent.sock'), hubKey.privateText))
      const kept = made.move()
      return { pid, hub, docker, name, [Symbol.asyncDispose]: () => kept.disposeAsync() }
    }

    /** A folder for the container's volume. */
    async function volume(): Promise<AsyncDisposable & { readonly path: string }> {
      const path = await mkdtemp(join(tmpdir(), 'vedette-volume-'))
      return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
    }

    const statusOf = async (pid: number): Promise<(name: string) => readonly string[]> => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8')
      return (name) => (new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '').trim().split(/\s+/)
    }

    test('image: the image runs, connects to its hub and reports its own container', async (t) => {
      if (engine.kind === 'none') return t.skip(engine.reason)
      await using agent = await start()
      assert.match(await docker('exec', agent.name, '/vedette-agent', '--version'), /^vedette-agent \d/)
      const { stdout } = await agent.hub.shell(fromHex('a2000001a20019ea6001f5'), { end: true })
      const item = decodeCbor(stdout, nodeUtf8)
      assert.ok(item.ok && isCborMap(item.value))
      const envelope = decodeEnvelope(item.value, 'document')
      assert.ok(envelope.ok && envelope.reply.kind === 'document')
      const document = decodeDocument(envelope.reply.document)
      assert.ok(document.ok)
      assert.ok(document.sample.containers?.some((container) => container.name === agent.name))
      assert.match(await docker('exec', agent.name, '/vedette-agent', 'doctor'), /^ok machine +the machine around a container \(docker\)/m)
    })

    test("image: an agent started as root switches to its own user with the engine's group, and keeps its data", async (t) => {
      if (engine.kind === 'none') return t.skip(engine.reason)
      await using data = await volume()
      await using agent = await start('--volume', `${data.path}:/var/lib/vedette-agent`)
      const valueOf = await statusOf(agent.pid)
      const group = String((await stat(engine.address.replace('unix://', ''))).gid)
      assert.deepEqual([valueOf('Uid'), valueOf('Gid')], [Array(4).fill(String(OWN_USER)), Array(4).fill(String(OWN_USER))])
      assert.deepEqual(valueOf('Groups'), [group])
      assert.deepEqual([valueOf('CapEff'), valueOf('CapPrm'), valueOf('NoNewPrivs')], [['0000000000000000'], ['0000000000000000'], ['1']])
      for (const file of ['', 'fingerprint', 'ssh_host_ed25519_key']) assert.equal((await stat(join(data.path, file))).uid, OWN_USER, file)
    })

    test('image: the agent keeps its identity in a volume of an older agent that ran as root', async (t) => {
      if (engine.kind === 'none') return t.skip(engine.reason)
      await using data = await volume()
      await (await start('--env', 'RUN_AS=0', '--volume', `${data.path}:/var/lib/vedette-agent`))[Symbol.asyncDispose]()
      const key = join(data.path, 'ssh_host_ed25519_key')
      const before = { uid: (await stat(key)).uid, mode: (await stat(key)).mode & 0o777, key: await readFile(key, 'utf8') }
      assert.deepEqual([before.uid, before.mode], [0, 0o600])
      await writeFile(join(data.path, 'fingerprint'), 'of-an-older-agent')
      await using agent = await start('--volume', `${data.path}:/var/lib/vedette-agent`)
      const valueOf = await statusOf(agent.pid)
      assert.equal(valueOf('Uid')[0], String(OWN_USER))
      assert.equal(await readFile(key, 'utf8'), before.key)
      assert.equal(await readFile(join(data.path, 'fingerprint'), 'utf8'), 'of-an-older-agent')
    })

    test('image: it is healthy with a read-only root and no volume, and its labels name version and licence', async (t) => {
      if (engine.kind === 'none') return t.skip(engine.reason)
      await using agent = await start('--read-only', '--health-interval', '1s')
      const health = async (): Promise<string> => docker('inspect', '--format', '{{.State.Health.Status}}', agent.name)
      while ((await health()) === 'starting') await setImmediate()
      assert.equal(await health(), 'healthy')
      assert.equal((await statusOf(agent.pid))('Uid')[0], String(OWN_USER))
      const labels = JSON.parse(await docker('inspect', '--format', '{{json .Config.Labels}}', image)) as Readonly<Record<string, string>>
      assert.equal(labels['org.opencontainers.image.version'], VEDETTE_VERSION)
      assert.equal(labels['org.opencontainers.image.licenses'], 'MIT')
    })

    test('image: with the capabilities of the Helm chart it leaves root and keeps its identity over starts', async (t) => {
      if (engine.kind === 'none') return t.skip(engine.reason)
      await using data = await volume()
      const added = ['CHOWN', 'DAC_OVERRIDE', 'SETGID', 'SETUID'].flatMap((name) => ['--cap-add', name])
      const options = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', ...added]
      const fingerprints: string[] = []
      for (const _ of [1, 2]) {
        await using agent = await start(...options, '--volume', `${data.path}:/var/lib/vedette-agent`)
        assert.equal((await statusOf(agent.pid))('Uid')[0], String(OWN_USER))
        fingerprints.push(await readFile(join(data.path, 'fingerprint'), 'utf8'))
      }
      assert.equal(fingerprints[0], fingerprints[1])
    })

    test('image: a container with a configured user keeps that user', async (t) => {
      if (engine.kind === 'none') return t.skip(engine.reason)
      await using data = await volume()
      await chown(data.path, 4711, 4712)
      await using agent = await start('--user', '4711:4712', '--volume', `${data.path}:/var/lib/vedette-agent`)
      const valueOf = await statusOf(agent.pid)
      assert.deepEqual([valueOf('Uid')[0], valueOf('Gid')[0], valueOf('CapEff')], ['4711', '4712', ['0000000000000000']])
    })
  })
}
