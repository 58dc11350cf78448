import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { agentFileOf } from '../program/update/release-files.ts'
import { buildDebianPackage } from '../tools/debian-package.ts'
import { freePort } from '../tools/free-port.ts'
import { isNativeBuilt, nativeAgent } from '../tools/native-agent.ts'
import { agentPackage } from '../tools/package-contents.ts'
import { NEWER, refusedReleases, startReleaseServer, type ReleaseServer } from './release-server.ts'
import { noSmallDisk, runOnSmallDisk } from './small-disk.ts'
import { bootMachine } from './systemd-machine.ts'

/** The short suite leaves out the machine with systemd. */
const isLong = process.env['VEDETTE_LONG'] === '1'
const name = agentFileOf(process.arch)
/** Small program that says that it is the newer version. */
const small = `#!/bin/sh\necho vedette-agent ${NEWER}\n${'# padding\n'.repeat(200_000)}`

const reason = [
  !isNativeBuilt() && 'the native agent is not built',
  spawnSync('minisign', ['-v']).status !== 0 && 'minisign is not installed',
]

describe('vedette-agent update', { timeout: 240_000, skip: reason.find((one) => one !== false) ?? false }, () => {
  const stack = new AsyncDisposableStack()
  let server: ReleaseServer

  before(async () => {
    server = stack.use(await startReleaseServer())
  })
  after(() => stack.disposeAsync())

  /** Installs the agent in a folder of its own, and returns its path. */
  function installed(test: string): string {
    const program = join(server.folder, test, 'vedette-agent')
    mkdirSync(join(server.folder, test))
    copyFileSync(nativeAgent(process.arch), program)
    return program
  }

  async function update(program: string, ...args: readonly string[]) {
    const own = ['update', '--from', server.address, '--key', join(server.folder, 'key.pub'), '--service', 'none', ...args]
    const child = spawn(program, own, { env: {}, stdio: ['ignore', 'pipe', 'pipe'] })
    const [said, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return { status: child.exitCode, said, errors }
  }

  const versionOf = (program: string): string => spawnSync(program, ['--version'], { encoding: 'utf8', env: {} }).stdout.trim()

  test('a newer signed release replaces the program, and the version before it stays beside it', async () => {
    const program = installed('newer')
    server.release(name, small)
    const { status, errors } = await update(program)
    assert.deepEqual([status, errors], [0, ''])
    assert.equal(versionOf(program), `vedette-agent ${NEWER}`)
    assert.equal(versionOf(`${program}.previous`), `vedette-agent ${VEDETTE_VERSION}`)
    assert.equal(existsSync(`${program}.new`), false)
  })

  test('a release of the same version, or of an older one, changes nothing', async () => {
    const program = installed('same')
    for (const version of [VEDETTE_VERSION, '0.0.9']) {
      server.release(name, small, { version })
      const { status, said } = await update(program)
      assert.deepEqual([status, /is up to date/.test(said), existsSync(`${program}.previous`)], [0, true, false])
    }
  })

  /** Checks that an update was refused with one sentence, and that nothing has changed. */
  function assertRefused(program: string, { status, errors }: { status: number | null; errors: string }, sentence: RegExp): void {
    assert.equal(status, 1, errors)
    assert.match(errors, sentence)
    assert.equal(errors.trim().split('\n').length, 1)
    assert.equal(versionOf(program), `vedette-agent ${VEDETTE_VERSION}`)
    assert.deepEqual([existsSync(`${program}.new`), existsSync(`${program}.previous`)], [false, false])
  }

  for (const [index, [what, sentence, prepare]] of refusedReleases(name, small).entries())
    test(`refuses ${what}, with one sentence, and changes nothing`, async () => {
      const program = installed(`refused-${index}`)
      prepare(server)
      const result = await update(program)
      server.cutDownloads(false)
      assertRefused(program, result, sentence)
    })

  for (const [what, disk, sentence] of [
    ['a full disk', { spareBytes: 1_000_000 }, /^Cannot write beside .*: the disk is full\. Nothing was changed\.\n$/],
    ['a disk on which it may not write', { spareBytes: 10_000_000, isReadOnly: true }, /: run "sudo vedette-agent update"\n$/],
  ] as const)
    test(`refuses ${what}, with one sentence, and changes nothing`, { skip: noSmallDisk }, async () => {
      const program = installed(what)
      server.release(name, small)
      const args = ['update', '--from', server.address, '--key', join(server.folder, 'key.pub'), '--service', 'none']
      const { status, errors, files } = await runOnSmallDisk(join(server.folder, what), { program, args, ...disk })
      assert.deepEqual([status, files], [1, ['vedette-agent']], errors)
      assert.match(errors, sentence)
    })

  test('wrong usage is one sentence', async () => {
    const program = installed('usage')
    for (const [args, sentence] of [
      [['--form', 'x'], /^Unknown argument "--form"/],
      [['--from', 'ftp://x'], /is not an http or https address/],
      [['--from'], /--from needs a value/],
    ] as const) {
      const { status, errors } = await update(program, ...args)
      assert.equal(status, 2)
      assert.match(errors, sentence)
    }
  })

  if (isLong)
    test('as a service of the package: a version that does not become healthy is rolled back, and a good one runs', async (context) => {
      await using machine = await bootMachine()
      if (machine.kind === 'none') return context.skip(machine.reason)
      const { run } = machine
      const succeed = async (line: string): Promise<string> => {
        const { status, said } = await run(line)
        assert.equal(status, 0, `${line}\n${said}`)
        return said
      }
      const fetchTo = (path: string, file: string): Promise<string> =>
        succeed(`node -e "fetch('${server.address}/${file}').then(async (it) => fs.writeFileSync('${path}', await it.bytes()))"`)
      const contents = agentPackage({
        program: nativeAgent(process.arch),
        architecture: process.arch === 'arm64' ? 'arm64' : 'x64',
        notices: '',
      })
      await buildDebianPackage({ contents, output: join(server.folder, 'served', 'agent.deb'), compression: 'none' })
      server.put('key.pub', readFileSync(join(server.folder, 'key.pub')))
      await fetchTo('/srv/agent.deb', 'agent.deb')
      await fetchTo('/srv/key.pub', 'key.pub')

      // Without a key the service would only fail, so the package does not start it.
      assert.match(await succeed('dpkg --install /srv/agent.deb'), /Set KEY in \/etc\/vedette-agent\.env/)
      assert.match((await run('systemctl is-enabled vedette-agent')).said, /^disabled/)
      await succeed(
        `echo "KEY='ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPoTWtLTtoSyLvAjX7aAeRR2wzC1Frns4dEjH0jrZqHN'" >>/etc/vedette-agent.env`,
      )
      await succeed(`echo LISTEN=127.0.0.1:${await freePort()} >>/etc/vedette-agent.env`)
      await succeed('systemctl enable --now vedette-agent')
      const exposure = await succeed('systemd-analyze security vedette-agent --no-pager')
      assert.ok(Number(/Overall exposure level for .*: ([\d.]+)/.exec(exposure)?.[1]) <= 2, exposure)

      const order = `vedette-agent update --from ${server.address} --key /srv/key.pub`
      server.release(name, `#!/bin/sh\ncase "$1" in --version) echo vedette-agent ${NEWER};; *) exit 1;; esac\n`)
      const broken = await run(order)
      assert.deepEqual([broken.status, /was put back and is running/.test(broken.said)], [1, true], broken.said)
      assert.equal((await succeed('vedette-agent --version')).trim(), `vedette-agent ${VEDETTE_VERSION}`)
      assert.equal((await succeed('systemctl is-active vedette-agent')).trim(), 'active')

      await succeed('cp /usr/bin/vedette-agent /usr/bin/vedette-agent-own')
      const good = `#!/bin/sh\ncase "$1" in --version) echo vedette-agent ${NEWER};; *) exec /usr/bin/vedette-agent-own "$@";; esac\n`
      server.release(name, good)
      // The timer of the package, which an operator enables, runs the same command.
      await succeed(
        `printf '%s\\n' VEDETTE_AGENT_UPDATE_FROM=${server.address} VEDETTE_AGENT_UPDATE_KEY=/srv/key.pub >>/etc/vedette-agent.env`,
      )
      assert.match((await run('systemctl is-enabled vedette-agent-update.timer')).said, /^disabled/)
      await succeed('systemctl enable --now vedette-agent-update.timer')
      await succeed('systemctl start vedette-agent-update.service')
      assert.equal((await succeed('vedette-agent --version')).trim(), `vedette-agent ${NEWER}`)
      assert.equal((await succeed('systemctl is-active vedette-agent')).trim(), 'active')
      assert.equal((await succeed('vedette-agent health')).trim(), 'ok')

      // An upgrade by the package keeps the options, and a removal stops the service.
      const options = await succeed('cat /etc/vedette-agent.env')
      await succeed('dpkg --force-confold --install /srv/agent.deb')
      assert.equal(await succeed('cat /etc/vedette-agent.env'), options)
      assert.equal((await succeed('systemctl is-active vedette-agent')).trim(), 'active')
      await succeed('dpkg --remove vedette-agent')
      assert.match((await run('systemctl is-active vedette-agent')).said, /^(inactive|unknown)/)
      assert.match((await run('systemctl is-active vedette-agent-update.timer')).said, /^(inactive|unknown)/)
    })
})
