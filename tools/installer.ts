import { VEDETTE_VERSION } from '../protocol/src/wire/version.ts'
import { readSource } from './rules/source-tree.ts'

/**
 * Returns the text of `install.sh` of a release: a POSIX shell script that installs the release's packages, with this version and the public
 * key (text of a minisign key file) by which it verifies them. Throws an Error when the text has no key.
 */
export function installerOf(publicKey: string): string {
  const key = publicKey.trim().split('\n').at(-1) ?? ''
  if (!/^RW[\w+/]{54}$/.test(key)) throw new Error('The public key of releases is damaged')
  return readSource('program/packages/install.sh').replaceAll('@VERSION@', VEDETTE_VERSION).replaceAll('@KEY@', key)
}
