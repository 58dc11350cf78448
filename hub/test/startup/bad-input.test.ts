import assert from 'node:assert/strict'
import { chmodSync, chownSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { databases, silentLog } from '../databases.ts'
import { refusedHub, startHubProcess } from '../hub-process.ts'
import { makeMemoryFolder } from '../memory-folder.ts'
import { smallDisk, takeEverything } from '../small-disk.ts'

/*
 * Each bad input of a start ends with one sentence that names the command that helps, with exit status 1, and changes nothing. Other rows
 * of that table: a port in use, two hubs on one folder and a damaged database (start.test.ts), an older database (upgrade-backup.test.ts),
 * and downloads: interrupted, of another machine, wrongly signed (e2e/update.test.ts).
 */

const postgres = databases.find(({ name }) => name === 'postgres')
assert.ok(postgres)
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
const stack = new AsyncDisposableStack()
let stopped = ''

/** A folder below one that every account can enter. */
function folder(parent = makeMemoryFolder('vedette-bad-')): string {
  stack.defer(() => rmSync(parent, { recursive: true, force: true }))
  mkdirSync(parent, { recursive: true })
  chmodSync(parent, 0o755)
  return join(parent, 'data')
}

function copyOfStopped(parent?: string): string {
  const path = folder(parent)
  cpSync(stopped, path, { recursive: true, preserveTimestamps: true })
  chmodSync(path, 0o700)
  return path
}

const filesIn = (path: string): readonly unknown[] =>
  !existsSync(path)
    ? []
    : readdirSync(path, { recursive: true, encoding: 'utf8' })
        .toSorted()
        .map((name) => {
          const facts = lstatSync(join(path, name))
          return [name, facts.mode, facts.uid, facts.isFile() ? readFileSync(join(path, name)).toString('base64') : '']
        })

before(async () => {
  stopped = folder()
  const hub = await startHubProcess(['--data', stopped])
  hub.kill('SIGTERM')
  assert.equal(await hub.ended, 0)
})
after(() => stack.disposeAsync())

/** Starts a hub on a folder, which must refuse with this sentence and leave every file as it is. */
async function refuses(path: string, sentence: RegExp, options: readonly string[] = [], uid?: number): Promise<void> {
  const earlier = filesIn(path)
  const { status, complaints } = await refusedHub(['--listen', '127.0.0.1:0', '--data', path, ...options], {}, uid)
  assert.equal(status, 1, complaints.join('\n'))
  assert.equal(complaints.length, 1, complaints.join('\n'))
  assert.match(complaints[0] ?? '', sentence)
  assert.deepEqual(filesIn(path), earlier)
}

const asRoot = { skip: !isRoot && 'only root can start programs as another account', timeout: 120_000 }

test('a data folder of another account is refused', asRoot, async () => {
  await refuses(
    copyOfStopped(),
    /^Cannot write to the data directory "\S+": the account "nobody" has no right to use it; give it the right with: chown -R nobody \S+$/,
    [],
    NOBODY,
  )
})

test('a database file of another account is refused', asRoot, async () => {
  const path = copyOfStopped()
  chownSync(path, NOBODY, NOBODY)
  chmodSync(join(path, 'vedette.sqlite'), 0o600)
  await refuses(
    path,
    /^Cannot open the database "\S+": the account "nobody" has no right to use it; give it the right with: chown -R nobody \S+$/,
    [],
    NOBODY,
  )
})

test('a data folder in a folder of another account is refused, and nothing is created', asRoot, async () => {
  await refuses(
    folder(),
    /^Cannot write to the data directory "\S+": the account "nobody" has no right .* chown -R nobody \S+$/,
    [],
    NOBODY,
  )
})

test('a full disk is refused', { timeout: 120_000 }, async (t) => {
  const disk = smallDisk('16m')
  if (typeof disk === 'string') return t.skip(disk)
  using _disk = disk
  const path = copyOfStopped(join(disk.path, 'parent'))
  takeEverything(join(disk.path, 'everything'))
  await refuses(path, /^Cannot write to the data directory "\S+": the disk is full; free space, and see how full it is with: df -h \S+$/)
})

const newer =
  /^Cannot use the database: it was written by a newer version, 9\.9\.9, and this is version \S+; start version 9\.9\.9 or a later one, or go back to the backup from before the upgrade: "vedette backup list" names it, "vedette backup restore NAME" restores it$/

/** Makes a database look like one that version 9.9.9 has upgraded. */
async function makeNewer(at: Parameters<typeof openDatabase>[0]['at']): Promise<void> {
  const database = await openDatabase({ at, bus: inProcessEventBus(), log: silentLog })
  const support = JSON.stringify({ writtenBy: '9.9.9', oldest: { schema: 999, version: '9.9.0' } })
  await database.write(async (unit) => {
    await sql`update hub_state set value = '999' where name = 'schemaVersion'`.execute(unit.sql)
    await sql`update hub_state set value = ${support} where name = 'schemaSupport'`.execute(unit.sql)
  })
  await database.close()
}

test('a SQLite database of a newer version is refused, and its file stays as it is', { timeout: 120_000 }, async () => {
  const path = copyOfStopped()
  await makeNewer({ directory: path })
  await refuses(path, newer)
})

test('a PostgreSQL database of a newer version is refused, and stays as it is', { timeout: 120_000 }, async () => {
  await using place = await postgres.ready()
  const { at } = place
  assert.ok('url' in at)
  await makeNewer(at)
  const written = async (): Promise<unknown> => {
    const database = await openDatabase({ at, bus: inProcessEventBus(), log: silentLog, keepsSchema: true })
    const { rows } = await sql`select relname from pg_stat_user_tables order by relname`.execute(database.kysely)
    const states = await sql`select * from hub_state order by name`.execute(database.kysely)
    await database.close()
    return { tables: rows, states: states.rows }
  }
  const earlier = await written()
  const path = folder()
  mkdirSync(path, { mode: 0o700 })
  await refuses(path, newer, ['--database', at.url, '--secret-key', 'a key of at least 32 characters for it'])
  assert.deepEqual(await written(), earlier)
})
