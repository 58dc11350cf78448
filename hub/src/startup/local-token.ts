import { readFileSync } from 'node:fs'

/**
 * Reads from a file the token with which the agent on the hub's machine registers. Returns `undefined` without a readable token, so that no
 * agent is admitted by it.
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
