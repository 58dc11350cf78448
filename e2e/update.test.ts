import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { commentOf, programFileOf, SUMS } from '../program/update/release-files.ts'
import { writeProgram } from '../tools/build-program.ts'
import { buildDebianPackage } from '../tools/debian-package.ts'
import { freePort } from '../tools/free-port.ts'
import { scratchFolder } from './programs.ts'
import { bootMachine } from './systemd-machine.ts'

const NEWER = '9.9.9'
/** The short suite leaves out the machine with systemd, which takes half a minute. */
const isLong = process.env['VEDETTE_LONG'] === '1'
const name = programFileOf(process.arch)

/** Small program that says that it is the newer version, for releases that are refused. */
const small = Buffer.from(`#!/bin/sh\necho ${NEWER}\n${'# padding\n'.repeat(200_000)}`)

const hasMinisign = spawnSync('minisign', ['-v']).status === 0

describe('vedette update', { timeout: 300_000, skip: !hasMinisign && 'minisign is not installed' }, () => {
  const stack = new AsyncDisposableStack()
  let folder = ''
  let served = ''
  let newer: Buffer
  let source = ''
  const server = createServer((request, response) => {
    const path = join(served, request.url ?? '')
    if (!existsSync(path)) return void response.writeHead(404).end()
    const content = readFileSync(path)
    response.writeHead(200, { 'content-length': content.length })
    if (!isCut || content.length < 1e6) return void response.end(content)
    // The connection ends in the middle of the download.
    response.write(content.subarray(0, 1e6), () => response.destroy())
  })
  let isCut = false
  let address = ''

  const minisign = (...args: readonly string[]) => execFileSync('minisign', args, { cwd: folder, stdio: 'ignore' })

  /** Writes the files of a release with this program, signed with a key of the test, and serves them. */
  function release(program: Buffer, { version = NEWER, key = 'key', sum = sha256(program) } = {}): void {
    writeFileSync(join(served, name), program)
    writeFileSync(join(served, SUMS), `${sum}  ${name}\n`)
    minisign('-S', '-s', `${key}.sec`, '-m', join(served, SUMS), '-t', commentOf(version))
  }

  const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex')

  before(async () => {
    folder = stack.use(scratchFolder()).path
    served = join(folder, 'served')
    mkdirSync(served)
    for (const key of ['key', 'other']) minisign('-G', '-W', '-p', `${key}.pub`, '-s', `${key}.sec`)
    source = join(folder, 'vedette')
    await writeProgram({ node: process.execPath, output: source, releaseKey: join(folder, 'key.pub') })
    const built = readFileSync(source)
    const [mark, changed] = [VEDETTE_VERSION, NEWER].map((version) => Buffer.from(`VEDETTE_VERSION=\`${version}\``))
    assert.ok(mark !== undefined && changed !== undefined && mark.length === changed.length)
    const at = built.indexOf(mark)
    assert.ok(at > 0, 'the program contains its version')
    newer = Buffer.from(built)
    changed.copy(newer, at)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    address = `http://127.0.0.1:${(server.address() as { readonly port: number }).port}` // a TCP server's
  })

  after(async () => {
    server.close()
    await stack.disposeAsync()
  })

  /** Installs the program of this version in a folder of its own, and returns its path. */
  function installed(test: string): string {
    const program = join(folder, test, 'vedette')
    mkdirSync(join(folder, test))
    // An update never writes into the program that it replaces, so a link will do.
    linkSync(source, program)
    return program
  }

  async function update(program: string): Promise<{ readonly status: number | null; readonly said: string; readonly errors: string }> {
    const child = spawn(program, ['update', '--from', address, '--service', 'none'], { env: {}, stdio: ['ignore', 'pipe', 'pipe'] })
    const [said, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return { status: child.exitCode, said, errors }
  }

  const versionOf = (program: string): string => spawnSync(program, ['--version'], { encoding: 'utf8', env: {} }).stdout.trim()

  test('a newer signed release replaces the program, and the version before it stays beside it', async () => {
    const program = installed('newer')
    release(newer)
    const { status, said } = await update(program)
    assert.deepEqual([status, versionOf(program), versionOf(`${program}.previous`)], [0, NEWER, VEDETTE_VERSION], said)
    assert.equal(existsSync(`${program}.new`), false)
  })

  test('a release of the same version changes nothing', async () => {
    const program = installed('same')
    release(newer, { version: VEDETTE_VERSION })
    const { status, said } = await update(program)
    assert.deepEqual([status, /is up to date/.test(said), existsSync(`${program}.previous`)], [0, true, false])
  })

  const refusals: readonly (readonly [what: string, reason: RegExp, prepare: () => void])[] = [
    ['a signature of another key', /made with another key/, () => release(small, { key: 'other' })],
    ['another program than the signed one', /checksum/, () => release(small, { sum: '0'.repeat(64) })],
    [
      'a changed list of checksums',
      /does not belong/,
      () => (release(small), writeFileSync(join(served, SUMS), `${sha256(small)}  ${name}2\n`)),
    ],
    ['an interrupted download', /Cannot download/, () => (release(small), void (isCut = true))],
    [
      'a program of another version than the signed one',
      /is of version 9\.9\.9, expected 9\.9\.8/,
      () => release(small, { version: '9.9.8' }),
    ],
    ['a program for another machine', /does not run on this machine/, () => release(Buffer.from('\x7fELF and nothing more'))],
    [
      'a release without a program for this machine',
      /has no file/,
      () => {
        release(small)
        writeFileSync(join(served, SUMS), `${sha256(small)}  vedette-linux-s390x\n`)
        minisign('-S', '-s', 'key.sec', '-m', join(served, SUMS), '-t', commentOf(NEWER))
      },
    ],
  ]
  for (const [index, [what, reason, prepare]] of refusals.entries())
    test(`refuses ${what}, with one sentence, and changes nothing`, async () => {
      const program = installed(`refused-${index}`)
      prepare()
      const { status, errors } = await update(program)
      isCut = false
      assert.equal(status, 1, errors)
      assert.match(errors, reason)
      assert.equal(errors.trim().split('\n').length, 1)
      assert.equal(versionOf(program), VEDETTE_VERSION)
      assert.deepEqual([existsSync(`${program}.new`), existsSync(`${program}.previous`)], [false, false])
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
        program: source,
        architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
        output: join(served, 'vedette.deb'),
        compression: 'none',
      })
      await succeed(`node -e "fetch('${address}/vedette.deb').then(async (it) => fs.writeFileSync('/srv/vedette.deb', await it.bytes()))"`)
      await succeed(`mkdir -p /etc/vedette && echo VEDETTE_LISTEN=${listen} > /etc/vedette/vedette.env`)
      await succeed('dpkg --force-confold --install /srv/vedette.deb')

      release(Buffer.from(`#!/bin/sh\ncase "$1" in --version) echo ${NEWER};; *) exit 1;; esac\n`))
      const broken = await run(`vedette update --from ${address}`)
      assert.deepEqual([broken.status, /was put back and is running/.test(broken.said)], [1, true], broken.said)
      assert.equal((await succeed('vedette --version')).trim(), VEDETTE_VERSION)
      assert.ok(await healthy())

      release(newer)
      const good = await run(`vedette update --from ${address}`)
      assert.deepEqual([good.status, good.said.includes(`Vedette ${NEWER} is running`)], [0, true], good.said)
      assert.ok(await healthy())
      assert.equal((await succeed('vedette --version')).trim(), NEWER)
    })
})
