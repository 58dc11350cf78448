import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { VEDETTE_VERSION } from '../protocol/src/wire/version.ts'
import { buildDebianPackage, debianFileOf } from './debian-package.ts'
import { agentPackage, hubPackage, type PackageContents } from './package-contents.ts'
import { buildRpmPackage, rpmFileOf } from './rpm-package.ts'

const isThere = (program: string): boolean => spawnSync(program, ['--version']).status === 0
const withoutDebian = !isThere('dpkg-deb') && 'dpkg-deb is not installed'
const withoutRpm = !isThere('rpmbuild') && 'rpmbuild is not installed'

describe('packages of hub and agent', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-packages-test-'))
  const program = join(folder, 'program')
  const small = { program, architecture: 'arm64', notices: 'notices\n' } as const
  const [hub, agent] = [hubPackage(small), agentPackage(small)]

  before(() => writeFileSync(program, `#!/bin/sh\necho ${VEDETTE_VERSION}\n`, { mode: 0o755 }))
  after(() => rmSync(folder, { recursive: true }))

  async function built(format: 'deb' | 'rpm', contents: PackageContents, place = 'built'): Promise<string> {
    const output = join(folder, place, (format === 'deb' ? debianFileOf : rpmFileOf)(contents))
    await (format === 'deb' ? buildDebianPackage : buildRpmPackage)({ contents, output, compression: 'none' })
    return output
  }

  const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')
  const said = (command: string, ...args: readonly string[]): string => execFileSync(command, args, { encoding: 'utf8' })

  for (const format of ['deb', 'rpm'] as const)
    test(`${format}: equal files give an equal package`, { skip: format === 'deb' ? withoutDebian : withoutRpm }, async () => {
      for (const contents of [hub, agent]) {
        const first = sha256(await built(format, contents, 'first'))
        // Another modification time of the program.
        utimesSync(program, 1, 2_000_000_000)
        assert.equal(sha256(await built(format, contents, 'second')), first)
      }
    })

  /** Modes and paths that a package must have; both formats list them the same. */
  const modes: readonly (readonly [PackageContents, Readonly<Record<string, number>>])[] = [
    [hub, { 'usr/bin/vedette': 0o755, 'usr/lib/systemd/system/vedette.service': 0o644, 'etc/vedette/vedette.env': 0o640 }],
    [agent, { 'usr/bin/vedette-agent': 0o755, 'usr/lib/systemd/system/vedette-agent.service': 0o644, 'etc/vedette-agent.env': 0o600 }],
  ]
  const modesIn = (place: string, wanted: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.keys(wanted).map((path) => [path, statSync(join(place, path)).mode & 0o777]))

  test('deb: has the files, their modes and the configuration', { skip: withoutDebian }, async () => {
    for (const [contents, wanted] of modes) {
      const file = await built('deb', contents)
      const place = join(folder, `${contents.name}-deb`)
      said('dpkg-deb', '--extract', file, place)
      assert.deepEqual(modesIn(place, wanted), wanted)
      assert.deepEqual(said('dpkg-deb', '--info', file, 'conffiles').trim().split('\n'), contents.configuration)
      assert.match(said('dpkg-deb', '--field', file, 'Architecture'), /^arm64$/m)
      assert.equal(said('dpkg-deb', '--field', file, 'Depends').trim(), contents.debianLibraries.join(', '))
      for (const script of ['preinst', 'postinst', 'prerm', 'postrm'])
        assert.equal(spawnSync('sh', ['-n'], { input: said('dpkg-deb', '--info', file, script) }).status, 0)
    }
  })

  test('rpm: has valid checksums, the scripts and the configuration', { skip: withoutRpm }, async () => {
    for (const contents of [hub, agent]) {
      const file = await built('rpm', contents)
      assert.match(said('rpm', '--checksig', file), /digests OK/)
      const scripts = said('rpm', '-qp', '--scripts', file)
      for (const step of ['preinstall', 'postinstall', 'preuninstall', 'postuninstall']) assert.match(scripts, new RegExp(`^${step} `, 'm'))
      assert.match(scripts, new RegExp(`systemctl enable --quiet ${contents.name}\\.service`))
      assert.deepEqual(said('rpm', '-qp', '--configfiles', file).trim().split('\n'), contents.configuration)
      assert.equal(said('rpm', '-qp', '--queryformat', '%{ARCH} %{VERSION}', file), `aarch64 ${VEDETTE_VERSION}`)
    }
  })

  const isRoot = process.getuid?.() === 0
  test(
    'rpm: an upgrade in a folder keeps changed settings, and a removal leaves them',
    { skip: withoutRpm || (!isRoot && 'only root can install there') },
    async () => {
      const place = join(folder, 'machine')
      mkdirSync(place)
      for (const [contents, wanted] of modes) {
        const file = await built('rpm', contents)
        const [configuration = ''] = contents.configuration
        const rpm = (...args: readonly string[]) => said('rpm', '--root', place, '--noscripts', '--nodeps', ...args)
        rpm('--install', '--ignorearch', file)
        assert.deepEqual(modesIn(place, wanted), wanted)
        writeFileSync(join(place, configuration), 'KEY=changed\n')
        chmodSync(program, 0o755)
        writeFileSync(program, '#!/bin/sh\necho newer\n')
        rpm('--upgrade', '--ignorearch', '--replacepkgs', await built('rpm', contents, 'newer'))
        assert.equal(said(join(place, `usr/bin/${contents.name}`)), 'newer\n')
        assert.equal(readFileSync(join(place, configuration), 'utf8'), 'KEY=changed\n')
        rpm('--erase', contents.name)
        assert.equal(existsSync(join(place, `usr/bin/${contents.name}`)), false)
        assert.equal(readFileSync(join(place, `${configuration}.rpmsave`), 'utf8'), 'KEY=changed\n')
      }
    },
  )
})
