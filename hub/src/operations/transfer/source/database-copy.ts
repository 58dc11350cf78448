import { access, chmod, constants, copyFile, rm, stat } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DatabaseSync } from 'node:sqlite'
import { copySqlite } from '../../backups/archive/sqlite-copy.ts'
import { errorCode } from '../../../platform/error-code.ts'
import { fileProblem } from '../../../platform/process/file-problem.ts'
import { freeBytes, noSpace } from './free-space.ts'
import { cannotImport, cannotRead } from './transfer-refused-error.ts'
import { isWalDamaged } from './wal-check.ts'

/**
 * Number of attempts, 20, to copy the other hub's database while another program changes it, 250 ms apart. If all fail, the import is
 * refused.
 */
const ATTEMPTS = 20
const PAUSE_MS = 250

/**
 * Time in ms (50) since a file's last change, from which an unchanged modification time proves unchanged content. File systems round times
 * to about 10 ms. For those with whole seconds, 2.5 s apply.
 */
const SETTLED_MS = 50
const SETTLED_IN_SECONDS_MS = 2500

/** Suffixes of the files that SQLite keeps beside a database file: `-wal`, `-shm`, `-journal`. */
const SUFFIXES = ['-wal', '-shm', '-journal']

type DatabaseCopyParts = {
  /** Path of the imported hub's data as the operator typed it. Error messages quote it instead of the path of the temporary copy. */
  readonly given: string
  readonly database: string
  readonly copy: string
}

/**
 * Copies another hub's SQLite database, as of one moment, to a single file without a WAL. No file of that hub changes. Rejects with a
 * `TransferRefusedError` for a damaged WAL, an unreadable database, too little disk space, or a database that changes during all 20
 * attempts.
 */
export async function copyDatabase({ given, database, copy }: DatabaseCopyParts): Promise<void> {
  await refuseFullDisk(given, database, dirname(copy))
  let reason: unknown
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      await provesReadable(database)
      if (await isWalDamaged(`${database}-wal`)) throw damagedWal(given)
      // SQLite needs the file -shm, and must not make it: it would belong to this account, and keep the other hub out.
      if (await hasSharedMemory(database)) {
        await copySqlite(`${pathToFileURL(database).href}?readonly_shm=1`, copy, () => {})
        return
      }
      if (await copyFiles(database, copy)) return foldWal(copy)
    } catch (error) {
      if (!isTransient(error)) throw asRefusal(given, error)
      reason = error
    }
    await removeCopy(copy)
    await setTimeout(PAUSE_MS)
  }
  throw cannotImport(given, 'it changes all the time; stop the other hub, or give one of its backups', reason)
}

/**
 * Merges the WAL of this hub's own copy of an imported database into that copy (path `copy`). Rejects with a `TransferRefusedError`, which
 * names the path `given`, if the WAL is damaged or the database cannot be read.
 */
export async function mergeOwnWal(given: string, copy: string): Promise<void> {
  if (await isWalDamaged(`${copy}-wal`)) throw damagedWal(given)
  try {
    foldWal(copy)
  } catch (error) {
    throw asRefusal(given, error)
  }
}

async function refuseFullDisk(given: string, database: string, folder: string): Promise<void> {
  const facts = await Promise.all([factsOf(database), factsOf(`${database}-wal`)])
  const needed = facts.reduce((sum, one) => sum + Number(one?.size ?? 0), 0)
  const free = await freeBytes(folder)
  if (needed > free) throw cannotImport(given, noSpace('its copy', needed, free))
}

const damagedWal = (given: string) =>
  cannotImport(
    given,
    'the file data.db-wal is damaged, and its newest data would be lost; give a backup, or start and stop the other hub once, which drops the damaged part',
  )

async function hasSharedMemory(database: string): Promise<boolean> {
  const [wal, memory] = await Promise.all([factsOf(`${database}-wal`), factsOf(`${database}-shm`)])
  return wal !== undefined && memory !== undefined
}

/**
 * Resolves if this user account can read all files of the SQLite database at the path `database`. Otherwise rejects with the file system's
 * error, because SQLite's own error does not give the reason.
 */
async function provesReadable(database: string): Promise<void> {
  await access(database, constants.R_OK)
  for (const suffix of SUFFIXES)
    if ((await factsOf(`${database}${suffix}`)) !== undefined) await access(`${database}${suffix}`, constants.R_OK)
}

/**
 * Copies the files of another hub's SQLite database (path `database`), which no program has open, to the path `copy`. Resolves to false if
 * the files may have changed meanwhile, otherwise to true.
 */
async function copyFiles(database: string, copy: string): Promise<boolean> {
  const before = await stateOf(database)
  const ageMs = Date.now() - before.changedMs
  if (ageMs >= 0 && ageMs < before.settledMs) await setTimeout(before.settledMs - ageMs)
  for (const suffix of ['', '-wal', '-journal']) {
    if ((await factsOf(`${database}${suffix}`)) === undefined) continue
    await copyFile(`${database}${suffix}`, `${copy}${suffix}`, constants.COPYFILE_FICLONE)
    await chmod(`${copy}${suffix}`, 0o600)
  }
  return before.text === (await stateOf(database)).text
}

type DatabaseState = { readonly text: string; readonly changedMs: number; readonly settledMs: number }

/**
 * Resolves to a text that changes with any file of a SQLite database, and to the time of the last change in epoch ms. Two equal texts,
 * before and after a copy, prove that no file changed.
 */
async function stateOf(database: string): Promise<DatabaseState> {
  const facts = await Promise.all(['', ...SUFFIXES].map((suffix) => factsOf(`${database}${suffix}`)))
  const isInSeconds = facts.every((one) => one === undefined || one.mtimeNs % 1_000_000_000n === 0n)
  return {
    text: facts.map((one) => (one === undefined ? '' : `${one.ino} ${one.size} ${one.mtimeNs} ${one.ctimeNs}`)).join('\n'),
    changedMs: Math.max(...facts.map((one) => Number(one?.mtimeMs ?? 0))),
    settledMs: isInSeconds ? SETTLED_IN_SECONDS_MS : SETTLED_MS,
  }
}

const factsOf = (path: string) =>
  stat(path, { bigint: true }).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })

/** Merges the WAL of this hub's copy of a SQLite database into the copy's main file, and removes the WAL. */
function foldWal(copy: string): void {
  const database = new DatabaseSync(copy)
  try {
    database.exec('pragma journal_mode = delete')
  } finally {
    database.close()
  }
}

const removeCopy = (copy: string) => Promise.all(['', ...SUFFIXES].map((suffix) => rm(`${copy}${suffix}`, { force: true })))

/**
 * Set of the SQLite result codes that mean that another program is opening or closing the database (https://www.sqlite.org/rescode.html).
 * The copy is tried again.
 */
const TRANSIENT = new Set([5 /* BUSY */, 8 /* READONLY */, 14 /* CANTOPEN */, 15 /* PROTOCOL */])

function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('errcode' in error && typeof error.errcode === 'number') return TRANSIENT.has(error.errcode & 0xff)
  return errorCode(error) === 'ENOENT'
}

function asRefusal(given: string, error: unknown): unknown {
  if (!(error instanceof Error) || error.name === 'TransferRefusedError') return error
  if ('syscall' in error) return fileRefusal(given, error)
  if ('errcode' in error) return unreadable(given, error)
  return error
}

/**
 * Returns the `TransferRefusedError` for a file system error while another hub's database is copied. `given` is the path that the operator
 * gave, for the message.
 */
function fileRefusal(given: string, error: Error): Error {
  const path = 'path' in error && typeof error.path === 'string' ? error.path : given
  if (errorCode(error) === 'ENOSPC' || errorCode(error) === 'EDQUOT') return cannotImport(given, fileProblem(path, error), error)
  return cannotRead(given, path, error)
}

const NOT_A_DATABASE = 26

/**
 * Returns the `TransferRefusedError` for a database of another hub that SQLite reports as damaged or as no database. `given` is the path
 * that the operator gave, for the message.
 */
export function unreadable(given: string, cause: Error): Error {
  if ('errcode' in cause && cause.errcode === NOT_A_DATABASE)
    return cannotImport(given, 'it is not a SQLite database; give the data folder of the other hub', cause)
  return cannotImport(given, `its database is damaged (${cause.message}); give one of the backups of the other hub`, cause)
}
