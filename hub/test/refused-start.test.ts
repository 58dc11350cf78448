import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { SQLITE_FILE } from '../src/db/sqlite.ts'
import { databases } from './databases.ts'

const program = join(import.meta.dirname, '..', 'src', 'main.ts')
const ANY_PORT = '127.0.0.1:0'

function folder() {
  const path = mkdtempSync(join(tmpdir(), 'vedette-start-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

const launch = (args: readonly string[]) => spawn(process.execPath, [program, ...args], { env: { NODE_NO_WARNINGS: '1' } })

/** Runs a hub that should not start; gives its exit status and what it said about that. */
async function refused(args: readonly string[]) {
  const child = launch(['--log-level', 'error', ...args])
  const [said] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { status: child.exitCode, said: said.trim() }
}

/** A hub that ran and stopped in this directory. */
async function ranIn(data: string, more: readonly string[] = []): Promise<void> {
  const child = launch(['--listen', ANY_PORT, '--data', data, '--log-level', 'error', ...more])
  await once(createInterface({ input: child.stdout }), 'line')
  child.kill('SIGTERM')
  const [status] = (await once(child, 'exit')) as [number | null]
  assert.equal(status, 0)
}

/** Every file below a folder with the hash of its content. */
function contents(path: string): Record<string, string> {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(path, name)).isFile())
  return Object.fromEntries(
    names.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(path, name)))
        .digest('hex'),
    ]),
  )
}

/** One sentence of an operator's words: no stack, no second line. */
function assertSentence(said: string, expected: RegExp): void {
  assert.match(said, expected)
  assert.equal(said.split('\n').length, 1, said)
}

test('a hub lists every problem of its configuration at once and touches nothing', { timeout: 60_000 }, async () => {
  using place = folder()
  const data = join(place.path, 'data')
  const { status, said } = await refused(['--listen', 'nowhere', '--data', data, '--colour', 'red', '--database', 'mysql://x'])
  assert.equal(status, 2)
  assert.deepEqual(
    said.split('\n').map((line) => line.split(':')[0]),
    ['--colour', '--listen', '--database'],
  )
  assert.deepEqual(readdirSync(place.path), [])
})

test('a hub whose port is taken says so and touches nothing', { timeout: 60_000 }, async () => {
  using place = folder()
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = `127.0.0.1:${(other.address() as AddressInfo).port}`
  const { status, said } = await refused(['--listen', address, '--data', join(place.path, 'data')])
  other.close()
  assert.equal(status, 1)
  assertSentence(said, new RegExp(address))
  assert.deepEqual(readdirSync(place.path), [])
})

test('a hub whose data directory cannot be written says so', { timeout: 60_000 }, async () => {
  using place = folder()
  writeFileSync(join(place.path, 'file'), '')
  const { status, said } = await refused(['--listen', ANY_PORT, '--data', join(place.path, 'file', 'data')])
  assert.equal(status, 1)
  assertSentence(said, /^Cannot write to the data directory ".*"/)
})

test('a second hub is refused the directory of the first', { timeout: 60_000 }, async () => {
  using place = folder()
  const first = launch(['--listen', ANY_PORT, '--data', place.path, '--log-level', 'error'])
  await once(createInterface({ input: first.stdout }), 'line')
  const { status, said } = await refused(['--listen', ANY_PORT, '--data', place.path])
  first.kill('SIGTERM')
  await once(first, 'exit')
  assert.equal(status, 1)
  assertSentence(said, /another hub is using it \(process \d+\)$/)
})

test('a hub refuses a database of a newer version and leaves it as it is', { timeout: 60_000 }, async () => {
  using place = folder()
  await ranIn(place.path)
  const database = new DatabaseSync(join(place.path, SQLITE_FILE))
  database.exec("update hub_state set value = '999' where name = 'schemaVersion'")
  database.close()
  const before = contents(place.path)
  const { status, said } = await refused(['--listen', ANY_PORT, '--data', place.path])
  assert.equal(status, 1)
  assertSentence(said, /written by a newer version/)
  assert.deepEqual(contents(place.path), before)
})

test('a hub refuses a damaged database and leaves it as it is', { timeout: 60_000 }, async () => {
  using place = folder()
  mkdirSync(place.path, { recursive: true })
  writeFileSync(join(place.path, SQLITE_FILE), 'this is no database, and whoever wrote it may want it back'.repeat(100))
  const before = contents(place.path)
  const { status, said } = await refused(['--listen', ANY_PORT, '--data', place.path])
  assert.equal(status, 1)
  assertSentence(said, /damaged or not a database/)
  assert.deepEqual(contents(place.path), before)
})

test('a hub refuses a directory of another database, and secrets sealed with another key', { timeout: 60_000 }, async () => {
  using place = folder()
  await ranIn(place.path)
  const postgres = databases.find(({ name }) => name === 'postgres')
  assert.ok(postgres)
  await using other = await postgres.place()
  assert.ok('url' in other.at)
  const foreign = await refused(['--listen', ANY_PORT, '--data', place.path, '--database', other.at.url])
  assert.equal(foreign.status, 1)
  assertSentence(foreign.said, /it belongs to another one$/)
  const locked = await refused(['--listen', ANY_PORT, '--data', place.path, '--secret-key', 'another key of at least 32 letters'])
  assert.equal(locked.status, 1)
  assertSentence(locked.said, /sealed with another key$/)
  await ranIn(place.path)
})

test('a hub whose PostgreSQL does not answer says so', { timeout: 60_000 }, async () => {
  using place = folder()
  const { status, said } = await refused(['--listen', ANY_PORT, '--data', place.path, '--database', 'postgres://nobody@127.0.0.1:1/none'])
  assert.equal(status, 1)
  assertSentence(said, /^Cannot .*database/)
})

test('a hub whose key for agents is damaged makes no new one', { timeout: 60_000 }, async () => {
  using place = folder()
  await ranIn(place.path)
  writeFileSync(join(place.path, 'id_ed25519'), 'damaged')
  const { status, said } = await refused(['--listen', ANY_PORT, '--data', place.path])
  assert.equal(status, 1)
  assertSentence(said, /^Cannot read ".*id_ed25519"/)
  assert.equal(readFileSync(join(place.path, 'id_ed25519'), 'utf8'), 'damaged')
})
