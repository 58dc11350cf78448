import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { runDoctor } from '../../src/cli/doctor/doctor.ts'
import { checkBackups, checkClock, checkTls } from '../../src/cli/doctor/file-checks.ts'
import { compiledSources } from '../compiled-sources.ts'
import { machinesPostgres } from '../databases.ts'
import { startHubProcess } from '../hub-process.ts'
import { localCertificate } from '../local-certificate.ts'
import { makeMemoryFolder } from '../memory-folder.ts'

const isLong = process.env['VEDETTE_LONG'] === '1'
const program = join(import.meta.dirname, '..', '..', 'src', 'vedette.ts')

async function doctor(...args: readonly string[]) {
  const child = spawn(process.execPath, [program, 'doctor', ...args], {
    env: { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1', ...compiledSources },
  })
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  assert.equal(complained, '')
  return { status: child.exitCode, said }
}

/** The same in this process, which is faster. */
async function doctorHere(...args: readonly string[]) {
  const lines: string[] = []
  const say = (line: string): void => void lines.push(line)
  const status = await runDoctor(args, { environment: {}, say })
  return { status, said: `${lines.join('\n')}\n` }
}

/** Every file below a folder: its mode, time of change and content. */
const filesIn = (folder: string): readonly unknown[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const facts = lstatSync(join(folder, name))
      return [name, facts.mode, facts.mtimeMs, facts.isFile() ? readFileSync(join(folder, name)).toString('base64') : '']
    })

const ADMIN = { VEDETTE_ADMIN_EMAIL: 'admin@example.com', VEDETTE_ADMIN_PASSWORD: 'correct-horse-1' }
const stack = new AsyncDisposableStack()
let stopped = ''
let killed = ''
let free = ''

function folder(): string {
  const path = makeMemoryFolder('vedette-doctor-test-')
  stack.defer(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** A copy of the folder of the hub that stopped. */
function copyOfStopped(): string {
  const path = folder()
  cpSync(stopped, path, { recursive: true, preserveTimestamps: true })
  return path
}

before(async () => {
  stopped = folder()
  killed = folder()
  const first = await startHubProcess(['--data', stopped], ADMIN)
  const listen = new URL(first.address).host
  const running = await doctor('--data', stopped, '--listen', listen)
  assert.equal(running.status, 0, running.said)
  assert.match(running.said, /^ok hub +process \d+ is running on this folder$/m)
  assert.match(running.said, /^ok address +\S+: the hub responds$/m)
  const elsewhere = await doctor('--data', stopped, '--listen', '127.0.0.1:1')
  assert.equal(elsewhere.status, 1)
  assert.match(
    elsewhere.said,
    /^!! address +127\.0\.0\.1:1: the running hub does not respond there\n {4}to mend: give this command the options/m,
  )
  first.kill('SIGTERM')
  assert.equal(await first.ended, 0)
  free = listen
  const second = await startHubProcess(['--data', killed], ADMIN)
  second.kill('SIGKILL')
  await second.ended
})
after(() => stack.disposeAsync())

test('doctor finds no problem in the folder of a stopped hub and of a killed hub, and changes no file', async () => {
  for (const path of [stopped, killed]) {
    const earlier = filesIn(path)
    const { status, said } = await doctor('--data', path, '--listen', free)
    assert.equal(status, 0, said)
    for (const line of [
      /^ok database +\S+ is whole$/m,
      /^ok schema /m,
      /^ok secret key +it decrypts/m,
      /^ok address /m,
      /^-- hub +none is running/m,
    ])
      assert.match(said, line)
    assert.ok(!said.includes(readFileSync(join(path, 'secret.key'), 'utf8').trim()))
    assert.deepEqual(filesIn(path), earlier)
  }
})

type Problem = readonly [what: string, line: RegExp, prepare: (path: string) => readonly string[] | void]
/** Adds a user and a password to the URL of a server. */
const withPassword = (url: string): string => url.replace('//', '//u:hush@')

const problems: readonly Problem[] = [
  ['a missing folder', /^!! data folder +\S+ does not exist\n {4}to mend: start the hub/m, (path) => rmSync(path, { recursive: true })],
  [
    'a folder that others can read',
    /^!! data folder .*: other accounts can read it\n {4}to mend: chmod 700 \S+$/m,
    (path) => chmodSync(path, 0o755),
  ],
  [
    'a database of a newer version',
    /^!! schema +schema 999, this program has \d+: a newer version wrote the database\n {4}to mend: .*vedette backup restore NAME$/m,
    (path) => {
      const database = new DatabaseSync(join(path, 'vedette.sqlite'))
      database.exec("update hub_state set value = '999' where name = 'schemaVersion'; pragma wal_checkpoint(truncate)")
      database.close()
    },
  ],
  [
    'a damaged database',
    /^!! database .*\n {4}to mend: mkdir NEW; cp \S+ NEW; vedette backup restore \S+ --data NEW$/m,
    (path) => {
      const file = join(path, 'vedette.sqlite')
      const content = readFileSync(file)
      content.fill(7, 4096 * 2, 4096 * 60)
      writeFileSync(file, content)
    },
  ],
  [
    'a missing secret key',
    /^!! secret key +Cannot open the secrets .* is missing; put it back .*$/m,
    (path) => rmSync(join(path, 'secret.key')),
  ],
  ['another secret key', /^!! secret key +.* sealed with another key; .*$/m, () => ['--secret-key', 'another key of at least 32 letters']],
  ['options that contradict each other', /^!! settings +--tls-certificate and --tls-key: HTTPS needs both$/m, () => ['--tls-key', 'x']],
  ['a missing certificate', /^!! TLS +Cannot read .*/m, () => ['--tls-key', 'x', '--tls-certificate', 'y']],
  [
    'a server of NATS that is down',
    /^!! NATS +127\.0\.0\.1:1 does not accept/m,
    () => ['--nats', withPassword('nats://127.0.0.1:1'), '--database', withPassword('postgres://127.0.0.1:1/x')],
  ],
  [
    'a database server that is down',
    /^!! PostgreSQL .*\n {4}to mend: start the server/m,
    () => ['--database', withPassword('postgres://127.0.0.1:1/x')],
  ],
]
for (const [what, line, prepare] of problems)
  test(`doctor reports ${what}, and changes no file`, async () => {
    const path = copyOfStopped()
    const options = prepare(path) ?? []
    const earlier = existsSync(path) ? filesIn(path) : undefined
    const { status, said } = await doctorHere('--data', path, '--listen', free, ...options)
    assert.equal(status, 1, said)
    assert.match(said, line)
    assert.doesNotMatch(said, /hush/)
    if (earlier !== undefined) assert.deepEqual(filesIn(path), earlier)
  })

test('doctor reports a port in use with the command that finds the program', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // of a TCP server
  const { status, said } = await doctor('--data', stopped, '--listen', `127.0.0.1:${port}`)
  server.close()
  assert.equal(status, 1)
  assert.match(said, new RegExp(`^!! address .*another program is using it; find it with: ss -ltnp 'sport = :${port}'$`, 'm'))
})

test(
  'doctor ends when a server accepts connections but never responds',
  { skip: !isLong && 'the long suite waits for the timeout' },
  async () => {
    const sockets = new Set<{ readonly destroy: () => void }>()
    const server = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo // of a TCP server
    const { status, said } = await doctor('--data', stopped, '--listen', free, '--database', withPassword(`postgres://127.0.0.1:${port}/x`))
    for (const socket of sockets) socket.destroy()
    server.close()
    assert.equal(status, 1)
    assert.match(said, /^!! PostgreSQL /m)
  },
)

test('doctor checks a PostgreSQL database', async (t) => {
  const kind = machinesPostgres()
  if (kind === undefined) return t.skip('there is no PostgreSQL server on this machine')
  await using place = await kind.place()
  assert.ok('url' in place.at)
  const options = ['--data', folder(), '--listen', free, '--database', place.at.url]
  assert.match((await doctor(...options)).said, /^ok PostgreSQL +version \S+.* responds$\n^-- schema +no tables yet/m)
  const hub = await startHubProcess(options, ADMIN)
  hub.kill('SIGTERM')
  await hub.ended
  const { status, said } = await doctor(...options)
  assert.equal(status, 0, said)
  for (const line of [/^ok schema /m, /^ok clocks /m, /^ok pg_dump /m, /^ok secret key +it decrypts/m]) assert.match(said, line)
})

test('checkTls reports an expired certificate, checkClock a clock that was set back, checkBackups an old backup', async () => {
  const pem = folder()
  const files = { certificate: join(pem, 'cert.pem'), key: join(pem, 'key.pem') }
  writeFileSync(files.certificate, localCertificate.cert)
  writeFileSync(files.key, localCertificate.key)
  assert.equal((await checkTls(files, Date.now())).state, 'works')
  assert.match((await checkTls(files, Date.UTC(2200, 0, 1))).found, /^the certificate expired at /)
  assert.match((await checkTls(files, Date.UTC(2000, 0, 1))).found, /^the certificate is valid from /)
  assert.equal((await checkClock(stopped, Date.now())).state, 'works')
  assert.match((await checkClock(stopped, Date.UTC(2026, 0, 2))).found, /but a file of the hub is of /)
  assert.match((await checkClock(stopped, 0)).found, /is before this program was made/)
  const backups = folder()
  writeFileSync(join(backups, 'monday.zip'), '')
  assert.equal((await checkBackups(backups, Date.now())).state, 'works')
  assert.deepEqual((await checkBackups(backups, Date.now() + 9.5 * 86_400_000)).found, '1, the newest is 9 days old')
})
