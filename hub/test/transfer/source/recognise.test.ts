import assert from 'node:assert/strict'
import { createCipheriv, randomBytes } from 'node:crypto'
import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { processIdSpace } from '../../../src/platform/process/process-identity.ts'
import { openForeignHub } from '../../../src/operations/transfer/source/open-foreign-hub.ts'
import { contentOf, foreignFolder, type ForeignFolder } from './foreign-folder.ts'

/** Changes the other hub's database with SQL and closes it. */
function change(database: string, sql: string): void {
  const open = new DatabaseSync(database)
  open.exec(sql)
  open.close()
}

type Case = {
  readonly name: string
  /** Changes the folder, and returns the path to import when it is not the folder. */
  readonly spoil: (theirs: ForeignFolder) => string | void
  /** The sentence after `Cannot import "PATH": `. */
  readonly why: RegExp
}

const cases: readonly Case[] = [
  {
    name: 'a path that does not exist',
    spoil: ({ parent }) => join(parent, 'nothing'),
    why: /^it does not exist; give the data folder of the other hub, or one of its backups$/,
  },
  {
    name: 'a folder without data.db',
    spoil: ({ parent }) => parent,
    why: /^it has no file data\.db; give the data folder of the other hub, such as beszel_data$/,
  },
  { name: 'a device', spoil: () => '/dev/null', why: /^it is neither a folder nor a file; / },
  {
    name: 'data of this program',
    spoil: ({ database, path }) => {
      rmSync(database)
      writeFileSync(join(path, 'vedette.sqlite'), '')
    },
    why: /^it is data of this program, not of another hub; to move it, use "vedette backup restore"$/,
  },
  {
    name: 'a database of this program',
    spoil: ({ database }) => change(database, 'create table hub_state (name, value)'),
    why: /^it is a database of this program; /,
  },
  {
    name: 'a file of another kind',
    spoil: ({ database }) => writeFileSync(database, 'hello'.repeat(1000)),
    why: /^it is not a SQLite database; /,
  },
  {
    name: 'an empty file',
    spoil: ({ database }) => truncateSync(database),
    why: /^it is not a database of a Beszel hub: it has no table "_collections"; give the data folder of such a hub$/,
  },
  {
    name: 'another application of the same framework',
    spoil: ({ database }) => change(database, 'drop table system_stats'),
    why: /^it is not a database of a Beszel hub: it has no table "system_stats"; /,
  },
  {
    name: 'another application with tables of the same names',
    spoil: ({ database }) => change(database, 'drop table system_stats; create table system_stats (id text)'),
    why: /^its database is damaged \(no such column: created\); /,
  },
  {
    name: 'a version before 0.9',
    spoil: ({ database }) => change(database, 'create table _admins (id text); drop table _superusers'),
    why: /^its version is older than 0\.9; upgrade the other hub, start it once, and import it again$/,
  },
  {
    name: 'a newer schema',
    spoil: ({ database }) => change(database, "insert into _migrations values ('0_collections_snapshot_0_19_0.go', 1)"),
    why: /^its version is newer than this program knows \(0_collections_snapshot_0_19_0\.go\); update this program, and import it again$/,
  },
  {
    name: 'a newer migration',
    spoil: ({ database }) => change(database, "insert into _migrations values ('1799999999_more.go', 1)"),
    why: /^its version is newer than this program knows \(1799999999_more\.go\); /,
  },
  {
    name: 'a page of zeros',
    spoil: ({ database }) => writeFileSync(database, Buffer.alloc(4096), { flag: 'r+' }),
    why: /^it is not a SQLite database; /,
  },
  {
    name: 'a file that was cut off',
    spoil: ({ database }) => truncateSync(database, 8192),
    why: /^its database is damaged \(.*malformed.*\); give one of the backups of the other hub$/,
  },
  {
    name: 'a damaged page',
    spoil: ({ database }) => {
      const open = new DatabaseSync(database)
      const root = Number(open.prepare("select rootpage from sqlite_master where name = 'users'").get()?.['rootpage'])
      open.close()
      const file = openSync(database, 'r+')
      writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, (root - 1) * 4096)
      closeSync(file)
    },
    why: /^its database is damaged \(.*\); give one of the backups of the other hub$/,
  },
  {
    name: 'encrypted settings without the key',
    spoil: ({ database }) => encryptSettings(database, 'k'.repeat(32)),
    why: /^its settings are encrypted; give the key of its option --encryptionEnv in VEDETTE_IMPORT_SETTINGS_KEY$/,
  },
  {
    name: 'a key file that is none',
    spoil: ({ path }) => appendFileSync(join(path, 'id_ed25519'), Buffer.alloc(2 * 1024 * 1024)),
    why: /^".*id_ed25519" is larger than 1 MiB, so it is not a file of a hub; move it away$/,
  },
]

for (const { name, spoil, why } of cases) {
  test(`openForeignHub refuses ${name} with one sentence, and leaves nothing behind`, async () => {
    using theirs = foreignFolder()
    const path = spoil(theirs) ?? theirs.path
    const before = contentOf(theirs.path)
    const workplace = join(theirs.data, 'import')
    const error: unknown = await openForeignHub(path, { workplace }).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof Error)
    assert.equal(error.name, 'TransferRefusedError')
    const start = `Cannot import "${path}": `
    assert.equal(error.message.slice(0, start.length), start)
    assert.match(error.message.slice(start.length), why)
    assert.deepEqual(contentOf(theirs.path), before)
    assert.deepEqual(existsSync(workplace) ? contentOf(workplace) : [], [])
  })
}

/** Encrypts the settings as the option `--encryptionEnv` of the other hub does: AES-256-GCM, in base64. */
function encryptSettings(database: string, key: string): void {
  const open = new DatabaseSync(database)
  const value = open.prepare("select value from _params where id = 'settings'").get()?.['value'] as Uint8Array // the dump has a BLOB
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key), nonce)
  const bytes = Buffer.concat([nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()])
  open.prepare("update _params set value = ? where id = 'settings'").run(bytes.toString('base64'))
  open.close()
}

test('openForeignHub decrypts settings with their key, in its copy only', async () => {
  using theirs = foreignFolder()
  const key = randomBytes(16).toString('hex')
  encryptSettings(theirs.database, key)
  const before = contentOf(theirs.path)
  const workplace = join(theirs.data, 'import')
  await assert.rejects(openForeignHub(theirs.path, { workplace, settingsKey: 'x'.repeat(32) }), /encrypted with another key; give the key/)
  await using hub = await openForeignHub(theirs.path, { workplace, settingsKey: key })
  const value = hub.database.prepare("select value from _params where id = 'settings'").get()?.['value']
  assert.match(String(value), /^\{"/)
  assert.deepEqual(contentOf(theirs.path), before)
})

test('openForeignHub removes the copy of a process that died', async () => {
  using theirs = foreignFolder()
  const workplace = join(theirs.data, 'import')
  const left = join(workplace, 'work-killed')
  mkdirSync(left, { recursive: true })
  writeFileSync(join(left, '.owner'), JSON.stringify({ pid: 999_999_999, startedAt: '1', space: processIdSpace() ?? '' }))
  await using hub = await openForeignHub(theirs.path, { workplace })
  assert.ok(hub.bytes > 0)
  assert.ok(!existsSync(left))
})
