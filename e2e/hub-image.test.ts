import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { programNotices, writeProgram } from '../tools/build-program.ts'
import { hubImage } from '../tools/images/hub-image.ts'
import { findEngine } from './engine.ts'
import { loadImage } from './load-image.ts'
import { scratchFolder } from './programs.ts'

const OWN_USER = 65_532

/** Largest download of the image in bytes: the sum of its gzip layers. */
const LARGEST_IMAGE = 90e6

if (process.env['VEDETTE_LONG'] === '1')
  describe('image of the hub', { timeout: 600_000 }, () => {
    const image = `vedette-image-${randomBytes(4).toString('hex')}`
    const stack = new AsyncDisposableStack()
    let engine: Awaited<ReturnType<typeof findEngine>>
    let folder = ''
    let bytes = 0

    const docker = async (...args: readonly string[]): Promise<string> => {
      const env = { PATH: process.env['PATH'], DOCKER_HOST: engine.kind === 'none' ? '' : engine.address, HOME: '/nonexistent' }
      const { stdout, stderr } = await promisify(execFile)('docker', args, { env })
      return `${stdout}${stderr}`.trim()
    }

    before(async () => {
      engine = stack.use(await findEngine())
      if (engine.kind === 'none') return
      folder = stack.use(scratchFolder()).path
      const program = join(folder, 'vedette')
      await writeProgram({ node: process.execPath, output: program })
      const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
      const { tar, compressedBytes } = hubImage({ program, notices: programNotices(), architecture, name: image })
      bytes = compressedBytes
      loadImage(engine.address, tar)
      stack.defer(async () => void (await docker('rmi', '--force', `${image}:latest`, `${image}:${VEDETTE_VERSION}`)))
    })
    after(() => stack.disposeAsync())

    /** Starts a container without a network and with a read-only root, and resolves with its name when its hub listens. */
    async function start(...more: readonly string[]): Promise<AsyncDisposable & { readonly name: string }> {
      const name = `${image}-${randomBytes(2).toString('hex')}`
      const remove = async (): Promise<void> => void (await docker('rm', '--force', '--volumes', name))
      const limits = ['--network', 'none', '--read-only', '--ulimit', 'nofile=1024:1024', '--health-interval', '1s']
      await docker('run', '--detach', '--name', name, ...limits, ...more, image)
      while (!/listens on/.test(await docker('logs', name))) {
        if ((await docker('inspect', '--format', '{{.State.Running}}', name)) === 'true') {
          await setImmediate()
          continue
        }
        const log = await docker('logs', name)
        await remove()
        throw new Error(log)
      }
      return { name, [Symbol.asyncDispose]: remove }
    }

    async function identityOf(name: string): Promise<readonly (string | undefined)[]> {
      const status = readFileSync(`/proc/${await docker('inspect', '--format', '{{.State.Pid}}', name)}/status`, 'utf8')
      return ['Uid', 'Gid', 'Groups', 'CapEff'].map((field) => new RegExp(`^${field}:[ \\t]*(.*?)[ \\t]*$`, 'm').exec(status)?.[1])
    }
    const ids = Array(4).fill(OWN_USER).join('\t')
    const ownIdentity = [ids, ids, '', '0'.repeat(16)]

    test('a folder of root: the hub becomes its owner, serves as its own user, is healthy, and keeps accounts', async (t) => {
      if (engine.kind === 'none') return t.skip(engine.reason)
      const data = join(folder, 'data')
      mkdirSync(data, { mode: 0o700 })
      writeFileSync(join(data, 'of-root'), '', { mode: 0o600 })
      {
        await using hub = await start(
          '--volume',
          `${data}:/data`,
          '--env',
          'VEDETTE_ADMIN_EMAIL=admin@example.com',
          '--env',
          'VEDETTE_ADMIN_PASSWORD=correct horse battery',
        )
        assert.deepEqual(await identityOf(hub.name), ownIdentity)
        for (const name of ['', 'of-root', 'secret.key']) assert.equal(statSync(join(data, name)).uid, OWN_USER, name)
        const health = async (): Promise<string> => docker('inspect', '--format', '{{.State.Health.Status}}', hub.name)
        while ((await health()) === 'starting') await setImmediate()
        assert.equal(await health(), 'healthy')
        await docker('stop', hub.name)
        assert.equal(await docker('inspect', '--format', '{{.State.ExitCode}}', hub.name), '0')
      }
      await using hub = await start('--volume', `${data}:/data`)
      assert.match(await docker('exec', hub.name, 'vedette', 'user', 'list'), /admin@example\.com +admin/)
    })

    test('without a volume and with only 3 capabilities it runs; without these it refuses to serve as root', async (t) => {
      if (engine.kind === 'none') return t.skip(engine.reason)
      const safe = ['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges']
      await using hub = await start(...safe, '--cap-add', 'CHOWN', '--cap-add', 'SETGID', '--cap-add', 'SETUID')
      assert.deepEqual(await identityOf(hub.name), ownIdentity)
      await using own = await start(...safe, '--user', `${OWN_USER}:${OWN_USER}`)
      assert.equal((await identityOf(own.name))[0], ids)
      await assert.rejects(start(...safe), /Cannot become user 65532: EPERM\. Start as that user/)
    })

    test('it has labels and the programs for backups of PostgreSQL, and its download is small', async (t) => {
      if (engine.kind === 'none') return t.skip(engine.reason)
      assert.ok(bytes <= LARGEST_IMAGE, `${bytes / 1e6} MB`)
      t.diagnostic(`sum of the gzip layers: ${(bytes / 1e6).toFixed(1)} MB`)
      const labels = JSON.parse(await docker('inspect', '--format', '{{json .Config.Labels}}', image)) as Readonly<Record<string, string>>
      assert.deepEqual(
        Object.keys(labels)
          .map((key) => key.replace('org.opencontainers.image.', ''))
          .toSorted(),
        ['created', 'description', 'licenses', 'revision', 'source', 'title', 'version'],
      )
      for (const program of ['pg_dump', 'pg_restore', 'psql', 'vedette'])
        assert.match(
          await docker(
            'run',
            '--rm',
            '--network',
            'none',
            '--ulimit',
            'nofile=1024:1024',
            '--entrypoint',
            `/usr/bin/${program}`,
            image,
            '--version',
          ),
          /\d+\.\d+/,
        )
    })
  })
