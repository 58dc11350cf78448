import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { BackupRefusedError } from '../../src/operations/backups/archive/backup-error.ts'
import { ownBackupPlace } from '../../src/operations/backups/backup-place.ts'
import { backupsOf } from '../../src/operations/backups/backups.ts'
import { runThreadJob } from '../../src/operations/backups/archive/thread-jobs.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { openSecrets } from '../../src/platform/secrets/open-secrets.ts'
import { databases, silentLog } from '../databases.ts'

const postgres = databases.find(({ name }) => name === 'postgres')

/** A folder with a program of this name, as the first entry of PATH. */
function programInPath(name: string, script: string) {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-program-'))
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, name), 0o755)
  const before = process.env['PATH']
  process.env['PATH'] = `${folder}${delimiter}${before}`
  return {
    folder,
    [Symbol.dispose]() {
      process.env['PATH'] = before
      rmSync(folder, { recursive: true })
    },
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function backedUp(directory: string) {
  assert.ok(postgres)
  const opened = await postgres.open()
  assert.ok('url' in opened.at)
  const secrets = await openSecrets({ directory, configured: undefined, database: opened.database })
  const place = ownBackupPlace(directory)
  const parts = { directory, place, hub: undefined, databaseUrl: opened.at.url, database: opened.database, secrets, isKeyConfigured: false }
  const backups = backupsOf({ ...parts, clock: systemClock, log: silentLog, stalledMs: 400 })
  return {
    backups,
    async [Symbol.asyncDispose]() {
      await backups[Symbol.asyncDispose]()
      await opened[Symbol.asyncDispose]()
    },
  }
}

test('a hanging pg_dump is killed, the backup reports it, and the next backup can start', { timeout: 300_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'vedette-backup-'))
  // The program ignores every signal that it can ignore.
  using hanging = programInPath('pg_dump', `trap '' TERM INT HUP; echo $$ > "$(dirname "$0")/pid"; while :; do sleep 1; done`)
  {
    await using hub = await backedUp(directory)
    const make = () => hub.backups.make({ name: 'one.zip', passphrase: undefined, by: 'person' })
    const stalled = { name: 'BackupRefusedError', message: 'Cannot finish: pg_dump made no progress for 1 s' }
    await assert.rejects(make(), stalled)
    assert.equal(hub.backups.working(), undefined)
    const pid = Number(readFileSync(join(hanging.folder, 'pid'), 'utf8'))
    while (isAlive(pid)) await new Promise((resolve) => setImmediate(resolve))
    await assert.rejects(make(), stalled)
  }
  rmSync(directory, { recursive: true })
})

test('the backup waits for a slow pg_dump that makes progress', { timeout: 300_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'vedette-backup-'))
  // The argument before the address is the file. The program writes to it for three times the silence limit.
  using slow = programInPath(
    'pg_dump',
    `while [ "$1" != --file ]; do shift; done; for n in 1 2 3 4 5 6 7 8 9 10 11 12; do echo $n >> "$2"; sleep 0.1; done; echo failed >&2; exit 3`,
  )
  assert.ok(slow.folder)
  {
    await using hub = await backedUp(directory)
    const made = hub.backups.make({ name: 'one.zip', passphrase: undefined, by: 'person' })
    await assert.rejects(made, { message: 'Cannot finish: pg_dump says failed' })
  }
  rmSync(directory, { recursive: true })
})

test('a hanging backup thread is terminated', { timeout: 300_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-backup-'))
  const pipe = join(folder, 'database')
  execFileSync('mkfifo', [pipe])
  const facts = { version: '0', madeAtMs: 0, database: 'sqlite', schemaVersion: 1, instance: '', proof: '' } as const
  const copying = { kind: 'make', path: join(folder, 'made.zip'), folder, database: pipe, files: [], facts } as const
  const job = runThreadJob(copying, () => {}, new AbortController().signal, 500)
  // Opening a pipe blocks until its other end is opened.
  await assert.rejects(
    job,
    (error) => error instanceof BackupRefusedError && /the thread of the backup made no progress/.test(error.message),
  )
  closeSync(openSync(pipe, 'r+'))
  rmSync(folder, { recursive: true })
})
