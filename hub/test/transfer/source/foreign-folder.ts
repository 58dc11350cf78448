import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { generatePrivateKey } from '../../../src/fleet/ssh/hub-key.ts'

const dumps = join(import.meta.dirname, '..', 'foreign')

export type Dump = '0.9.1' | '0.12.12' | '0.18.8-head'

/** Folder of another hub that is stopped, and an empty folder for this hub beside it. Disposing removes both. */
export type ForeignFolder = Disposable & {
  readonly parent: string
  /** The other hub's folder, with `data.db` and `id_ed25519`. */
  readonly path: string
  readonly database: string
  readonly privateKey: string
  /** Path below which a test keeps the data of this hub; it does not exist. */
  readonly data: string
}

/** Makes the folder of a hub from a dump. Its newest sample is as old as the file, as in a hub that has just stopped. */
export function foreignFolder(dump: Dump = '0.18.8-head', parentFolder = tmpdir()): ForeignFolder {
  const parent = mkdtempSync(join(parentFolder, 'vedette-foreign-'))
  const path = join(parent, 'theirs')
  const database = join(path, 'data.db')
  mkdirSync(path)
  const opened = new DatabaseSync(database)
  opened.exec('pragma journal_mode = wal')
  opened.exec(readFileSync(join(dumps, `${dump}.sql`), 'utf8'))
  const newest = opened.prepare('select max(created) as at from system_stats').get()?.['at']
  opened.close()
  const at = new Date(String(newest).replace(' ', 'T'))
  utimesSync(database, at, at)
  const privateKey = generatePrivateKey()
  writeFileSync(join(path, 'id_ed25519'), privateKey, { mode: 0o600 })
  return {
    parent,
    path,
    database,
    privateKey,
    data: join(parent, 'ours'),
    [Symbol.dispose]: () => rmSync(parent, { recursive: true, force: true }),
  }
}

/** Names, modes, owners and hashes of the files in a folder, so that two calls compare equal when nothing has changed. */
export function contentOf(folder: string): readonly string[] {
  return readdirSync(folder)
    .toSorted()
    .map((name) => {
      const facts = statSync(join(folder, name))
      const hash = facts.isFile()
        ? createHash('sha256')
            .update(readFileSync(join(folder, name)))
            .digest('hex')
        : 'folder'
      return `${name} ${facts.mode.toString(8)} ${facts.uid} ${facts.mtimeMs} ${hash}`
    })
}
