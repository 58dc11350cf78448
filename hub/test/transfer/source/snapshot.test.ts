import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { openForeignHub } from '../../../src/operations/transfer/source/open-foreign-hub.ts'
import { compiledSources } from '../../compiled-sources.ts'
import { roundsOf } from '../../longer-runs.ts'
import { contentOf, foreignFolder } from './foreign-folder.ts'

/** Copies that are made while a program writes. */
const ROUNDS = roundsOf({ short: 4, long: 50, soak: 500 })

const writer = join(import.meta.dirname, 'foreign-writer.ts')

/** Starts a program that writes rows in pairs, one transaction each, as fast as it can. Resolves after the first ones. */
async function startWriter(database: string) {
  const child = spawn(process.execPath, [writer, database], { stdio: ['pipe', 'pipe', 'inherit'], env: { NODE_NO_WARNINGS: '1' } })
  await once(child.stdout, 'data')
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return { end, [Symbol.asyncDispose]: () => (child.exitCode === null && child.signalCode === null ? end('SIGKILL') : Promise.resolve()) }
}

const count = (database: DatabaseSync, sql: string): number => Number(database.prepare(`select count(*) as n from ${sql}`).get()?.['n'])

test('openForeignHub reads a closed database and changes no file beside it', async () => {
  for (const dump of ['0.9.1', '0.12.12', '0.18.8-head'] as const) {
    using theirs = foreignFolder(dump)
    const before = contentOf(theirs.path)
    for (const path of [theirs.path, theirs.database]) {
      await using hub = await openForeignHub(path, { workplace: join(theirs.data, 'import') })
      assert.equal(count(hub.database, 'users'), 3)
      assert.equal(hub.privateKey, theirs.privateKey)
      assert.ok(count(hub.database, 'system_stats') > 30)
      assert.ok(hub.newestSampleMs !== undefined && Math.abs(hub.newestSampleMs - hub.changedMs) < 1000)
      assert.throws(() => hub.database.exec('delete from users'), /readonly/)
      const [work] = readdirSync(join(theirs.data, 'import'))
      assert.equal(statSync(join(theirs.data, 'import', work ?? '')).mode & 0o777, 0o700)
    }
    assert.deepEqual(readdirSync(join(theirs.data, 'import')), [])
    assert.deepEqual(contentOf(theirs.path), before)
  }
})

test('openForeignHub reads the WAL that a killed hub left, with and without its -shm, and changes no file', async () => {
  using theirs = foreignFolder()
  await using running = await startWriter(theirs.database)
  await running.end('SIGKILL')
  assert.ok(statSync(`${theirs.database}-wal`).size > 0)
  assert.ok(existsSync(`${theirs.database}-shm`))
  for (const withMemory of [true, false]) {
    if (!withMemory) rmSync(`${theirs.database}-shm`)
    const before = contentOf(theirs.path)
    await using hub = await openForeignHub(theirs.path, { workplace: join(theirs.data, 'import') })
    assert.ok(count(hub.database, 'first_half') > 0)
    assert.equal(count(hub.database, 'first_half'), count(hub.database, 'second_half'))
    assert.deepEqual(contentOf(theirs.path), before)
  }
})

test('openForeignHub takes an empty WAL, which a program that only reads leaves, for no change', async () => {
  using theirs = foreignFolder()
  const reader = new DatabaseSync(theirs.database, { readOnly: true })
  reader.prepare('select count(*) from users').get()
  reader.close()
  assert.equal(statSync(`${theirs.database}-wal`).size, 0)
  await using hub = await openForeignHub(theirs.path, { workplace: join(theirs.data, 'import') })
  assert.ok(Math.abs(hub.changedMs - (hub.newestSampleMs ?? 0)) < 1000)
})

test('openForeignHub reads a folder with any name while the hub writes', async () => {
  using theirs = foreignFolder()
  const path = join(theirs.parent, 'a #1 ?mode=rw&%41 ü')
  renameSync(theirs.path, path)
  await using running = await startWriter(join(path, 'data.db'))
  await using hub = await openForeignHub(path, { workplace: join(theirs.data, 'import') })
  assert.ok(count(hub.database, 'first_half') > 0)
  await running.end('SIGTERM')
})

test('openForeignHub reads both rows of each transaction, or none, while a program writes all the time', { timeout: 600_000 }, async () => {
  using theirs = foreignFolder()
  await using running = await startWriter(theirs.database)
  const files = readdirSync(theirs.path).toSorted()
  let last = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    await using hub = await openForeignHub(theirs.path, { workplace: join(theirs.data, 'import') })
    const pairs = count(hub.database, 'first_half')
    assert.equal(count(hub.database, 'second_half'), pairs)
    assert.equal(count(hub.database, 'first_half join second_half using (pair, content)'), pairs)
    assert.ok(pairs >= last)
    last = pairs
  }
  assert.ok(last > 1)
  assert.deepEqual(readdirSync(theirs.path).toSorted(), files)
  await running.end('SIGTERM')
  // The writer was not disturbed: it closes the database, which removes the WAL.
  assert.ok(!existsSync(`${theirs.database}-wal`))
})

test('openForeignHub reads a read-only mount, while the hub writes and after it was killed', { timeout: 120_000 }, async (t) => {
  using theirs = foreignFolder()
  using mounted = readOnlyMount(theirs.path, join(theirs.parent, 'mounted'))
  if (typeof mounted.problem === 'string') return t.skip(mounted.problem)
  assert.throws(() => writeFileSync(join(mounted.path, 'x'), ''), /EROFS/)
  const workplace = join(theirs.data, 'import')
  {
    await using hub = await openForeignHub(mounted.path, { workplace })
    assert.equal(count(hub.database, 'users'), 3)
  }
  await using running = await startWriter(theirs.database)
  for (const isRunning of [true, false]) {
    if (!isRunning) await running.end('SIGKILL')
    await using hub = await openForeignHub(mounted.path, { workplace })
    assert.ok(count(hub.database, 'first_half') > 0)
    assert.equal(count(hub.database, 'first_half join second_half using (pair, content)'), count(hub.database, 'first_half'))
  }
})

test('openForeignHub reads files that this account may only read, and names a file that it may not', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can start a program as another account')
  using theirs = foreignFolder()
  await using running = await startWriter(theirs.database)
  await running.end('SIGKILL')
  const data = join(theirs.parent, 'nobody')
  mkdirSync(data)
  chownSync(data, NOBODY, NOBODY)
  chmodSync(theirs.parent, 0o755)
  const before = contentOf(theirs.path)
  const readAsNobody = async (): Promise<string> => {
    const source = new URL('../../../src/operations/transfer/source/open-foreign-hub.ts', import.meta.url).href
    const code = `const { openForeignHub } = await import(${JSON.stringify(source)});
      const hub = await openForeignHub(${JSON.stringify(theirs.path)}, { workplace: ${JSON.stringify(join(data, 'import'))} }).catch((error) => console.log(error.message));
      if (hub) { console.log(hub.database.prepare('select count(*) as n from first_half').get().n > 0); await hub[Symbol.asyncDispose](); }`
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      uid: NOBODY,
      gid: NOBODY,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...compiledSources },
    })
    return (await text(child.stdout)).trim()
  }
  chmodSync(join(theirs.path, 'id_ed25519'), 0o644)
  assert.equal(await readAsNobody(), 'true')
  chmodSync(theirs.database, 0o600)
  assert.match(
    await readAsNobody(),
    /^Cannot import ".*theirs": the account "nobody" may not read ".*data\.db"; use an account that may, such as root$/,
  )
  const names = (lines: readonly string[]) => lines.map((line) => line.split(' ').toSpliced(1, 1).join(' '))
  assert.deepEqual(names(contentOf(theirs.path)), names(before))
})

const NOBODY = 65_534

/** Mounts a folder again, for reading only. `problem` says why that is not possible here. */
function readOnlyMount(from: string, path: string): Disposable & { readonly path: string; readonly problem?: string } {
  mkdirSync(path)
  try {
    execFileSync('mount', ['--bind', from, path], { stdio: 'pipe' })
    execFileSync('mount', ['-o', 'remount,ro,bind', path], { stdio: 'pipe' })
  } catch (error) {
    return { path, problem: `only root can mount: ${String(error)}`, [Symbol.dispose]() {} }
  }
  return { path, [Symbol.dispose]: () => void execFileSync('umount', [path], { stdio: 'pipe' }) }
}
