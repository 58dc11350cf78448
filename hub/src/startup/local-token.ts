import { readFileSync } from 'node:fs'

/** Reads the token file of the local agent. `undefined` without a file, so that no agent is admitted. */
export function readLocalToken(file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  try {
    const token = readFileSync(file, 'utf8').trim()
    return token === '' ? undefined : token
  } catch {
    return undefined
  }
}
