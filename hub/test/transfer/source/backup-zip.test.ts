import assert from 'node:assert/strict'
import { createWriteStream, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import yazl from 'yazl'
import { openForeignHub } from '../../../src/operations/transfer/source/open-foreign-hub.ts'
import { contentOf, foreignFolder, type ForeignFolder } from './foreign-folder.ts'

type Content = readonly (readonly [name: string, bytes: Buffer | (() => Readable)])[]

/** Writes a zip file beside the folder of the other hub. */
async function zipOf({ parent }: ForeignFolder, content: Content, mtime = new Date(), compress = true): Promise<string> {
  const path = join(parent, 'backup.zip')
  const zip = new yazl.ZipFile()
  for (const [name, bytes] of content)
    if (Buffer.isBuffer(bytes)) zip.addBuffer(bytes, name, { mtime, compress: bytes.length > 0 })
    else zip.addReadStreamLazy(name, { mtime, compress }, (use) => use(null, bytes()))
  zip.end()
  await pipeline(zip.outputStream as Readable, createWriteStream(path)) // the type declares only pipe()
  return path
}

const filesOf = ({ path }: ForeignFolder, within = ''): Content =>
  ['data.db', 'id_ed25519'].map((name) => [`${within}${name}`, readFileSync(join(path, name))])

/** Replaces a name in a zip file by one of the same length, in the entry and in the central directory. */
function rename(path: string, from: string, to: string): void {
  assert.equal(from.length, to.length)
  writeFileSync(path, readFileSync(path, 'latin1').replaceAll(from, to), 'latin1')
}

test('openForeignHub reads a backup zip with the WAL in it, also when a folder is in the zip', async () => {
  using theirs = foreignFolder()
  const open = new DatabaseSync(theirs.database)
  open.exec('pragma wal_autocheckpoint = 0; create table more (n integer); insert into more values (1)')
  const files: Content = [
    ...filesOf(theirs),
    ['data.db-wal', readFileSync(`${theirs.database}-wal`)],
    ['data.db-shm', readFileSync(`${theirs.database}-shm`)],
    ['auxiliary.db', Buffer.from('logs')],
    ['config.yml', Buffer.from('systems: []')],
    ['storage/a/b.txt', Buffer.from('file')],
  ]
  open.close()
  const mtime = new Date('2026-11-23T14:40:00Z')
  for (const within of ['', 'beszel_data/']) {
    const path = await zipOf(
      theirs,
      files.map(([name, bytes]) => [`${within}${name}`, bytes] as const),
      mtime,
    )
    await using hub = await openForeignHub(path, { workplace: join(theirs.data, 'import') })
    assert.equal(hub.database.prepare('select count(*) as n from more').get()?.['n'], 1)
    assert.equal(hub.privateKey, theirs.privateKey)
    assert.equal(hub.configYaml, 'systems: []')
    assert.equal(hub.changedMs, mtime.getTime())
    const [work] = contentOf(join(theirs.data, 'import'))
    const unpacked = contentOf(join(theirs.data, 'import', work?.split(' ')[0] ?? '')).map((line) => line.split(' ')[0])
    assert.deepEqual(unpacked, ['.owner', 'config.yml', 'data.db', 'id_ed25519'])
  }
  assert.deepEqual(contentOf(join(theirs.data, 'import')), [])
})

type Case = { readonly name: string; readonly make: (theirs: ForeignFolder) => Promise<string>; readonly why: RegExp }

const zeros = (bytes: number) => () =>
  Readable.from(
    (function* () {
      for (let done = 0; done < bytes; done += 1024 * 1024) yield Buffer.alloc(1024 * 1024)
    })(),
  )

const cases: readonly Case[] = [
  {
    name: 'a zip bomb',
    make: (theirs) => zipOf(theirs, [['data.db', zeros(40 * 1024 * 1024)]]),
    why: /^"data\.db" in the zip file is not what a hub writes; give a backup that the other hub made$/,
  },
  {
    name: 'a path with ".."',
    make: async (theirs) => {
      const path = await zipOf(theirs, [...filesOf(theirs), ['aa/bb/evil.txt', Buffer.from('x')]])
      rename(path, 'aa/bb/evil.txt', '../../evil.txt')
      return path
    },
    why: /^the zip file is damaged \(invalid relative path: \.\.\/\.\.\/evil\.txt\); give another backup of the other hub$/,
  },
  {
    name: 'an absolute path',
    make: async (theirs) => {
      const path = await zipOf(theirs, [...filesOf(theirs), ['atmp/evil.txt', Buffer.from('x')]])
      rename(path, 'atmp/evil.txt', '/tmp/evil.txt')
      return path
    },
    why: /^the zip file is damaged \(absolute path: /,
  },
  {
    name: 'too many entries',
    make: (theirs) => zipOf(theirs, [...filesOf(theirs), ...Array.from({ length: 10_001 }, (_, n) => [`f${n}`, Buffer.of()] as const)]),
    why: /^the zip file has 10003 entries, more than a backup of the other hub; give one of its backups$/,
  },
  {
    name: 'a zip of other files',
    make: (theirs) => zipOf(theirs, [['photo.jpg', Buffer.from('x')]]),
    why: /^the zip file has no data\.db; give a backup of the other hub$/,
  },
  { name: 'an empty zip', make: (theirs) => zipOf(theirs, []), why: /^the zip file has no data\.db; / },
  {
    name: 'two databases',
    make: (theirs) => zipOf(theirs, [...filesOf(theirs, 'a/'), ...filesOf(theirs, 'b/')]),
    why: /^the zip file has several files data\.db; give a backup of one hub$/,
  },
  {
    name: 'a backup of this program',
    make: (theirs) =>
      zipOf(theirs, [
        ['manifest.json', Buffer.from('{}')],
        ['database.sqlite', Buffer.from('x')],
      ]),
    why: /^it is data of this program, not of another hub; /,
  },
  {
    name: 'a zip that was cut off',
    make: async (theirs) => {
      const path = await zipOf(theirs, filesOf(theirs))
      writeFileSync(path, readFileSync(path).subarray(0, statSync(path).size / 2))
      return path
    },
    why: /^the zip file is damaged \(.*\); give another backup of the other hub$/,
  },
  {
    name: 'a zip with a changed byte in a text, which SQLite cannot find',
    make: async (theirs) => {
      const bytes = readFileSync(theirs.database)
      const path = await zipOf(theirs, [['data.db', () => Readable.from([bytes])]], new Date(), false)
      rename(path, 'ws-system', 'ws-syktem')
      return path
    },
    why: /^the zip file is damaged \(wrong checksum\); give another backup of the other hub$/,
  },
  {
    name: 'a key file of 2 MiB',
    make: (theirs) => zipOf(theirs, [...filesOf(theirs).slice(0, 1), ['id_ed25519', Buffer.alloc(2 * 1024 * 1024)]]),
    why: /^"id_ed25519" in the zip file is not what a hub writes; /,
  },
]

for (const { name, make, why } of cases) {
  test(`openForeignHub refuses ${name} with one sentence, and leaves nothing behind`, async () => {
    using theirs = foreignFolder()
    const path = await make(theirs)
    const workplace = join(theirs.data, 'import')
    const error: unknown = await openForeignHub(path, { workplace }).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof Error)
    assert.equal(error.name, 'TransferRefusedError')
    const start = `Cannot import "${path}": `
    assert.equal(error.message.slice(0, start.length), start)
    assert.match(error.message.slice(start.length), why)
    assert.deepEqual(contentOf(workplace), [])
    assert.ok(!existsSync('/tmp/evil.txt'))
    rmSync(path)
  })
}
