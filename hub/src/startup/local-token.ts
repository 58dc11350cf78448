import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../platform/error-code.ts'
import { DataDirectoryUnusableError } from './data-directory.ts'

/**
 * Reads from a file the token with which the agent on the hub's own machine registers. Returns `undefined` without a readable token, so
 * that no agent is admitted by it.
 */
export function readLocalToken(file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  try {
    const token = readFileSync(file, 'utf8').trim()
    return token === '' ? undefined : token
  } catch {
    return undefined
  }
}

/**
 * Writes the files of the option `--enroll-folder`, with which an agent beside this hub registers: the hub's public key as
 * `id_ed25519.pub`, and a random `token` unless it exists. Returns the path of the token file. Throws `DataDirectoryUnusableError` when it
 * cannot write.
 */
export function writeEnrollFolder(folder: string, publicLine: string): string {
  const token = join(folder, 'token')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (!existsSync(token)) writeFileSync(token, randomUUID(), { mode: 0o600, flag: 'wx' })
    chmodSync(token, 0o600)
    writeFileSync(join(folder, 'id_ed25519.pub'), `${publicLine}\n`, { mode: 0o644 })
  } catch (error) {
    throw new DataDirectoryUnusableError(
      `Cannot write to the folder "${folder}" of --enroll-folder: ${errorCode(error) ?? 'unknown reason'}`,
      {
        cause: error,
      },
    )
  }
  return token
}
