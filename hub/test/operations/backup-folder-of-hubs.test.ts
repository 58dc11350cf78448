import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { openBackupFolder } from '../../src/operations/backups/backup-folder.ts'
import { BackupFolderUnusableError, openSharedBackups } from '../../src/operations/backups/backup-place.ts'
import { openWorkplace, removeAbandonedWork } from '../../src/operations/backups/backup-workplace.ts'
import { BackupRefusedError } from '../../src/operations/backups/archive/backup-error.ts'
import { call, hubsOfOneDatabase, NATS_AWAY, signIn, until } from '../hubs-of-one-database.ts'
import { machinesPostgres } from '../databases.ts'
import { refusedHub, type HubProcess } from '../hub-process.ts'
import { makeMemoryFolder } from '../memory-folder.ts'

const commandLine = join(import.meta.dirname, '..', '..', 'src', 'vedette.ts')

function folders(t: TestContext) {
  const root = makeMemoryFolder('vedette-shared-')
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const [directory, folder] = [join(root, 'data'), join(root, 'backups')]
  mkdirSync(directory)
  mkdirSync(folder)
  return { root, directory, folder, instance: 'fleet-one' }
}

/** An error that names the folder. */
const refused = (folder: string, why: string) => new BackupFolderUnusableError(`Cannot use the backup folder "${folder}": ${why}`)

test('openSharedBackups refuses a missing folder and does not create it', async (t) => {
  const shared = folders(t)
  const folder = join(shared.root, 'not-mounted')
  await assert.rejects(openSharedBackups({ ...shared, folder }), refused(folder, 'it does not exist; create it, or mount it'))
  assert.ok(!readdirSync(shared.root).includes('not-mounted'))
})

test('openSharedBackups refuses a path that is a file', async (t) => {
  const shared = folders(t)
  const folder = join(shared.root, 'file')
  writeFileSync(folder, '')
  await assert.rejects(
    openSharedBackups({ ...shared, folder }),
    refused(folder, 'this hub cannot write files and hard links there (ENOTDIR)'),
  )
})

test('openSharedBackups refuses a folder that is not writable', async (t) => {
  // not writable for root, either
  const folder = '/proc'
  await assert.rejects(
    openSharedBackups({ ...folders(t), folder }),
    refused(folder, 'this hub cannot write files and hard links there (ENOENT)'),
  )
})

test('openSharedBackups refuses the data directory and folders in it, also through a symbolic link', async (t) => {
  const shared = folders(t)
  mkdirSync(join(shared.directory, 'inner'))
  symlinkSync(join(shared.directory, 'inner'), join(shared.root, 'linked'))
  const why = 'it is in the data directory; give a folder elsewhere, or leave --backups out for backups of this hub alone'
  for (const folder of [shared.directory, join(shared.directory, 'inner'), join(shared.root, 'linked')])
    await assert.rejects(openSharedBackups({ ...shared, folder }), refused(folder, why))
  // Only the beginning of its name is the same.
  mkdirSync(`${shared.directory}-of-backups`)
  await openSharedBackups({ ...shared, folder: `${shared.directory}-of-backups` })
})

test('two fleets that share a folder do not see each other’s backups', async (t) => {
  const shared = folders(t)
  const one = await openSharedBackups(shared)
  const other = await openSharedBackups({ ...shared, instance: 'fleet-two' })
  writeFileSync(join(one.path, 'monday.zip'), 'one')
  assert.deepEqual(await openBackupFolder(other).list(), [])
  assert.equal(await openBackupFolder(other).remove('monday.zip'), false)
  assert.deepEqual(
    (await openBackupFolder(one).list()).map(({ name }) => name),
    ['monday.zip'],
  )
})

test('a start and a backup delete unfinished files of dead processes, and keep those of living processes', async (t) => {
  const { unfinished } = await openSharedBackups(folders(t))
  const script = `import { openWorkplace } from '${join(import.meta.dirname, '../../src/operations/backups/backup-workplace.ts')}'
    console.log((await openWorkplace(process.argv[1])).path); setInterval(() => {}, 1000)`
  async function work() {
    const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script, unfinished])
    const [path] = (await once(child.stdout, 'data')) as [Buffer] // the output of the process
    return { path: path.toString('utf8').trim(), child }
  }
  const [dead, alive] = [await work(), await work()]
  const gone = once(dead.child, 'exit')
  dead.child.kill('SIGKILL')
  await gone
  await using own = await openWorkplace(unfinished)
  assert.deepEqual(new Set(readdirSync(unfinished)), new Set([alive.path, own.path].map((path) => basename(path))))

  // Folders of another machine, and of an older version.
  const [renewed, silent, old] = ['work-renewed', 'work-silent', 'b'].map((name) => join(unfinished, name)) as [string, string, string]
  for (const path of [renewed, silent, old]) mkdirSync(path)
  for (const path of [renewed, silent])
    writeFileSync(join(path, '.owner'), JSON.stringify({ pid: process.pid, startedAt: '1', space: 'another machine' }))
  const twoHoursAgo = Date.now() / 1000 - 7200
  utimesSync(join(silent, '.owner'), twoHoursAgo, twoHoursAgo)
  utimesSync(old, twoHoursAgo, twoHoursAgo)
  await removeAbandonedWork(unfinished)
  assert.deepEqual(new Set(readdirSync(unfinished)), new Set([alive.path, own.path, renewed].map((path) => basename(path))))
  alive.child.kill('SIGKILL')
  await once(alive.child, 'exit')
})

test(
  'an unfinished backup of a killed command is deleted by the next backup, in a shared folder of PostgreSQL hubs',
  { timeout: 300_000 },
  async () => {
    await using hubs = await hubsOfOneDatabase(NATS_AWAY)
    const [folder, programs] = ['shared', 'programs'].map((name) => join(hubs.folder, name)) as [string, string] // two names
    mkdirSync(folder)
    mkdirSync(programs)
    writeFileSync(join(programs, 'pg_dump'), `#!/bin/sh\necho $$ > ${programs}/dumping\nexec sleep 1000\n`, { mode: 0o755 })
    const flags = [...hubs.flags().toSpliced(2, 2), '--data', join(hubs.folder, 'a'), '--backups', folder]
    const a = await hubs.start('a', ['--backups', folder])
    const [instance = ''] = readdirSync(folder)
    const unfinished = join(folder, instance, '.unfinished')

    async function startBackup() {
      const child = spawn(process.execPath, [commandLine, 'backup', 'create', ...flags], {
        env: { ...process.env, PATH: `${programs}${delimiter}${process.env['PATH']}` },
      })
      await until(async () => existsSync(join(programs, 'dumping')), Boolean)
      const dumping = Number(readFileSync(join(programs, 'dumping'), 'utf8'))
      rmSync(join(programs, 'dumping'))
      return {
        async kill() {
          const gone = once(child, 'exit')
          child.kill('SIGKILL')
          await gone
          process.kill(dumping, 'SIGKILL')
        },
      }
    }

    const first = await startBackup()
    await first.kill()
    const [left] = readdirSync(unfinished)
    assert.ok(left !== undefined)
    const second = await startBackup()
    const [work = '', ...others] = readdirSync(unfinished)
    assert.deepEqual([work === left, others], [false, []])

    a.kill('SIGKILL')
    await a.ended
    const again = await hubs.start('a', ['--backups', folder])
    assert.deepEqual(readdirSync(unfinished), [work])
    await second.kill()
    again.kill('SIGTERM')
    await again.ended
    await hubs.start('a', ['--backups', folder])
    assert.deepEqual(readdirSync(unfinished), [])
  },
)

test('a shared folder that disappears causes an error, not an empty list, and is not created again', async (t) => {
  const shared = folders(t)
  const place = await openSharedBackups(shared)
  const folder = openBackupFolder(place)
  rmSync(place.path, { recursive: true })
  const gone = new BackupRefusedError(`Cannot use the backup folder "${place.path}": ENOENT`)
  await assert.rejects(folder.list(), gone)
  await assert.rejects(folder.workplace(), gone)
  assert.deepEqual(readdirSync(shared.folder), [])
})

/** Backups need PostgreSQL's client programs, which fit the server of the machine. */
const postgres = machinesPostgres()
const options = { timeout: 240_000, skip: postgres === undefined && 'there is no PostgreSQL with its client programs here' }

const list = async (hub: HubProcess, token: string) => {
  const { status, body } = await call(hub, token, 'GET /api/vedette/backups')
  assert.equal(status, 200)
  return (body['backups'] as readonly { readonly name: string }[]).map(({ name }) => name) // a list of backups
}

test('a backup of hub a can be listed, downloaded and deleted by hub b, but not restored while both run', options, async () => {
  await using hubs = await hubsOfOneDatabase(NATS_AWAY, postgres)
  const folder = join(hubs.folder, 'shared')
  mkdirSync(folder)
  const a = await hubs.start('a', ['--backups', folder])
  const b = await hubs.start('b', ['--backups', folder])
  const { token } = await signIn(a)
  assert.equal((await call(a, token, 'POST /api/backups', { name: 'monday.zip' })).status, 204)
  assert.deepEqual(await list(b, token), ['monday.zip'])
  const [instance = ''] = readdirSync(folder)
  assert.deepEqual(readdirSync(join(folder, instance)).toSorted(), ['.unfinished', 'monday.zip'])

  const { body: file } = await call(b, token, 'POST /api/files/token')
  const downloaded = await fetch(`${b.address}/api/backups/monday.zip?token=${String(file['token'])}`)
  const bytes = new Uint8Array(await downloaded.arrayBuffer())
  assert.equal(downloaded.status, 200)
  // A zip archive.
  assert.deepEqual([...bytes.subarray(0, 4)], [0x50, 0x4b, 0x03, 0x04])

  const restored = await call(b, token, 'POST /api/backups/monday.zip/restore')
  assert.equal(restored.status, 400)
  assert.match(JSON.stringify(restored.body), /Cannot restore while other hubs run: stop all hubs but one, and try again \(running: a\)/)
  assert.equal((await call(b, token, 'GET /api/health')).status, 200)

  assert.equal((await call(b, token, 'DELETE /api/backups/monday.zip')).status, 204)
  assert.deepEqual(await list(a, token), [])

  rmSync(folder, { recursive: true })
  assert.equal((await call(a, token, 'GET /api/vedette/backups')).status, 400)
})

test('the last running hub can restore a backup of another hub', options, async () => {
  await using hubs = await hubsOfOneDatabase(NATS_AWAY, postgres)
  const folder = join(hubs.folder, 'shared')
  mkdirSync(folder)
  const a = await hubs.start('a', ['--backups', folder])
  const b = await hubs.start('b', ['--backups', folder])
  const { token, id } = await signIn(a)
  const systems = async (hub: HubProcess, session: string) => {
    const { body } = await call(hub, session, 'GET /api/collections/systems/records')
    return (body['items'] as readonly { readonly name: string }[]).map(({ name }) => name) // a list of systems
  }
  assert.equal((await call(a, token, 'POST /api/backups', { name: 'monday.zip' })).status, 204)
  const made = await call(a, token, 'POST /api/collections/systems/records', { name: 'later', host: '127.0.0.1', port: '1', users: [id] })
  assert.equal(made.status, 200)
  a.kill('SIGTERM')
  await a.ended
  await until(
    () => call(b, token, 'POST /api/backups/monday.zip/restore'),
    ({ status }) => status === 204,
  )
  // All sessions end with a restore.
  await until(
    () => call(b, token, 'GET /api/vedette/backups').catch(() => undefined),
    (answer) => answer?.status === 401,
  )
  const again = await signIn(b)
  assert.deepEqual(await systems(b, again.token), [])
  assert.deepEqual(await list(b, again.token), ['monday.zip'])
})

test('a staged restore is refused if another hub has started meanwhile', options, async () => {
  await using hubs = await hubsOfOneDatabase(NATS_AWAY, postgres)
  const a = await hubs.start('a')
  const { token } = await signIn(a)
  assert.equal((await call(a, token, 'POST /api/backups', { name: 'monday.zip' })).status, 204)
  a.kill('SIGKILL')
  await a.ended
  const flags = hubs.flags().toSpliced(2, 2) // the command line has no option for NATS
  await promisify(execFile)(process.execPath, [commandLine, 'backup', 'restore', 'monday.zip', ...flags, '--data', join(hubs.folder, 'a')])
  const b = await hubs.start('b')
  const again = await hubs.start('a')
  assert.match(again.complaints(), /the backup was not restored, nothing has changed.*running: b/s)
  assert.equal((await call(b, token, 'GET /api/vedette/backups')).status, 200)
})

test('a hub whose backup folder is missing refuses to start with one sentence', { timeout: 300_000 }, async () => {
  await using hubs = await hubsOfOneDatabase(NATS_AWAY)
  const folder = join(hubs.folder, 'missing')
  const own = ['--listen', '127.0.0.1:0', '--hub-name', 'a', '--data', join(hubs.folder, 'a')]
  const { status, complaints } = await refusedHub([...own, ...hubs.flags(), '--backups', folder])
  assert.equal(status, 1)
  assert.match(complaints.join('\n'), new RegExp(`Cannot use the backup folder "${folder}": it does not exist; create it, or mount it`))
})
