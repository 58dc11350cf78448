import { existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const IN_MEMORY = '/dev/shm'
const PLENTY_BYTES = 4 * 1024 ** 3

/**
 * Makes a folder for data that need not outlive the run. It lies in memory where that is plenty: a database waits for the disk at every
 * commit. Programs must not be put there, because it may be mounted noexec.
 */
export const makeMemoryFolder = (prefix: string): string => mkdtempSync(join(parentFolder(), prefix))

function parentFolder(): string {
  if (!existsSync(IN_MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(IN_MEMORY)
  return bavail * bsize >= PLENTY_BYTES ? IN_MEMORY : tmpdir()
}
