import { existsSync, mkdirSync, realpathSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { FOREIGN_DATABASE, importWorkplace } from '../../operations/transfer/source/foreign-place.ts'
import { TransferRefusedError } from '../../operations/transfer/source/transfer-refused-error.ts'
import type { TransferTarget } from '../../operations/transfer/foreign-hub.ts'
import { systemClock } from '../../platform/clock.ts'
import { DatabaseUnusableError, type DatabaseOptions } from '../../platform/db/database.ts'
import { openDatabase } from '../../platform/db/open-database.ts'
import { isLiving } from '../../platform/db/postgres/living-hubs.ts'
import { SQLITE_FILE } from '../../platform/db/sqlite/sqlite.ts'
import { inProcessEventBus } from '../../platform/events/event-bus.ts'
import { silentLog } from '../../platform/log.ts'
import { openSecrets } from '../../platform/secrets/open-secrets.ts'
import { collections } from '../../records/collections/collections.ts'
import { recordTableStore } from '../../records/engine/record-table-store.ts'
import { admitDatabase, joinDatabase, takeDataDirectory } from '../../startup/data-directory.ts'
import { addressOf, databaseServerOf } from '../../startup/options/database-options.ts'
import type { ImportValues } from './import-options.ts'

/**
 * Data directory (`directory`) of this hub, locked for an import. `workplace` is the path of a folder for temporary copies. Disposing
 * deletes temporary folders that are empty, and a database that the import created unless `keepDatabase` was called.
 */
export type ImportFolder = Disposable & { readonly directory: string; readonly workplace: string; readonly keepDatabase: () => void }

/**
 * Names of the files that an import creates in a data directory without a database: those of SQLite, `instance` and `secret.key`. They are
 * deleted if the import fails.
 */
const NEW_FILES = [SQLITE_FILE, `${SQLITE_FILE}-wal`, `${SQLITE_FILE}-shm`, 'instance', 'secret.key']

/**
 * Locks this hub's data directory for an import, so that no hub starts on it. Throws `DataDirectoryUnusableError` while a hub runs on it. A
 * dry run (`isRehearsal`) takes no lock. Throws `TransferRefusedError` if the directory has another hub's data, such as that at `path`,
 * which is to be imported.
 */
export function openImportFolder(
  { data: directory, database }: Pick<ImportValues, 'data' | 'database'>,
  path: string,
  isRehearsal: boolean,
): ImportFolder {
  const foreign = existsSync(path) ? realpathSync(path) : path
  const own = existsSync(directory) ? realpathSync(directory) : directory
  if (own === foreign || existsSync(join(own, FOREIGN_DATABASE)))
    throw new TransferRefusedError(
      `Cannot import into "${directory}": it is the folder of the other hub; give another folder for the data of this hub with --data`,
    )
  const made = mkdirSync(directory, { recursive: true, mode: 0o700 })
  const workplace = importWorkplace(directory)
  const lock = isRehearsal ? undefined : takeDataDirectory(directory)
  const isNew = database === undefined && !isRehearsal && !existsSync(join(directory, SQLITE_FILE))
  const added = isNew ? NEW_FILES.filter((name) => !existsSync(join(directory, name))) : []
  let isKept = false
  return {
    directory,
    workplace,
    keepDatabase: () => (isKept = true),
    [Symbol.dispose]() {
      if (!isKept) for (const name of added) rmSync(join(directory, name), { force: true })
      lock?.release()
      removeEmpty(workplace)
      if (made !== undefined) removeEmpty(directory)
    },
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // It has files, such as the new database.
  }
}

export type OpenTarget = TransferTarget & AsyncDisposable

/**
 * Parameters for opening this hub's database as the target of an import. `values` are the options of `vedette import`; `beforeUpgrade` is
 * called before tables of an older version are upgraded.
 */
type TargetParts = {
  readonly values: ImportValues
  /**
   * Path of an empty folder in which the dry run of an import opens a temporary database if this hub has none. `undefined` for a real
   * import.
   */
  readonly rehearsalFolder: string | undefined
  readonly beforeUpgrade: DatabaseOptions['beforeUpgrade']
}

/**
 * Opens the database of this hub as the target of an import, and creates it if it is missing. A dry run without a database opens an empty
 * one in a temporary folder.
 */
export async function openTarget({ values, rehearsalFolder, beforeUpgrade }: TargetParts): Promise<OpenTarget> {
  if (rehearsalFolder === undefined) return openAt(values.data, values, beforeUpgrade)
  const isNew = values.database === undefined && !existsSync(join(values.data, SQLITE_FILE))
  if (!isNew)
    try {
      return await openAt(values.data, values, beforeUpgrade, refuseNew)
    } catch (error) {
      if (!(error instanceof NoDatabaseError)) throw error
    }
  return openAt(rehearsalFolder, { ...values, database: undefined, secretKey: undefined }, beforeUpgrade)
}

/**
 * Error of a dry run that finds a PostgreSQL database without tables: a dry run must not create them. The dry run then uses an empty
 * temporary database.
 */
class NoDatabaseError extends Error {
  override readonly name = 'NoDatabaseError'
}

function refuseNew(instance: string | undefined): void {
  if (instance === undefined) throw new NoDatabaseError('Cannot rehearse: the database has no tables')
}

async function openAt(
  directory: string,
  values: ImportValues,
  beforeUpgrade: DatabaseOptions['beforeUpgrade'],
  refuse: (instance: string | undefined) => void = () => {},
): Promise<OpenTarget> {
  const server = databaseServerOf(values)
  const admitOwn = admitDatabase(directory)
  const admit = (instance: string | undefined): void => {
    refuse(instance)
    admitOwn(instance)
  }
  const at = server === undefined ? { directory } : addressOf(server)
  await using stack = new AsyncDisposableStack()
  const opening = openDatabase({ at, bus: inProcessEventBus(), log: silentLog, admit, beforeUpgrade })
  const database = stack.adopt(await opening, ({ close }) => close())
  if (server !== undefined) {
    const { rows } = await isUsedBy(database)
    const [hub] = rows
    if (hub !== undefined)
      throw new DatabaseUnusableError(`Cannot import: the hub "${hub.name}" is using the database; stop all its hubs, and import again`)
  }
  await joinDatabase(directory, database)
  const secrets = await openSecrets({ directory, configured: values.secretKey?.reveal(), database })
  const records = recordTableStore({ database, collections, secrets, clock: systemClock })
  const owned = stack.move()
  return { database, records, secrets, clock: systemClock, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

const isUsedBy = async ({ kysely }: TransferTarget['database']) => ({
  rows: await kysely.selectFrom('hubs').select('name').where(isLiving()).execute(),
})
