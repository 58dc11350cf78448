import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { programFileOf, SUMS } from '../program/update/release-files.ts'
import { ownProgram, writeProgram } from '../tools/build-program.ts'
import { root } from '../tools/rules/source-tree.ts'
import { scratchFolder } from './programs.ts'

const isLong = process.env['VEDETTE_LONG'] === '1'
const folder = join(root, 'release', VEDETTE_VERSION)

const sumOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

describe('release', { timeout: 600_000 }, () => {
  const withoutFolder = !existsSync(join(folder, SUMS)) && 'there is no folder of a release'
  test('the folder of a release has all files, with checksums and a signature that hold', { skip: withoutFolder }, () => {
    const lines = readFileSync(join(folder, SUMS), 'utf8').trimEnd().split('\n')
    const named = lines.map((line) => line.slice(66))
    assert.deepEqual(
      lines,
      named.map((name) => `${sumOf(join(folder, name))}  ${name}`),
    )
    const unnamed = [SUMS, `${SUMS}.minisig`]
    assert.deepEqual(readdirSync(folder).toSorted(), [...named, ...unnamed].toSorted())
    for (const kind of [
      /^vedette-linux-/,
      /^vedette-agent-linux-/,
      /^vedette_.*\.deb$/,
      /^vedette-agent_.*\.deb$/,
      /^vedette-[\d.]+.*\.rpm$/,
      /^vedette-agent-[\d.]+.*\.rpm$/,
      /^vedette-hub.*\.tar/,
      /^vedette-agent.*\.tar/,
      /^vedette-[\d.]+\.tgz$/,
    ])
      assert.ok(
        named.some((name) => kind.test(name)),
        `${kind.source} among ${named.join(', ')}`,
      )
    const verified = execFileSync('minisign', ['-V', '-p', 'vedette.pub', '-m', SUMS], { cwd: folder, encoding: 'utf8' })
    assert.match(verified, new RegExp(`Trusted comment: vedette ${VEDETTE_VERSION.replaceAll('.', '\\.')}\n`))

    const program = join(folder, programFileOf(process.arch))
    assert.equal(execFileSync(program, ['--version'], { encoding: 'utf8', env: {} }).trim(), VEDETTE_VERSION)
    const bill = JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8')) as {
      readonly components: readonly { readonly name: string }[]
    } // the format
    const licences = readFileSync(join(folder, 'licenses.txt'), 'utf8')
    assert.ok(bill.components.length > 20)
    for (const { name } of bill.components) assert.ok(licences.includes(name), `licences of ${name}`)
    assert.match(readFileSync(join(folder, 'RELEASE-NOTES.md'), 'utf8'), new RegExp(`^# Vedette ${VEDETTE_VERSION}\\n\\n- `))
  })

  const inShort = !isLong && 'only in the long suite, because it builds everything a second time'
  test('the same sources in another folder give the same executable, byte for byte', { skip: inShort }, async () => {
    using scratch = scratchFolder()
    const own = join(scratch.path, 'own')
    await writeProgram({ node: process.execPath, output: own })
    const copy = join(scratch.path, 'elsewhere')
    const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
    for (const file of files.filter((name) => name !== '')) {
      mkdirSync(dirname(join(copy, file)), { recursive: true })
      cpSync(join(root, file), join(copy, file))
    }
    // The native agents, which another compiler builds, are the same in both.
    const native = join('agent', 'native', 'dist')
    if (existsSync(join(root, native))) cpSync(join(root, native), join(copy, native), { recursive: true })
    // With its links to the workspaces, which lead to the copied sources.
    execFileSync('cp', ['-a', '--reflink=auto', join(root, 'node_modules'), copy])
    rmSync(join(copy, 'node_modules', '.cache'), { recursive: true, force: true })
    execFileSync(process.execPath, [join(copy, 'tools', 'build-program.ts')], { cwd: copy, stdio: 'ignore' })
    assert.equal(sumOf(ownProgram.replace(root, copy)), sumOf(own))
  })
})
