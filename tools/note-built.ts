import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { VEDETTE_VERSION } from '../protocol/src/wire/version.ts'

/** `release` is what is released, `dev` was quick to build. */
export type Profile = 'release' | 'dev'

/** What is written beside a built agent: which version it is of, and whether it is the one that is released. */
export const stampFor = (profile: Profile): string => `${VEDETTE_VERSION} ${profile}`

/** Writes the version and the checksum, as `sha256sum` does, beside a built agent: by them a hub knows what it hands out. */
export function noteBuilt(path: string, profile: Profile): void {
  const sum = createHash('sha256').update(readFileSync(path)).digest('hex')
  writeFileSync(`${path}.version`, stampFor(profile))
  writeFileSync(`${path}.sha256`, `${sum}  ${basename(path)}\n`)
}
