import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { thisProgram, type Program } from '../../src/platform/db/migrations/all-migrations.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import type { ChangedBuild } from '../changed-build.ts'
import { compiledSources } from '../compiled-sources.ts'
import { databases, machinesPostgres, silentLog, type TestDatabaseKind } from '../databases.ts'
import { refusedHub, startHubProcess } from '../hub-process.ts'
import { makeMemoryFolder } from '../memory-folder.ts'
import { smallDisk, takeEverything } from '../small-disk.ts'
import { gated, upgradingBuild, UPGRADED_VERSION } from '../upgrading-build.ts'

const sqlite = databases.find(({ name }) => name === 'sqlite')
assert.ok(sqlite)
const kinds = [sqlite, machinesPostgres()].filter((kind) => kind !== undefined)
const ADMIN = { VEDETTE_ADMIN_EMAIL: 'admin@example.com', VEDETTE_ADMIN_PASSWORD: 'correct-horse-1' }
const COPY = /^before_upgrade_to_99-2-0_\d{14}\.zip$/
const isLong = process.env['VEDETTE_LONG'] === '1'
const commands = join(import.meta.dirname, '..', '..', 'src', 'vedette.ts')

let built: ChangedBuild | undefined
const newer = (): string => (built ??= upgradingBuild()).program
after(() => built?.[Symbol.dispose]())

/** Flags of a hub on a new database, and its data folder. */
async function place(kind: TestDatabaseKind, path = makeMemoryFolder('vedette-upgrade-')) {
  const database = await kind.place()
  return {
    path,
    flags: ['--data', path, ...('url' in database.at ? ['--database', database.at.url] : [])],
    async [Symbol.asyncDispose]() {
      // A hub that a failed assertion left behind.
      if (existsSync(join(path, 'hub.lock'))) process.kill(holderOf(path), 'SIGKILL')
      if ('url' in database.at) await database[Symbol.asyncDispose]()
      rmSync(path, { recursive: true, force: true })
    },
  }
}

async function runOnce(flags: readonly string[], environment = {}, program?: string): Promise<string> {
  const hub = await startHubProcess(['--log-level', 'info', ...flags], environment, program)
  hub.kill('SIGTERM')
  assert.equal(await hub.ended, 0)
  return hub.complaints()
}

async function vedette(args: readonly string[], program = commands) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1', ...compiledSources },
  })
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { status: child.exitCode, said: said.trim(), complained: complained.trim() }
}

const backupsIn = (path: string): readonly string[] => {
  const folder = join(path, 'backups')
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.zip')) : []
}

const entryOf = (log: string, message: string) => {
  const line = log.split('\n').find((one) => one.includes(message))
  assert.ok(line, log)
  return JSON.parse(line) as Record<string, unknown>
}

// The short suite tests SQLite without kills, because each start of a hub takes a second.
for (const kind of isLong ? kinds : [sqlite]) {
  test(
    `${kind.name}: an upgrade makes a backup, and the command in the log brings the old version back`,
    { timeout: 300_000 },
    async () => {
      await using data = await place(kind)
      const { path, flags } = data
      await runOnce(flags, ADMIN)
      assert.deepEqual(backupsIn(path), [], 'a new database needs no backup')

      const log = await runOnce(flags, {}, newer())
      const [name = '', ...others] = backupsIn(path)
      assert.deepEqual(others, [])
      assert.match(name, COPY)
      const file = join(path, 'backups', name)
      assert.equal(statSync(file).mode & 0o777, 0o600)
      const entry = entryOf(log, 'backup made before the upgrade of the database')
      const server = kind.name === 'postgres' ? ' --database URL' : ''
      assert.deepEqual([entry['path'], entry['restore']], [file, `vedette backup restore ${name} --data ${path}${server}`])
      assert.equal(entryOf(log, 'database migrated')['copy'], file)

      const refused = await refusedHub(['--listen', '127.0.0.1:0', ...flags])
      assert.equal(refused.status, 1)
      assert.match(refused.complaints.join('\n'), /newer version, 99\.2\.0, .* or go back .* "vedette backup restore NAME" restores it$/)
      const listed = await vedette(['backup', 'list', ...flags])
      assert.ok(listed.said.includes(name), listed.complained)
      const restored = await vedette(['backup', 'restore', name, ...flags])
      assert.deepEqual([restored.status, restored.complained], [0, ''])
      await runOnce(flags)
      assert.match((await vedette(['user', 'list', ...flags])).said, /admin@example\.com/)
    },
  )

  if (isLong)
    test(
      `${kind.name}: a hub that is killed in the middle of an upgrade leaves a database that both versions open`,
      { timeout: 300_000 },
      async () => {
        await using data = await place(kind)
        const { path, flags } = data
        await runOnce(flags, ADMIN)
        // Killed while it makes the backup, or soon after: the folder of unfinished backups shows that it has begun.
        const killed = startHubProcess(flags, {}, newer()).catch((error: unknown) => error)
        const pid = await Promise.race([ownerOfWork(path), killed.then(() => assert.fail('it made no backup'))])
        process.kill(pid, 'SIGKILL')
        assert.match(String(await killed), /ended with SIGKILL/)
        await runOnce(flags)

        // Killed within the transaction of the migrations.
        const fifo = fifoIn(path, 'migrating')
        const migrating = startHubProcess(flags, gated(fifo), newer()).catch((error: unknown) => error)
        // Opening the FIFO waits until the migration reads from it.
        const gate = createWriteStream(fifo)
        await Promise.race([once(gate, 'open'), migrating.then((error) => assert.fail(String(error)))])
        process.kill(holderOf(path), 'SIGKILL')
        assert.match(String(await migrating), /ended with SIGKILL/)
        gate.destroy()
        await runOnce(flags)
        await runOnce(flags, {}, newer())
        assert.match((await vedette(['user', 'list', ...flags], newerCommands())).said, /admin@example\.com/)
        const copies = backupsIn(path)
        assert.ok(copies.length >= 2 && copies.length <= 3, copies.join())
        assert.ok(copies.every((name) => COPY.test(name)))
      },
    )
}

const newerCommands = (): string => newer().replace(/main\.ts$/, 'vedette.ts')

function fifoIn(path: string, name: string): string {
  const fifo = join(path, name)
  execFileSync('mkfifo', [fifo])
  return fifo
}

const holderOf = (path: string): number => (JSON.parse(readFileSync(join(path, 'hub.lock'), 'utf8')) as { readonly pid: number }).pid

/** Waits until a hub on this data folder has begun a backup. Resolves with the id of its process. */
async function ownerOfWork(path: string): Promise<number> {
  const unfinished = join(path, 'backups', '.unfinished')
  using changes = watchFolder(path)
  for (;;) {
    if (existsSync(unfinished) && readdirSync(unfinished).some((name) => name.startsWith('work-'))) return holderOf(path)
    await changes.next()
  }
}

function watchFolder(path: string): Disposable & { readonly next: () => Promise<unknown> } {
  const watcher = watch(path, { recursive: true })
  return { next: () => once(watcher, 'change'), [Symbol.dispose]: () => watcher.close() }
}

if (isLong)
  test('an upgrade without space for a backup does not run, and changes nothing', { timeout: 300_000 }, async (t) => {
    const disk = smallDisk('24m')
    if (typeof disk === 'string') return t.skip(disk)
    using _disk = disk
    const path = join(disk.path, 'data')
    const flags = ['--data', path]
    await runOnce(flags, ADMIN)
    const before = readFileSync(join(path, 'vedette.sqlite'))
    const filler = join(disk.path, 'everything')
    takeEverything(filler)
    // Room for the lock and the WAL, not for a copy of the database.
    truncateSync(filler, statSync(filler).size - 160 * 1024)
    const refused = await refusedHubOf(newer(), flags)
    assert.equal(refused.status, 1)
    assert.equal(
      refused.complained,
      `Cannot upgrade the database: no backup could be made in "${path}/backups" (the disk is full), so nothing was changed; correct that, or start once with --upgrade-without-backup true`,
    )
    assert.deepEqual(readFileSync(join(path, 'vedette.sqlite')), before)
    assert.deepEqual(backupsIn(path), [])
    rmSync(filler)
    await runOnce(flags)
    await runOnce([...flags, '--upgrade-without-backup', 'true'], {}, newer())
    assert.deepEqual(backupsIn(path), [])
  })

/** Runs the hub of another build, which is expected to refuse. */
const refusedHubOf = (program: string, flags: readonly string[]) => vedette(['--listen', '127.0.0.1:0', ...flags], program)

test('a command of a newer version does not upgrade the database', { timeout: 120_000 }, async () => {
  await using data = await place(sqlite)
  await runOnce(data.flags, ADMIN)
  const before = readFileSync(join(data.path, 'vedette.sqlite'))
  const refused = await vedette(['user', 'list', ...data.flags], newerCommands())
  assert.equal(refused.status, 1)
  assert.equal(
    refused.complained,
    `Cannot use the database: it has the tables of an older version than this one, ${UPGRADED_VERSION}; start the hub, which makes a backup and upgrades them, or use the older version`,
  )
  assert.deepEqual(readFileSync(join(data.path, 'vedette.sqlite')), before)
})

test('the commands in the sentence about a damaged database bring the hub back', { timeout: 120_000 }, async () => {
  await using data = await place(sqlite)
  await using fresh = await place(sqlite)
  const { path, flags } = data
  await runOnce(flags, ADMIN)
  assert.equal((await vedette(['backup', 'create', 'monday.zip', ...flags])).status, 0)
  writeFileSync(join(path, 'vedette.sqlite'), 'no database, whatever its name says'.repeat(200))
  const [sentence = ''] = (await refusedHub(['--listen', '127.0.0.1:0', ...flags])).complaints
  const [, copy, backup] = /mkdir NEW; (cp \S+ )NEW; vedette backup restore (\S+)NAME --data NEW$/.exec(sentence) ?? []
  assert.ok(copy !== undefined && backup !== undefined, sentence)
  execFileSync('/bin/sh', ['-c', `${copy}${fresh.path}`])
  const restored = await vedette(['backup', 'restore', `${backup}monday.zip`, ...fresh.flags])
  assert.deepEqual([restored.status, restored.complained], [0, ''])
  await runOnce(fresh.flags)
  assert.match((await vedette(['user', 'list', ...fresh.flags])).said, /admin@example\.com/)
})

for (const kind of databases)
  test(`${kind.name}: a copy that is made while another hub upgrades the database is discarded`, async () => {
    await using opened = await kind.open()
    const next: Program = { ...thisProgram, version: '1.2.0', migrations: [...thisProgram.migrations, async () => {}] }
    const discarded: string[] = []
    let copies = 0
    await migrate(opened.database, silentLog, {
      program: next,
      async beforeUpgrade(database) {
        copies += 1
        await migrate(database, silentLog, { program: next })
        return { path: 'of a mixed state', discard: async () => void discarded.push('of a mixed state') }
      },
    })
    assert.deepEqual([copies, discarded], [1, ['of a mixed state']])
  })
