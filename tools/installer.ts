import { VEDETTE_VERSION } from '../protocol/src/wire/version.ts'
import { readSource } from './rules/source-tree.ts'

/**
 * Returns the text of a release's `install.sh`, a POSIX shell script that downloads and installs the release's packages. `publicKey` is the
 * text of the minisign key file by which the script verifies them. Throws an Error when that text has no key.
 */
export function installerOf(publicKey: string): string {
  const key = publicKey.trim().split('\n').at(-1) ?? ''
  if (!/^RW[\w+/]{54}$/.test(key)) throw new Error('The public key of releases is damaged')
  return readSource('program/packages/install.sh').replaceAll('@VERSION@', VEDETTE_VERSION).replaceAll('@KEY@', key)
}
