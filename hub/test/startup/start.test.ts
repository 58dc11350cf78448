import assert from 'node:assert/strict'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { silentLog } from '../databases.ts'
import { refusedHub, startHubProcess } from '../hub-process.ts'

function folder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'vedette-start-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

test('a hub with invalid options reports all of them at once and exits with 2', async () => {
  const { status, complaints } = await refusedHub(['--listen', 'nowhere', '--colour', 'red', '--log-level', 'loud'])
  assert.equal(status, 2)
  assert.equal(complaints.length, 3, complaints.join('\n'))
})

test('a hub whose port is in use reports it, exits with 1 and writes no file', async () => {
  using data = folder()
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // of a TCP server that listens
  const { status, complaints } = await refusedHub(['--listen', `127.0.0.1:${port}`, '--data', data.path])
  server.close()
  assert.deepEqual(
    { status, complaints },
    {
      status: 1,
      complaints: [`Cannot listen on 127.0.0.1:${port}: another program is using it; find it with: ss -ltnp 'sport = :${port}'`],
    },
  )
  assert.deepEqual(readdirSync(data.path), [])
})

test('a second hub on a data directory reports it and exits with 1; after a kill the directory is free', async () => {
  using data = folder()
  const first = await startHubProcess(['--data', data.path])
  const { status, complaints } = await refusedHub(['--listen', '127.0.0.1:0', '--data', data.path])
  assert.equal(status, 1)
  assert.match(
    complaints.join('\n'),
    /^Cannot use the data directory ".*": another hub is using it \(process \d+\); stop that hub, or give this one another directory with --data$/,
  )
  first.kill('SIGKILL')
  await first.ended
  const second = await startHubProcess(['--data', data.path])
  second.kill('SIGINT')
  assert.equal(await second.ended, 0)
  assert.equal(second.complaints(), '')
})

test('a damaged database is refused with one sentence and left unchanged', async () => {
  using data = folder()
  writeFileSync(join(data.path, 'vedette.sqlite'), 'this is not a database, whatever its name says'.repeat(200))
  const { status, complaints } = await refusedHub(['--listen', '127.0.0.1:0', '--data', data.path])
  assert.equal(status, 1)
  assert.equal(complaints.length, 1)
  assert.match(
    complaints[0] ?? '',
    /damaged or not a database; restore a backup in a new directory with: mkdir NEW; cp \S+ NEW; vedette backup restore \S+ --data NEW$/,
  )
  assert.deepEqual(readdirSync(data.path), ['vedette.sqlite'])
})

test('a misspelled environment variable is reported with the likely name, and variables of other programs are not', async () => {
  using data = folder()
  writeFileSync(join(data.path, 'vedette.sqlite'), 'this ends the hub after it has read its settings'.repeat(200))
  const ours = (name: string) => `VEDETTE_${name}`
  const environment = {
    [ours('LISTN')]: '127.0.0.1:0',
    [ours('LISTEN')]: '127.0.0.1:0',
    // Kubernetes sets these for a service of this name.
    [ours('SERVICE_HOST')]: '192.0.2.1',
    [ours('PORT')]: 'tcp://192.0.2.1:80',
  }
  const { complaints } = await refusedHub(['--data', data.path], environment)
  const warnings = complaints.filter((line) => line.includes('"level":"warn"')).map((line) => JSON.parse(line) as object)
  assert.partialDeepStrictEqual(warnings, [{ message: 'unknown setting', name: ours('LISTN'), meant: [ours('LISTEN')] }])
  assert.equal(warnings.length, 1)
})

test('a database of a newer version is refused with one sentence', async () => {
  using data = folder()
  const database = await openDatabase({ at: { directory: data.path }, bus: inProcessEventBus(), log: silentLog })
  await database.write(({ sql }) => sql.updateTable('hub_state').set({ value: '999' }).where('name', '=', 'schemaVersion').execute())
  await database.close()
  const { status, complaints } = await refusedHub(['--listen', '127.0.0.1:0', '--data', data.path])
  assert.equal(status, 1)
  assert.match(
    complaints.join('\n'),
    /^Cannot use the database: it was written by a newer version \(schema 999\) than this one, \S+ \(schema \d+\); start the newer version, or go back .* "vedette backup restore NAME" restores it$/,
  )
})

test('a data directory that is a file is refused with one sentence', async () => {
  using data = folder()
  const path = join(data.path, 'file')
  writeFileSync(path, '')
  const { status, complaints } = await refusedHub(['--listen', '127.0.0.1:0', '--data', path])
  assert.equal(status, 1)
  assert.match(complaints.join('\n'), /^Cannot write to the data directory ".*": a file is in its place; see it with: ls -ld \S+$/)
})

test('a data directory of another database is refused with one sentence, and that database is unchanged', async () => {
  using data = folder()
  using other = folder()
  for (const path of [data.path, other.path]) {
    const hub = await startHubProcess(['--data', path])
    hub.kill('SIGTERM')
    assert.equal(await hub.ended, 0)
  }
  copyFileSync(join(other.path, 'vedette.sqlite'), join(data.path, 'vedette.sqlite'))
  const before = readFileSync(join(data.path, 'vedette.sqlite'))
  const { status, complaints } = await refusedHub(['--listen', '127.0.0.1:0', '--data', data.path])
  assert.equal(status, 1)
  assert.match(
    complaints.join('\n'),
    /^Cannot use the data directory ".*" with this database: it belongs to another one; give the directory and the database of one hub with --data and --database$/,
  )
  assert.deepEqual(readFileSync(join(data.path, 'vedette.sqlite')), before)
})

test('an unreachable database server is reported with one sentence, without the password', async () => {
  using data = folder()
  const { status, complaints } = await refusedHub([
    '--listen',
    '127.0.0.1:0',
    '--data',
    data.path,
    '--database',
    'postgres://hub:hush@127.0.0.1:1/none',
  ])
  assert.equal(status, 1)
  assert.equal(complaints.length, 1)
  assert.match(complaints[0] ?? '', /^Cannot read the database: /)
  assert.doesNotMatch(complaints[0] ?? '', /hush/)
})

test('a wrong secret key and a damaged agent key are reported with one sentence, and no new key is created', async () => {
  using data = folder()
  const first = await startHubProcess(['--data', data.path])
  first.kill('SIGTERM')
  await first.ended
  const at = ['--listen', '127.0.0.1:0', '--data', data.path]
  const locked = await refusedHub([...at, '--secret-key', 'another key of at least 32 letters'])
  assert.equal(locked.status, 1)
  assert.match(
    locked.complaints.join('\n'),
    /^Cannot open the secrets of the database: they were sealed with another key; give the hub the key from before, .*$/,
  )
  writeFileSync(join(data.path, 'id_ed25519'), 'damaged')
  const keyless = await refusedHub(at)
  assert.equal(keyless.status, 1)
  assert.match(keyless.complaints.join('\n'), /^Cannot read ".*id_ed25519": .*$/)
  assert.equal(readFileSync(join(data.path, 'id_ed25519'), 'utf8'), 'damaged')
})
