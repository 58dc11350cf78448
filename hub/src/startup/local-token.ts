import { readFileSync } from 'node:fs'

/** The token comes and goes with its file; what is not there lets nobody in. */
export function readLocalToken(file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  try {
    const token = readFileSync(file, 'utf8').trim()
    return token === '' ? undefined : token
  } catch {
    return undefined
  }
}
