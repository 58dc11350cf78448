import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { databases } from '../../test/databases.ts'
import { DataDirectoryUnusableError, joinDatabase, takeDataDirectory } from './data-directory.ts'

function folder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'vedette-data-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

test('takeDataDirectory refuses the directory of a running hub and leaves its lock unchanged', () => {
  using place = folder()
  const first = takeDataDirectory(place.path)
  const before = readFileSync(join(place.path, 'hub.lock'), 'utf8')
  assert.throws(() => takeDataDirectory(place.path), DataDirectoryUnusableError)
  assert.equal(readFileSync(join(place.path, 'hub.lock'), 'utf8'), before)
  first.release()
  takeDataDirectory(place.path).release()
  assert.deepEqual(readdirSync(place.path), [])
})

test('takeDataDirectory takes over the directory of a killed hub', async () => {
  using place = folder()
  const script = `import { takeDataDirectory } from '${join(import.meta.dirname, 'data-directory.ts')}'
    takeDataDirectory(process.argv[1]); console.log('held'); setInterval(() => {}, 1000)`
  const holder = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script, place.path])
  await once(holder.stdout, 'data')
  assert.throws(() => takeDataDirectory(place.path), /another hub is using it/)
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  takeDataDirectory(place.path).release()
})

test('takeDataDirectory takes over a lock whose process id belongs to another program', () => {
  using place = folder()
  writeFileSync(join(place.path, 'hub.lock'), JSON.stringify({ pid: process.pid, startedAt: '1' }))
  takeDataDirectory(place.path).release()
})

test('takeDataDirectory reports in one sentence that the path is a file', () => {
  using place = folder()
  writeFileSync(join(place.path, 'file'), '')
  assert.throws(
    () => takeDataDirectory(join(place.path, 'file')),
    /^DataDirectoryUnusableError: Cannot write to the data directory ".*file": a file is in its place; see it with: ls -ld \S+$/,
  )
})

for (const kind of databases) {
  test(`${kind.name}: joinDatabase refuses a directory that belongs to another database`, async () => {
    using place = folder()
    await using first = await kind.open()
    await using second = await kind.open()
    await joinDatabase(place.path, first.database)
    await joinDatabase(place.path, first.database)
    await assert.rejects(joinDatabase(place.path, second.database), /belongs to another one/)
    using fresh = folder()
    await joinDatabase(fresh.path, first.database)
    assert.equal(readFileSync(join(fresh.path, 'instance'), 'utf8'), readFileSync(join(place.path, 'instance'), 'utf8'))
  })
}
