import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import fc from 'fast-check'
import yazl from 'yazl'
import { afterRestore } from '../../src/startup/after-restore.ts'
import { unpackArchive } from '../../src/operations/backups/archive/archive.ts'
import { BackupRefusedError } from '../../src/operations/backups/archive/backup-error.ts'
import { carryOutRestore, finishRestore, isRestorePending, rollBackRestore } from '../../src/operations/backups/pending-restore.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { fill, hubData, writeConfig, type HubData } from '../backed-up-hub.ts'
import { databases, machinesPostgres, type TestDatabaseKind } from '../databases.ts'

const PASSPHRASE = 'correct horse battery'

function ofSqlite(): TestDatabaseKind {
  const [first] = databases
  assert.equal(first?.name, 'sqlite')
  return first
}

async function restoreAtStart({ directory, url }: HubData): Promise<void> {
  assert.ok(await carryOutRestore(directory, url))
  await finishRestore(directory, url)
}

const sqlite = ofSqlite()
/** Backups of PostgreSQL need client programs that fit the server. */
const kinds = [sqlite, machinesPostgres()].filter((kind) => kind !== undefined)

for (const kind of kinds) {
  test(
    `${kind.name}: a backup made during writes is a consistent snapshot, and its restore brings this snapshot back`,
    { timeout: 300_000 },
    async () => {
      await using data = await hubData(kind)
      writeConfig(data.directory, 'systems: []\n')
      let counted = 0
      {
        await using hub = await data.open()
        await fill(hub, 50)
        const writing = new AbortController()
        const count = async () => {
          while (!writing.signal.aborted) {
            counted++
            const value = String(counted)
            await hub.database.write(async ({ sql }) => {
              for (const name of ['left', 'right'])
                await sql
                  .insertInto('hub_state')
                  .values({ name, value })
                  .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
                  .execute()
            })
          }
        }
        const counting = count()
        assert.equal(await hub.backups.make({ name: 'moment.zip', passphrase: undefined, by: 'person' }), 'moment.zip')
        writing.abort()
        await counting
        await fill(hub, 5)
        writeConfig(data.directory, 'systems: [changed]\n')
        await hub.backups.prepareRestore('moment.zip', undefined)
      }
      await restoreAtStart(data)
      await using hub = await data.open()
      const states = await hub.database.kysely
        .selectFrom('hub_state')
        .select(['name', 'value'])
        .where('name', 'in', ['left', 'right'])
        .execute()
      const [left, right] = states.map(({ value }) => Number(value))
      assert.equal(left, right)
      assert.ok(Number(left) > 0 && Number(left) <= counted)
      assert.equal((await hub.records.loadWhere('systems', {})).length, 50)
      assert.equal((await hub.records.loadWhere('fingerprints', {})).length, 50)
      assert.equal(readFileSync(join(data.directory, 'config.yml'), 'utf8'), 'systems: []\n')
      assert.deepEqual(
        readdirSync(data.directory).filter((name) => name.includes('restore')),
        [],
      )
    },
  )

  test(`${kind.name}: a restore brings back every row, in another directory only with the passphrase`, { timeout: 300_000 }, async () => {
    await using data = await hubData(kind)
    let original: unknown
    {
      await using hub = await data.open()
      await fill(hub, 20)
      original = await hub.everything()
      await hub.backups.make({ name: 'with-key.zip', passphrase: PASSPHRASE, by: 'person' })
      await hub.backups.make({ name: 'without-key.zip', passphrase: undefined, by: 'person' })
    }
    await using other = await hubData(kind)
    {
      await using hub = await other.open()
      await fill(hub, 3)
      const before = await hub.everything()
      cpSync(join(data.directory, 'backups'), join(other.directory, 'backups'), { recursive: true })
      for (const [name, passphrase, reason] of [
        ['without-key.zip', PASSPHRASE, /does not hold that key/],
        ['with-key.zip', undefined, /Give the passphrase/],
        ['with-key.zip', 'another passphrase', /the passphrase is another one/],
        ['nothing.zip', undefined, /There is no backup/],
      ] as const) {
        await assert.rejects(hub.backups.prepareRestore(name, passphrase), reason)
        assert.equal(isRestorePending(other.directory), false)
      }
      assert.deepEqual(await hub.everything(), before)
      await hub.backups.prepareRestore('with-key.zip', PASSPHRASE)
    }
    await restoreAtStart(other)
    await using hub = await other.open()
    assert.deepEqual(await hub.everything(), original)
  })

  test(`${kind.name}: a hub that cannot start on restored data gets its previous data back`, { timeout: 300_000 }, async () => {
    await using data = await hubData(kind)
    let before: unknown
    {
      await using hub = await data.open()
      await hub.backups.make({ name: 'early.zip', passphrase: undefined, by: 'person' })
      await fill(hub, 2)
      before = await hub.everything()
      await hub.backups.prepareRestore('early.zip', undefined)
    }
    assert.ok(await carryOutRestore(data.directory, data.url))
    // The rollback, as after a failed start for any reason.
    assert.equal(await rollBackRestore(data.directory, data.url), true)
    assert.equal(await rollBackRestore(data.directory, data.url), false)
    await using hub = await data.open()
    assert.deepEqual(await hub.everything(), before)
  })

  test(`${kind.name}: only one backup runs at a time, and a name is used only once`, { timeout: 300_000 }, async () => {
    await using data = await hubData(kind)
    await using hub = await data.open()
    const first = hub.backups.make({ name: 'one.zip', passphrase: undefined, by: 'person' })
    assert.equal(hub.backups.working()?.name, 'one.zip')
    await assert.rejects(hub.backups.make({ name: 'two.zip', passphrase: undefined, by: 'person' }), /Try again later/)
    await first
    assert.equal(hub.backups.working(), undefined)
    await assert.rejects(hub.backups.make({ name: 'one.zip', passphrase: undefined, by: 'person' }), /already/)
    assert.deepEqual(
      (await hub.backups.folder.list()).map(({ name }) => name),
      ['one.zip'],
    )
  })
}

test('a pending restore is reported until a hub has started on it, and it ends every session and API key', async () => {
  await using data = await hubData(sqlite)
  let keyBefore: unknown
  {
    await using hub = await data.open()
    await fill(hub, 3)
    const account = { email: 'anna@example.com', password: 'hash', tokenKey: 'k'.repeat(50), role: 'user' }
    keyBefore = (await hub.database.write((unit) => hub.records.insert(unit, 'users', account)))['tokenKey']
    const key = { id: 'key', digest: 'd', user: 'u', name: 'n', scope: 'read', tags: '', created: 1, expires: null, used: null }
    await hub.database.write((unit) => unit.sql.insertInto('api_keys').values(key).execute())
    await hub.backups.make({ name: 'good.zip', passphrase: undefined, by: 'person' })
    await hub.backups.prepareRestore('good.zip', undefined)
  }
  const restored = await carryOutRestore(data.directory, undefined)
  assert.equal(restored?.name, 'good.zip')
  // The hub dies before it has ended the sessions, and once more after.
  assert.deepEqual(await carryOutRestore(data.directory, undefined), restored)
  {
    await using hub = await data.open()
    const parts = { database: hub.database, store: hub.records, clock: systemClock }
    await afterRestore(parts, restored)
    const [account] = await hub.records.loadWhere('users', { email: 'anna@example.com' })
    assert.equal(String(account?.['tokenKey']).length, 50)
    assert.notEqual(account?.['tokenKey'], keyBefore)
    assert.deepEqual(await hub.database.kysely.selectFrom('api_keys').selectAll().execute(), [])
  }
  assert.deepEqual(await carryOutRestore(data.directory, undefined), restored)
  await finishRestore(data.directory, undefined)
  assert.equal(await carryOutRestore(data.directory, undefined), undefined)
})

test('files of an unfinished restore preparation are deleted at the start, and the data is unchanged', async () => {
  await using data = await hubData(sqlite)
  mkdirSync(join(data.directory, 'restore'))
  writeFileSync(join(data.directory, 'restore', 'vedette.sqlite'), 'half of one')
  assert.equal(isRestorePending(data.directory), false)
  assert.equal(await carryOutRestore(data.directory, undefined), undefined)
  assert.equal(existsSync(join(data.directory, 'restore')), false)
  await using hub = await data.open()
  assert.equal((await hub.records.loadWhere('systems', {})).length, 0)
})

async function sqliteBackup() {
  const data = await hubData(sqlite)
  await using hub = await data.open()
  await fill(hub, 3)
  await hub.backups.make({ name: 'good.zip', passphrase: PASSPHRASE, by: 'person' })
  return { data, path: join(data.directory, 'backups', 'good.zip') }
}

test('a damaged or cut backup is refused before any data is changed', { timeout: 300_000 }, async () => {
  const { data, path } = await sqliteBackup()
  await using _ = data
  const good = readFileSync(path)
  const bad = join(data.directory, 'bad.zip')
  const folder = join(data.directory, 'unpacked')
  const unpack = async (bytes: Buffer): Promise<void> => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    writeFileSync(bad, bytes)
    await unpackArchive(bad, folder, () => {})
  }
  await unpack(good)
  const whole = Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]))
  const isUntouched = () =>
    readdirSync(folder).every((name) => whole[name]?.equals(readFileSync(join(folder, name)))) &&
    readdirSync(folder).length === Object.keys(whole).length
  await fc.assert(
    fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const bytes = Buffer.from(good)
      bytes[at] = (bytes[at] ?? 0) ^ change
      // Some bytes of a zip file have no effect, such as the time of a file. Everything is unpacked then.
      await unpack(bytes).then(
        () => assert.ok(isUntouched()),
        (error: unknown) => assert.ok(error instanceof BackupRefusedError, String(error)),
      )
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.nat(good.length - 1), async (length) => {
      await assert.rejects(unpack(good.subarray(0, length)), BackupRefusedError)
    }),
  )
})

async function zipOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new yazl.ZipFile()
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name)
  zip.end()
  return buffer(zip.outputStream as Readable) // the type declares only pipe()
}

test('a file that is no backup of this program is refused with a reason, and is not listed', { timeout: 300_000 }, async () => {
  const { data, path } = await sqliteBackup()
  await using _ = data
  await using hub = await data.open()
  const manifest = { format: 1, version: '9', madeAtMs: 1, database: 'sqlite', schemaVersion: 1, instance: 'i', proof: 'p', files: [] }
  const outside = Buffer.from(
    (await zipOf({ 'manifest.json': '{}', aa_evil: 'x' })).toString('latin1').replaceAll('aa_evil', '../evil'),
    'latin1',
  )
  for (const [bytes, reason] of [
    [Buffer.of(), /it is empty/],
    [Buffer.from('hello'), /it is damaged/],
    [await zipOf({ 'data.db': 'x' }), /it has no manifest/],
    [await zipOf({ 'manifest.json': '{}', 'sub/file': 'x' }), /a file "sub\/file"/],
    [outside, /it is damaged \(invalid relative path: \.\.\/evil\)/],
    [await zipOf({ 'manifest.json': '{"format":2}' }), /its format 2 is newer/],
    [await zipOf({ 'manifest.json': '{"format":1}' }), /its manifest is damaged at/],
    [await zipOf({ 'manifest.json': 'x'.repeat(100_000) }), /its manifest is too large/],
    [
      await zipOf({ 'manifest.json': JSON.stringify({ ...manifest, files: [{ name: '../../etc/passwd', bytes: 1, sha256: '' }] }) }),
      /damaged at files/,
    ],
  ] as const) {
    await assert.rejects(hub.backups.folder.receive('sent.zip', Readable.from([bytes])), reason)
  }
  assert.equal(existsSync(join(data.directory, 'evil')), false)
  assert.deepEqual(readdirSync(join(data.directory, 'backups', '.unfinished')), [])
  for (const [change, reason] of [
    [{ schemaVersion: 9999 }, /of another database|newer version/],
    [{ database: 'postgres', files: [] }, /it is of PostgreSQL/],
  ] as const) {
    const name = `changed${Object.keys(change)[0]?.toLowerCase()}.zip`
    await hub.backups.folder.receive(name, Readable.from([await rewritten(path, change)]))
    await assert.rejects(hub.backups.verify(name, undefined), reason)
  }
})

/** The same backup with another manifest. */
async function rewritten(path: string, change: object): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-rewritten-'))
  try {
    const manifest = await unpackArchive(path, folder, () => {})
    const zip = new yazl.ZipFile()
    for (const { name } of manifest.files) zip.addBuffer(readFileSync(join(folder, name)), name)
    zip.addBuffer(Buffer.from(JSON.stringify({ ...manifest, ...change })), 'manifest.json')
    zip.end()
    return await buffer(zip.outputStream as Readable) // the type declares only pipe()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
