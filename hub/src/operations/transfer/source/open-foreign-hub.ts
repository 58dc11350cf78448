import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorCode } from '../../../platform/error-code.ts'
import { openWorkplace } from '../../backups/backup-workplace.ts'
import type { ForeignHub } from '../foreign-hub.ts'
import { copyDatabase, mergeOwnWal, unreadable } from './database-copy.ts'
import { decryptSettings } from './encrypted-settings.ts'
import { findForeignPlace, FOREIGN_DATABASE, type ForeignPlace } from './foreign-place.ts'
import { recogniseHub, refuseDamage } from './recognise.ts'
import { cannotImport, cannotRead } from './transfer-refused-error.ts'
import { unpackZip } from './unpack-zip.ts'

/**
 * Snapshot of another hub's data, opened for an import, with the size and age of its files. Disposing it closes the database and deletes
 * this hub's temporary copy.
 */
export type OpenForeignHub = ForeignHub &
  AsyncDisposable & {
    /** Size in bytes of this hub's temporary copy of the other hub's database. It takes disk space until the import ends. */
    readonly bytes: number
    /** Time of the last change of the other hub's database files, in epoch ms. */
    readonly changedMs: number
    /** Time of the newest sample in the other hub's database, in epoch ms; `undefined` without samples. */
    readonly newestSampleMs: number | undefined
  }

export type ForeignHubOptions = {
  /**
   * Path of the folder in which the copy of the other hub's data is made. It is created if missing, and copies of dead processes in it are
   * removed.
   */
  readonly workplace: string
  /** Key of the other hub's encrypted settings, 32 characters; `undefined` if none was given. */
  readonly settingsKey?: string | undefined
}

/**
 * Maximum size in bytes (1 MiB) of each of two files of the imported hub: private SSH key and `config.yml` (list of systems). A larger file
 * is refused.
 */
const MOST_BYTES = 1024 * 1024

/**
 * Opens a copy of another hub's data: its folder, its database file `data.db`, or a backup zip. No file of that hub is changed or created,
 * and it may run. Rejects with a `TransferRefusedError` when the data cannot be imported.
 */
export async function openForeignHub(path: string, { workplace, settingsKey }: ForeignHubOptions): Promise<OpenForeignHub> {
  const place = await findForeignPlace(path)
  await using stack = new AsyncDisposableStack()
  const { path: folder } = stack.use(await openWorkplace(workplace))
  const { folder: from, changedMs } = place.kind === 'zip' ? await unpacked(place, folder) : await timed(place)
  const copy = join(folder, FOREIGN_DATABASE)
  if (place.kind === 'zip') await mergeOwnWal(path, copy)
  else await copyDatabase({ given: path, database: place.database, copy })
  const { database, newestSampleMs } = openCopy(copy, path, settingsKey)
  stack.defer(() => database.close())
  const privateKey = await readSmall(join(from, 'id_ed25519'), path)
  const configYaml = await readSmall(join(from, 'config.yml'), path)
  const { size: bytes } = await stat(copy)
  const owned = stack.move()
  const close = () => owned.disposeAsync()
  return { database, privateKey, configYaml, bytes, changedMs, newestSampleMs, [Symbol.asyncDispose]: close }
}

type Source = { readonly folder: string; readonly changedMs: number }

async function unpacked({ path }: Extract<ForeignPlace, { kind: 'zip' }>, folder: string): Promise<Source> {
  return { folder, changedMs: await unpackZip(path, folder) }
}

async function timed({ folder, database }: Extract<ForeignPlace, { kind: 'folder' }>): Promise<Source> {
  const times = await Promise.all(
    [database, `${database}-wal`].map((file) =>
      stat(file).then(
        // A program that only reads leaves an empty WAL.
        ({ mtimeMs, size }) => (size === 0 ? 0 : mtimeMs),
        () => 0,
      ),
    ),
  )
  return { folder, changedMs: Math.max(...times) }
}

type OpenCopy = Pick<OpenForeignHub, 'database' | 'newestSampleMs'>

function openCopy(copy: string, given: string, settingsKey: string | undefined): OpenCopy {
  let opened: DatabaseSync | undefined
  try {
    opened = new DatabaseSync(copy, { readOnly: true })
    recogniseHub(opened, given)
    refuseDamage(opened, given)
    opened.close()
    decryptSettings(copy, given, settingsKey)
    opened = new DatabaseSync(copy, { readOnly: true })
    // Views and triggers of a prepared file must not call functions (https://www.sqlite.org/security.html).
    opened.exec('pragma trusted_schema = off')
    return { database: opened, newestSampleMs: newestSample(opened) }
  } catch (error) {
    if (opened?.isOpen === true) opened.close()
    if (error instanceof Error && 'errcode' in error) throw unreadable(given, error)
    throw error
  }
}

async function readSmall(path: string, given: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path)
    if (size > MOST_BYTES) throw cannotImport(given, `"${path}" is larger than 1 MiB, so it is not a file of a hub; move it away`)
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    if (errorCode(error) === undefined) throw error
    throw cannotRead(given, path, error)
  }
}

/**
 * Returns the time of the newest sample in another hub's database, in epoch ms; `undefined` without samples. Stored times are texts such as
 * `2026-11-23 14:37:00.041Z`.
 */
function newestSample(database: DatabaseSync): number | undefined {
  const row = database.prepare("select max(created) as newest from system_stats where typeof(created) = 'text'").get()
  const newest = Date.parse(String(row?.['newest']).slice(0, 23).replace(' ', 'T').concat('Z'))
  return Number.isNaN(newest) ? undefined : newest
}
