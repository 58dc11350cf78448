import { readFileSync, statSync } from 'node:fs'
import { SystemFileUnusableError } from './import-systems.ts'

/**
 * Reads the text of config.yml, the operator's list of systems, at most 1 MB. `undefined` when the file does not exist. Throws {@link
 * SystemFileUnusableError} when it cannot be read or is larger.
 */
export function readSystemFile(path: string): string | undefined {
  try {
    if (statSync(path).size <= 1_000_000) return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new SystemFileUnusableError(`Cannot read "${path}": ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
  throw new SystemFileUnusableError(`Cannot read "${path}": it is larger than a megabyte`)
}
