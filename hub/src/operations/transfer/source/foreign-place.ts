import { open, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { SQLITE_FILE } from '../../../platform/db/sqlite/sqlite.ts'
import { errorCode } from '../../../platform/error-code.ts'
import { cannotImport, cannotRead } from './transfer-refused-error.ts'

/** File name of a Beszel hub's SQLite database: `data.db`. */
export const FOREIGN_DATABASE = 'data.db'

/** Returns the path of the folder in this hub's data directory in which imports make their copies of other hubs' data. */
export const importWorkplace = (directory: string): string => join(directory, 'import')

/**
 * Location of another hub's data. Kind `folder`: real paths of its folder and database, with symbolic links resolved. Kind `zip`: path of a
 * backup zip.
 */
export type ForeignPlace =
  | { readonly kind: 'folder'; readonly database: string; readonly folder: string }
  | { readonly kind: 'zip'; readonly path: string }

/** Texts with which a zip file can begin: that of a file with entries and that of an empty one (PKWARE APPNOTE 4.3.7, 4.3.16). */
const ZIP_SIGNATURES = ['PK\u0003\u0004', 'PK\u0005\u0006']

/**
 * Finds the data of another hub at a path: its folder, its database file or a backup zip. Resolves to its location. Rejects with a
 * `TransferRefusedError` when there is none.
 */
export async function findForeignPlace(path: string): Promise<ForeignPlace> {
  const facts = await stat(path).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT')
      throw cannotImport(path, 'it does not exist; give the data folder of the other hub, or one of its backups', error)
    throw cannotRead(path, path, error)
  })
  if (facts.isDirectory()) return findInFolder(path)
  if (!facts.isFile()) throw cannotImport(path, 'it is neither a folder nor a file; give the data folder of the other hub')
  if (ZIP_SIGNATURES.includes(await firstBytes(path))) return { kind: 'zip', path }
  if (basename(path) === SQLITE_FILE) throw ownData(path)
  return folderOf(path)
}

async function findInFolder(path: string): Promise<ForeignPlace> {
  const isFile = (name: string): Promise<boolean> =>
    stat(join(path, name)).then(
      (facts) => facts.isFile(),
      () => false,
    )
  if (await isFile(FOREIGN_DATABASE)) return folderOf(join(path, FOREIGN_DATABASE))
  if (await isFile(SQLITE_FILE)) throw ownData(path)
  throw cannotImport(path, `it has no file ${FOREIGN_DATABASE}; give the data folder of the other hub, such as beszel_data`)
}

/**
 * Resolves to the location of another hub's data, by the path of its database file. Symbolic links are followed, because SQLite looks for
 * the WAL beside the real file.
 */
async function folderOf(file: string): Promise<ForeignPlace> {
  const database = await realpath(file)
  return { kind: 'folder', database, folder: dirname(database) }
}

async function firstBytes(path: string): Promise<string> {
  try {
    await using file = await open(path, 'r')
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } catch (error) {
    throw cannotRead(path, path, error)
  }
}

/**
 * Returns the error for an import from a `path` that has data of Vedette itself. Its message names the command `vedette backup restore`
 * instead.
 */
export const ownData = (path: string) =>
  cannotImport(path, 'it is data of this program, not of another hub; to move it, use "vedette backup restore"')
