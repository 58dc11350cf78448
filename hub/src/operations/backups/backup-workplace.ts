import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../platform/json.ts'
import { isRunning, ownIdentity, processIdentitySchema, processIdSpace } from '../../platform/process-identity.ts'

/** A temporary folder of one process. Disposing it removes it. */
export type Workplace = AsyncDisposable & { readonly path: string }

/** File with the process that a folder belongs to. The process writes it again and again while it uses the folder. */
const OWNER = '.owner'
const RENEW_EVERY_MS = 60_000
/** A folder whose owner is on another machine, or unknown, is abandoned after this time without a renewal. */
const ABANDONED_MS = 3_600_000

/** `space`: see {@link processIdSpace}. */
const ownerSchema = processIdentitySchema.extend({ space: z.string() })

/** Removes the folders of processes that have died, and creates one of this process. */
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
 * Removes the temporary folders of processes that have died, such as a hub or a command that was killed during a backup. A folder that
 * cannot be removed stays: it takes space, but holds up neither a start nor a backup.
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

/** The clock of a network drive may differ from that of this machine. On a full disk the clock of this machine must do. */
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
