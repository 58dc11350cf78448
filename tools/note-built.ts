import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { VEDETTE_VERSION } from '../protocol/src/wire/version.ts'

/** Name of the agent's build profile: `release` is optimised and published; `dev` is faster to build. */
export type Profile = 'release' | 'dev'

/** Returns the text for the `.version` file beside a built agent: its version and build profile, such as `0.1.0 release`. */
export const stampFor = (profile: Profile): string => `${VEDETTE_VERSION} ${profile}`

/**
 * Writes two files beside the built agent at `path`: its version and build profile (`.version`), and its checksum in the format of
 * `sha256sum` (`.sha256`). The hub reads both when it offers the agent for download.
 */
export function noteBuilt(path: string, profile: Profile): void {
  const sum = createHash('sha256').update(readFileSync(path)).digest('hex')
  writeFileSync(`${path}.version`, stampFor(profile))
  writeFileSync(`${path}.sha256`, `${sum}  ${basename(path)}\n`)
}
