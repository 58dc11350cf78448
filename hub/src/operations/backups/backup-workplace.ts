import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../platform/json.ts'
import { isRunning, ownIdentity, processIdentitySchema, processIdSpace } from '../../platform/process/process-identity.ts'

/** Temporary folder at `path` in which one process of a hub makes or unpacks a backup. Disposing it removes the folder. */
export type Workplace = AsyncDisposable & { readonly path: string }

/**
 * Name of the file in a backup's temporary folder that names the process which uses the folder. That process rewrites the file once a
 * minute, so that its age shows whether it is alive.
 */
const OWNER = '.owner'
const RENEW_EVERY_MS = 60_000
/**
 * Age of the owner file in a temporary folder, in ms (1 h), from which the folder is abandoned and may be deleted. Used when the owner's
 * process cannot be checked.
 */
const ABANDONED_MS = 3_600_000

/**
 * Schema of the owner file of a temporary folder: id and start of the process. `space` identifies the PID namespace, see {@link
 * processIdSpace}.
 */
const ownerSchema = processIdentitySchema.extend({ space: z.string() })

/**
 * Creates a temporary folder below the folder `unfinished` and resolves to it; this process makes or unpacks a backup in it. Before, it
 * removes the temporary folders of processes that have died.
 */
export async function openWorkplace(unfinished: string): Promise<Workplace> {
  await mkdir(unfinished, { recursive: true, mode: 0o700 })
  await removeAbandonedWork(unfinished)
  const path = await mkdtemp(join(unfinished, 'work-'))
  const owner = JSON.stringify({ ...ownIdentity(), space: processIdSpace() ?? '' })
  const renew = () => writeFile(join(path, OWNER), owner, { mode: 0o600 })
  await renew()
  // A folder that cannot be written to fails the backup itself.
  const renewing = setInterval(() => void renew().catch(() => {}), RENEW_EVERY_MS).unref()
  return {
    path,
    async [Symbol.asyncDispose]() {
      clearInterval(renewing)
      await rm(path, { recursive: true, force: true })
    },
  }
}

/**
 * Removes the temporary folders in which no running process makes or unpacks a backup. Where the process cannot be checked, its owner file
 * must be an hour old. Folders that cannot be removed are skipped.
 */
export async function removeAbandonedWork(unfinished: string): Promise<void> {
  const names = await readdir(unfinished).catch(() => [])
  if (names.length === 0) return
  const nowMs = await fileSystemNow(unfinished)
  for (const name of names) {
    const path = join(unfinished, name)
    if (await isAbandoned(path, nowMs)) await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

/**
 * Resolves to the current time of a folder's file system in epoch ms. On a network drive it may differ from the local clock, and file times
 * are compared with it. Resolves to the local time if it cannot be read.
 */
async function fileSystemNow(folder: string): Promise<number> {
  try {
    const path = await mkdtemp(join(folder, 'now-'))
    const { mtimeMs } = await stat(path)
    await rm(path, { recursive: true, force: true })
    return mtimeMs
  } catch {
    return Date.now()
  }
}

async function isAbandoned(path: string, nowMs: number): Promise<boolean> {
  const owner = await ownerOf(path)
  if (owner !== undefined && owner.space !== '' && owner.space === processIdSpace()) return !isRunning(owner)
  // A folder without the file was made a moment ago, or by an older version.
  const renewed = await stat(join(path, OWNER)).catch(() => stat(path).catch(() => undefined))
  return renewed !== undefined && nowMs - renewed.mtimeMs > ABANDONED_MS
}

async function ownerOf(path: string): Promise<z.infer<typeof ownerSchema> | undefined> {
  try {
    return ownerSchema.safeParse(parseJson(await readFile(join(path, OWNER), 'utf8'))).data
  } catch {
    return undefined
  }
}
