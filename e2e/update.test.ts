import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, linkSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { programFileOf } from '../program/update/release-files.ts'
import { writeProgram } from '../tools/build-program.ts'
import { buildDebianPackage } from '../tools/debian-package.ts'
import { freePort } from '../tools/free-port.ts'
import { hubPackage } from '../tools/package-contents.ts'
import { NEWER, refusedReleases, startReleaseServer, type ReleaseServer } from './release-server.ts'
import { noSmallDisk, runOnSmallDisk } from './small-disk.ts'
import { bootMachine } from './systemd-machine.ts'

/** The short suite leaves out the machine with systemd, which takes half a minute. */
const isLong = process.env['VEDETTE_LONG'] === '1'
const name = programFileOf(process.arch)

/** Small program that says that it is the newer version, for releases that are refused. */
const small = `#!/bin/sh\necho ${NEWER}\n${'# padding\n'.repeat(200_000)}`

const hasMinisign = spawnSync('minisign', ['-v']).status === 0

describe('vedette update', { timeout: 300_000, skip: !hasMinisign && 'minisign is not installed' }, () => {
  const stack = new AsyncDisposableStack()
  let server: ReleaseServer
  let newer: Buffer
  let source = ''

  before(async () => {
    server = stack.use(await startReleaseServer())
    source = join(server.folder, 'vedette')
    await writeProgram({ node: process.execPath, output: source, releaseKey: join(server.folder, 'key.pub') })
    const built = readFileSync(source)
    const [mark, changed] = [VEDETTE_VERSION, NEWER].map((version) => Buffer.from(`VEDETTE_VERSION=\`${version}\``))
    assert.ok(mark !== undefined && changed !== undefined && mark.length === changed.length)
    const at = built.indexOf(mark)
    assert.ok(at > 0, 'the program contains its version')
    newer = Buffer.from(built)
    changed.copy(newer, at)
  })

  after(() => stack.disposeAsync())

  /** Installs the program of this version in a folder of its own, and returns its path. */
  function installed(test: string): string {
    const program = join(server.folder, test, 'vedette')
    mkdirSync(join(server.folder, test))
    // An update never writes into the program that it replaces, so a link will do.
    linkSync(source, program)
    return program
  }

  async function update(program: string): Promise<{ readonly status: number | null; readonly said: string; readonly errors: string }> {
    const child = spawn(program, ['update', '--from', server.address, '--service', 'none'], { env: {}, stdio: ['ignore', 'pipe', 'pipe'] })
    const [said, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return { status: child.exitCode, said, errors }
  }

  const versionOf = (program: string): string => spawnSync(program, ['--version'], { encoding: 'utf8', env: {} }).stdout.trim()

  test('a newer signed release replaces the program, and the version before it stays beside it', async () => {
    const program = installed('newer')
    server.release(name, newer)
    const { status, said } = await update(program)
    assert.deepEqual([status, versionOf(program), versionOf(`${program}.previous`)], [0, NEWER, VEDETTE_VERSION], said)
    assert.equal(existsSync(`${program}.new`), false)
  })

  test('a release of the same version changes nothing', async () => {
    const program = installed('same')
    server.release(name, newer, { version: VEDETTE_VERSION })
    const { status, said } = await update(program)
    assert.deepEqual([status, /is up to date/.test(said), existsSync(`${program}.previous`)], [0, true, false])
  })

  for (const [index, [what, reason, prepare]] of refusedReleases(name, small).entries())
    test(`refuses ${what}, with one sentence, and changes nothing`, async () => {
      const program = installed(`refused-${index}`)
      prepare(server)
      const { status, errors } = await update(program)
      server.cutDownloads(false)
      assert.equal(status, 1, errors)
      assert.match(errors, reason)
      assert.equal(errors.trim().split('\n').length, 1)
      assert.equal(versionOf(program), VEDETTE_VERSION)
      assert.deepEqual([existsSync(`${program}.new`), existsSync(`${program}.previous`)], [false, false])
    })

  for (const [what, disk, sentence] of [
    ['a full disk', { spareBytes: 1_000_000 }, /^Cannot write beside .*: the disk is full\. Nothing was changed\.\n$/],
    ['a disk on which it may not write', { spareBytes: 10_000_000, isReadOnly: true }, /: run "sudo vedette update"\n$/],
  ] as const)
    test(`refuses ${what}, with one sentence, and changes nothing`, { skip: noSmallDisk }, async () => {
      const program = installed(what)
      server.release(name, small)
      const args = ['update', '--from', server.address, '--service', 'none']
      const { status, errors, files } = await runOnSmallDisk(join(server.folder, what), { program, args, ...disk })
      assert.deepEqual([status, files], [1, ['vedette']], errors)
      assert.match(errors, sentence)
    })

  if (isLong)
    test('as a service: a version that does not become healthy is rolled back, and a good one runs', async (context) => {
      await using machine = await bootMachine()
      if (machine.kind === 'none') return context.skip(machine.reason)
      const { run } = machine
      const succeed = async (line: string): Promise<string> => {
        const { status, said } = await run(line)
        assert.equal(status, 0, `${line}\n${said}`)
        return said
      }
      const listen = `127.0.0.1:${await freePort()}`
      const healthy = async (): Promise<boolean> => (await fetch(`http://${listen}/api/health`)).ok
      await buildDebianPackage({
        contents: hubPackage({ program: source, architecture: process.arch === 'arm64' ? 'arm64' : 'x64', notices: '' }),
        output: join(server.folder, 'served', 'vedette.deb'),
        compression: 'none',
      })
      await succeed(
        `node -e "fetch('${server.address}/vedette.deb').then(async (it) => fs.writeFileSync('/srv/vedette.deb', await it.bytes()))"`,
      )
      await succeed(`mkdir -p /etc/vedette && echo VEDETTE_LISTEN=${listen} > /etc/vedette/vedette.env`)
      await succeed('dpkg --force-confold --install /srv/vedette.deb')

      server.release(name, `#!/bin/sh\ncase "$1" in --version) echo ${NEWER};; *) exit 1;; esac\n`)
      const broken = await run(`vedette update --from ${server.address}`)
      assert.deepEqual([broken.status, /was put back and is running/.test(broken.said)], [1, true], broken.said)
      assert.equal((await succeed('vedette --version')).trim(), VEDETTE_VERSION)
      assert.ok(await healthy())

      server.release(name, newer)
      const good = await run(`vedette update --from ${server.address}`)
      assert.deepEqual([good.status, good.said.includes(`Vedette ${NEWER} is running`)], [0, true], good.said)
      assert.ok(await healthy())
      assert.equal((await succeed('vedette --version')).trim(), NEWER)
    })
})
