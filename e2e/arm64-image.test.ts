import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, lstatSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { programNotices, writeProgram } from '../tools/build-program.ts'
import { hubImage } from '../tools/images/hub-image.ts'
import { programNamed } from '../tools/installed-programs.ts'
import { nodeExecutable } from '../tools/release.ts'
import { scratchFolder } from './programs.ts'

type Manifest = readonly [{ readonly Layers: readonly string[] }]

/** Unpacks the layers of an image archive into one folder and returns its path. */
function unpack(archive: Buffer, folder: string): string {
  const [layout, files] = [join(folder, 'layout'), join(folder, 'files')]
  for (const path of [layout, files]) mkdirSync(path)
  writeFileSync(join(folder, 'image.tar'), archive)
  execFileSync('tar', ['-xf', join(folder, 'image.tar')], { cwd: layout })
  const [{ Layers }] = JSON.parse(readFileSync(join(layout, 'manifest.json'), 'utf8')) as Manifest // written by the build in this shape
  for (const layer of Layers) execFileSync('tar', ['-xzf', join(layout, layer), '--no-same-owner'], { cwd: files })
  return files
}

if (process.env['VEDETTE_LONG'] === '1')
  describe('image of the hub for arm64', { timeout: 600_000 }, () => {
    test('every program and library is for arm64, and all that they load is there; they run under qemu', async (t) => {
      using scratch = scratchFolder()
      const program = join(scratch.path, 'vedette')
      await writeProgram({ node: nodeExecutable('arm64'), output: program })
      const { tar, compressedBytes } = hubImage({ program, notices: programNotices(), architecture: 'arm64' })
      t.diagnostic(`sum of the gzip layers: ${(compressedBytes / 1e6).toFixed(1)} MB`)
      assert.ok(compressedBytes <= 90e6)
      const folder = unpack(tar, scratch.path)

      const files = ['usr/bin/*', 'usr/lib/*/*.so*'].flatMap((pattern) => globSync(pattern, { cwd: folder })).toSorted()
      assert.deepEqual(
        files.filter((path) => path.startsWith('usr/bin/')),
        ['pg_dump', 'pg_restore', 'psql', 'vedette'].map((name) => `usr/bin/${name}`),
      )
      const names = new Set(files.map((path) => path.replace(/^.*\//, '')))
      for (const path of files) {
        const elf = execFileSync('readelf', ['--file-header', '--dynamic', '--wide', join(folder, path)], {
          encoding: 'utf8',
          env: { PATH: process.env['PATH'], LC_ALL: 'C' },
        })
        assert.match(elf, /Machine: +AArch64/, path)
        for (const [, needed = ''] of elf.matchAll(/\(NEEDED\).*\[(.*)\]/g)) assert.ok(names.has(needed), `${path} needs ${needed}`)
      }
      assert.equal(
        realpathSync(join(folder, 'lib', 'ld-linux-aarch64.so.1')),
        join(folder, 'usr', 'lib', 'aarch64-linux-gnu', 'ld-linux-aarch64.so.1'),
      )
      for (const path of [
        'data',
        'backups',
        'enroll',
        'tmp',
        'etc/passwd',
        'usr/share/doc/libc6/copyright',
        'usr/share/doc/vedette/third-party-licenses',
      ])
        assert.ok(existsSync(join(folder, path)), path)
      assert.equal(lstatSync(join(folder, 'data')).mode & 0o777, 0o700)

      const qemu = programNamed('qemu-aarch64-static')
      await t.test('under qemu', { skip: qemu === undefined && 'there is no qemu-aarch64-static here' }, () => {
        const run = (name: string, ...args: readonly string[]) =>
          spawnSync(qemu ?? '', ['-L', folder, join(folder, 'usr', 'bin', name), ...args], { encoding: 'utf8', env: {}, timeout: 120_000 })
        assert.equal(run('vedette', '--version').stdout, `${VEDETTE_VERSION}\n`)
        assert.match(run('pg_dump', '--version').stdout, /^pg_dump \(PostgreSQL\) 17\./)
        assert.match(run('psql', '--version').stdout, /^psql \(PostgreSQL\) 17\./)
      })
    })
  })
