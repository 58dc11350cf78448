import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { SUMS } from '../program/update/release-files.ts'
import { buildDebianPackage, debianFileOf } from '../tools/debian-package.ts'
import { programNamed } from '../tools/installed-programs.ts'
import { installerOf } from '../tools/installer.ts'
import { agentPackage } from '../tools/package-contents.ts'
import { buildRpmPackage, rpmFileOf } from '../tools/rpm-package.ts'
import { sha256Of, startReleaseServer, type ReleaseServer } from './release-server.ts'
import { bootMachine } from './systemd-machine.ts'

/** The short suite leaves out the machine with systemd. */
const isLong = process.env['VEDETTE_LONG'] === '1'
const missing = ['minisign', 'openssl', 'dpkg-deb'].find((one) => programNamed(one) === undefined)
/** Agent of the test, which only waits. */
const AGENT = `#!/bin/sh\ncase "\${1-}" in --version) echo vedette-agent ${VEDETTE_VERSION};; *) exec sleep infinity;; esac\n`
const INSTALLED = ['/usr/bin/vedette-agent', '/etc/vedette-agent.env', '/usr/lib/systemd/system/vedette-agent.service']

describe('install.sh of a release', { timeout: 240_000, skip: missing !== undefined && `${missing} is not installed` }, () => {
  const stack = new AsyncDisposableStack()
  let server: ReleaseServer
  let file = ''
  let script = ''

  before(async () => {
    server = stack.use(await startReleaseServer())
    const program = join(server.folder, 'agent')
    writeFileSync(program, AGENT)
    const contents = agentPackage({ program, architecture: process.arch === 'arm64' ? 'arm64' : 'x64', notices: '' })
    file = debianFileOf(contents)
    await buildDebianPackage({ contents, output: join(server.folder, file), compression: 'none' })
    script = join(server.folder, 'install.sh')
    writeFileSync(script, installerOf(readFileSync(join(server.folder, 'key.pub'), 'utf8')))
  })
  after(() => stack.disposeAsync())

  const release = (faults: { readonly version?: string; readonly key?: 'key' | 'other'; readonly sum?: string } = {}): void =>
    server.release(file, readFileSync(join(server.folder, file)), { version: VEDETTE_VERSION, ...faults })

  /** Returns the path of a folder with the commands of this machine except some. */
  function pathWithout(...names: readonly string[]): string {
    const folder = join(server.folder, `without-${names.join('-')}`)
    if (existsSync(folder)) return folder
    mkdirSync(folder)
    for (const name of readdirSync('/usr/bin')) if (!names.includes(name)) symlinkSync(join('/usr/bin', name), join(folder, name))
    return folder
  }

  async function install(args: readonly string[], { path = '/usr/bin:/bin', answer = '' } = {}) {
    const child = spawn('/bin/sh', [script, '--agent', ...args], { env: { PATH: path }, stdio: ['pipe', 'pipe', 'pipe'] })
    // The script may end before it reads the answer.
    child.stdin.on('error', () => undefined).end(answer)
    const [said, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return { status: child.exitCode, said, errors }
  }

  const assertUntouched = (): void => assert.deepEqual(INSTALLED.filter(existsSync), [])

  test('is a valid shell script', (context) => {
    assert.equal(spawnSync('sh', ['-n', script]).status, 0)
    const shellcheck = programNamed('shellcheck')
    if (shellcheck === undefined) return context.skip('shellcheck is not installed')
    const { status, stdout } = spawnSync(shellcheck, [script], { encoding: 'utf8' })
    assert.equal(status, 0, stdout)
  })

  for (const [how, path] of [
    ['minisign', () => '/usr/bin:/bin'],
    ['openssl', () => pathWithout('minisign')],
  ] as const)
    describe(`with ${how}`, () => {
      test('--plan verifies the release and shows each file that it writes', async () => {
        release()
        const { status, said, errors } = await install(['--from', server.address, '--plan'], { path: path() })
        assert.equal(status, 0, errors)
        for (const one of [...INSTALLED, `Install ${file} with dpkg`, 'sh install.sh --undo --agent']) assert.ok(said.includes(one), said)
        assertUntouched()
      })

      const refusals: readonly (readonly [what: string, reason: RegExp, prepare: () => void])[] = [
        ['a signature of another key', /is not that of Vedette/, () => release({ key: 'other' })],
        ['the signed release of another version', /is not that of Vedette/, () => release({ version: '0.0.9' })],
        ['another package than the signed one', /is damaged/, () => release({ sum: '0'.repeat(64) })],
        [
          'a changed list of checksums',
          /is not that of Vedette/,
          () => {
            release()
            server.put(SUMS, `${sha256Of('')}  ${file}\n`)
          },
        ],
        [
          'a changed comment of the signature',
          /is not that of Vedette/,
          () => {
            release({ version: '0.0.9' })
            const signature = readFileSync(join(server.folder, 'served', `${SUMS}.minisig`), 'utf8')
            server.put(`${SUMS}.minisig`, signature.replace('vedette 0.0.9', `vedette ${VEDETTE_VERSION}`))
          },
        ],
        [
          'a release without a package for this machine',
          /has no file/,
          () => server.sign(`${sha256Of('')}  other.deb\n`, { version: VEDETTE_VERSION }),
        ],
      ]
      for (const [what, reason, prepare] of refusals)
        test(`refuses ${what}, with one sentence`, async () => {
          prepare()
          const { status, said, errors } = await install(['--from', server.address, '--yes'], { path: path() })
          assert.deepEqual([status, said, errors.trim().split('\n').length], [1, '', 1], errors)
          assert.match(errors, reason)
          assertUntouched()
        })
    })

  test('refuses an interrupted download, a missing folder, and a machine without a verifier', async () => {
    release()
    server.put(file, Buffer.alloc(2_000_000))
    server.cutDownloads(true)
    const cut = await install(['--from', server.address, '--yes'])
    server.cutDownloads(false)
    assert.match(cut.errors, /could not be downloaded; nothing was changed\n$/)
    assert.match((await install(['--from', join(server.folder, 'none'), '--yes'])).errors, /has no readable file SHA256SUMS/)
    const bare = await install(['--from', server.address, '--yes'], { path: pathWithout('minisign', 'openssl') })
    assert.match(bare.errors, /^Cannot install Vedette: it needs minisign .*"apt-get install minisign"\n$/)
    assertUntouched()
  })

  test('without the answer "yes" it changes nothing', async () => {
    release()
    for (const answer of ['', 'no\n', 'y\n']) {
      const { status, errors } = await install(['--from', join(server.folder, 'served')], { answer })
      assert.deepEqual([status, /nothing was changed/.test(errors)], [1, true])
    }
    assertUntouched()
  })

  test('wrong usage is one sentence', async () => {
    assert.match((await install(['--form', 'x'])).errors, /"--form" is no option; --help lists all\n$/)
    assert.match((await install(['--purge'])).errors, /--purge is for --undo only\n$/)
    assert.match((await install(['--undo', '--yes'])).errors, /the package vedette-agent is not installed\n$/)
  })

  test(
    'a user who is not root gets the plan, and one sentence',
    { skip: process.getuid?.() !== 0 && 'only root can become another user' },
    async () => {
      release()
      chmodSync(server.folder, 0o755)
      const args = [script, '--agent', '--from', server.address, '--yes']
      const nobody = { uid: 65_534, gid: 65_534, env: { PATH: '/usr/bin:/bin' } }
      const child = spawn('sh', args, { ...nobody, stdio: ['ignore', 'ignore', 'pipe'] })
      const [errors] = await Promise.all([text(child.stderr), once(child, 'close')])
      assert.match(errors, /only root can; run it with sudo; nothing was changed\n$/)
      assertUntouched()
    },
  )

  if (isLong)
    test('on a machine with systemd: installs and starts the service, and undoes exactly that', async (context) => {
      await using machine = await bootMachine()
      if (machine.kind === 'none') return context.skip(machine.reason)
      const { run, written } = machine
      const succeed = async (line: string): Promise<string> => {
        const { status, said } = await run(line)
        assert.equal(status, 0, `${line}\n${said}`)
        return said
      }
      /** The files of the agent; dpkg's own list of packages changes too. */
      const ofAgent = (): readonly string[] =>
        written().filter((path) => path.includes('vedette-agent') && !path.startsWith('var/lib/dpkg/'))
      release()
      server.put('install.sh', readFileSync(script))
      await succeed(
        `node -e "fetch('${server.address}/install.sh').then(async (it) => fs.writeFileSync('/srv/install.sh', await it.bytes()))"`,
      )
      await succeed("echo KEY='ssh-ed25519 own' >/etc/vedette-agent.env")
      const order = `sh /srv/install.sh --agent`
      assert.match(await succeed(`echo yes | ${order} --from ${server.address}`), /The steps:/)
      assert.equal((await succeed('systemctl is-active vedette-agent')).trim(), 'active')
      assert.equal((await succeed('systemctl is-enabled vedette-agent')).trim(), 'enabled')
      assert.match(await succeed('cat /etc/vedette-agent.env'), /^KEY=ssh-ed25519 own/)

      await succeed(`${order} --undo --yes`)
      assert.match((await run('systemctl is-active vedette-agent')).said, /^(inactive|unknown)/)
      assert.deepEqual(ofAgent().toSorted(), ['etc/vedette-agent.env', 'etc/vedette-agent.env.dpkg-dist', 'var/lib/vedette-agent'])

      await succeed(`${order} --from ${server.address} --yes`)
      await succeed(`${order} --undo --purge --yes`)
      assert.deepEqual(ofAgent(), [])
    })

  if (isLong)
    test('on a machine with systemd that has rpm only: installs, keeps settings, and undoes exactly that', async (context) => {
      await using machine = await bootMachine()
      if (machine.kind === 'none') return context.skip(machine.reason)
      if (programNamed('rpmbuild') === undefined) return context.skip('rpmbuild is not installed')
      const { run, written } = machine
      const succeed = async (line: string): Promise<string> => {
        const { status, said } = await run(line)
        assert.equal(status, 0, `${line}\n${said}`)
        return said
      }
      const ofAgent = (): readonly string[] =>
        written().filter((path) => path.includes('vedette-agent') && !path.startsWith('var/lib/rpm/'))
      const contents = agentPackage({
        program: join(server.folder, 'agent'),
        architecture: process.arch === 'arm64' ? 'arm64' : 'x64',
        notices: '',
      })
      const rpm = rpmFileOf(contents)
      await buildRpmPackage({ contents, output: join(server.folder, rpm), compression: 'none' })
      server.release(rpm, readFileSync(join(server.folder, rpm)), { version: VEDETTE_VERSION })
      server.put('install.sh', readFileSync(script))
      await succeed(
        `node -e "fetch('${server.address}/install.sh').then(async (it) => fs.writeFileSync('/srv/install.sh', await it.bytes()))"`,
      )
      // Debian's shell is no RPM package, so a small one provides it.
      const spec = ['Name: shell', 'Version: 1', 'Release: 1', 'Summary: shell', 'License: MIT', 'BuildArch: noarch', 'Provides: /bin/sh']
      await succeed(`printf '%s\\n' ${spec.map((line) => `'${line}'`).join(' ')} '%description' 'Shell.' '%files' >/srv/shell.spec`)
      await succeed('rpmbuild -bb --quiet --define "_topdir /srv" --define "_rpmfilename shell.rpm" /srv/shell.spec')
      await succeed('rpm --install /srv/RPMS/shell.rpm')
      await succeed('mv /usr/bin/dpkg /usr/bin/dpkg-hidden')
      await succeed("echo KEY='ssh-ed25519 own' >/etc/vedette-agent.env")
      const order = `sh /srv/install.sh --agent`
      assert.match(await succeed(`echo yes | ${order} --from ${server.address}`), new RegExp(`Install ${rpm} with rpm`))
      assert.equal((await succeed('systemctl is-active vedette-agent')).trim(), 'active')
      assert.match(await succeed('cat /etc/vedette-agent.env'), /^KEY=ssh-ed25519 own/)

      await succeed(`${order} --undo --yes`)
      assert.match((await run('systemctl is-active vedette-agent')).said, /^(inactive|unknown)/)
      assert.match(await succeed('cat /etc/vedette-agent.env'), /^KEY=ssh-ed25519 own/)
      await succeed(`${order} --from ${server.address} --yes`)
      await succeed(`${order} --undo --purge --yes`)
      assert.deepEqual(ofAgent(), [])
    })
})
