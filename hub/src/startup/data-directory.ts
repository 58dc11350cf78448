import { randomUUID } from 'node:crypto'
import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Database } from '../platform/db/database.ts'
import { loadState } from '../platform/db/hub-state.ts'
import { INSTANCE } from '../platform/db/migrate.ts'
import { errorCode } from '../platform/error-code.ts'
import { fileProblem } from '../platform/process/file-problem.ts'
import { isRunning, ownIdentity, processIdentitySchema } from '../platform/process/process-identity.ts'

/** Error when the hub cannot use its data directory. The message is one sentence for the operator. */
export class DataDirectoryUnusableError extends Error {
  override readonly name = 'DataDirectoryUnusableError'
}

/**
 * Data directory of a hub that this process has locked until `release`. `endedHub` is the id of the hub that last used the directory and
 * did not stop properly; `undefined` if there is none.
 */
export type DataDirectory = { readonly path: string; readonly endedHub: string | undefined; readonly release: () => void }

const holderSchema = processIdentitySchema.extend({ hub: z.string().optional() })
type Holder = z.infer<typeof holderSchema>

/**
 * Locks the data directory of a hub, and creates it when it is missing. The lock of a dead process is replaced. `hub` is this hub's id,
 * stored in the lock. Throws `DataDirectoryUnusableError` while another hub uses it, or if it is not writable.
 */
export function takeDataDirectory(path: string, hub = ''): DataDirectory {
  makeWritable(path)
  const lock = join(path, 'hub.lock')
  const mine = JSON.stringify({ ...ownIdentity(), hub })
  let endedHub: string | undefined
  for (;;) {
    try {
      writeFileSync(lock, mine, { flag: 'wx', mode: 0o600 })
      return { path, endedHub, release: () => rmSync(lock, { force: true }) }
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') {
        // On a full disk the file exists, but is empty.
        rmSync(lock, { force: true })
        throw notWritable(path, error)
      }
    }
    const holder = readHolder(lock)
    if (holder !== undefined && isRunning(holder)) {
      throw new DataDirectoryUnusableError(
        `Cannot use the data directory "${path}": another hub is using it (process ${holder.pid}); stop that hub, or give this one another directory with --data`,
      )
    }
    endedHub = holder?.hub
    rmSync(lock, { force: true })
  }
}

/** Creates a directory if it is missing, and throws `DataDirectoryUnusableError` unless it is writable. */
function makeWritable(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw notWritable(path, error)
  }
}

const notWritable = (path: string, cause: unknown): DataDirectoryUnusableError =>
  new DataDirectoryUnusableError(`Cannot write to the data directory "${path}": ${fileProblem(path, cause)}`, { cause })

/** Returns the process id of the hub that uses a data directory; `undefined` when none does. */
export function holderOf(path: string): number | undefined {
  const holder = readHolder(join(path, 'hub.lock'))
  return holder !== undefined && isRunning(holder) ? holder.pid : undefined
}

function readHolder(lock: string): Holder | undefined {
  try {
    return holderSchema.safeParse(JSON.parse(readFileSync(lock, 'utf8'))).data
  } catch {
    // The file is gone, or a process died while it wrote the file.
    return undefined
  }
}

/**
 * Creates a function that checks the id of an opened database before the hub changes it. It throws `DataDirectoryUnusableError` if the data
 * directory `path` belongs to another database.
 */
export function admitDatabase(path: string): (instance: string | undefined) => void {
  return (instance) => {
    const ofDirectory = readInstance(join(path, 'instance'))
    if (ofDirectory !== undefined && ofDirectory !== instance) {
      throw new DataDirectoryUnusableError(
        `Cannot use the data directory "${path}" with this database: it belongs to another one; give the directory and the database of one hub with --data and --database`,
      )
    }
  }
}

/**
 * Binds the data directory to its database: both store the same id from the first start on. Resolves to the id. Throws
 * `DataDirectoryUnusableError` and changes nothing when the directory belongs to another database.
 */
export async function joinDatabase(path: string, database: Database): Promise<string> {
  const file = join(path, 'instance')
  const ofDirectory = readInstance(file)
  const known = await readKnownInstance(database)
  admitDatabase(path)(known)
  if (ofDirectory !== undefined) return ofDirectory
  const instance = known ?? (await makeInstance(database))
  writeFileSync(file, instance, { mode: 0o600, flush: true })
  return instance
}

const readKnownInstance = (database: Database): Promise<string | undefined> => loadState(database.kysely, INSTANCE)

/** Creates and stores the id (a UUID) of a new database, and resolves to it. If several hubs start at once, all get the id of the first. */
async function makeInstance(database: Database): Promise<string> {
  const made = randomUUID()
  await database.write(async ({ sql }) => {
    await sql
      .insertInto('hub_state')
      .values({ name: INSTANCE, value: made })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
  })
  return (await readKnownInstance(database)) ?? made
}

function readInstance(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new DataDirectoryUnusableError(`Cannot read "${file}"`, { cause: error })
  }
}
