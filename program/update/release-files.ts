import { readPublicKey, verifySignature } from './minisign.ts'

/**
 * Error when an update is refused, such as for a wrong checksum. The message is one sentence for the operator, with a command that helps if
 * there is one.
 */
export class UpdateRefusedError extends Error {
  override readonly name = 'UpdateRefusedError'
}

/**
 * Verified contents of a release's checksum list: version `X.Y.Z`, and a map from file name to SHA-256 checksum (64 hexadecimal digits).
 */
export type Release = { readonly version: string; readonly checksums: ReadonlyMap<string, string> }

/**
 * Name of the checksum list of a release, `SHA256SUMS`. The list has the SHA-256 of every other file except its signature and the public
 * key. `SUMS_SIGNATURE` is the name of its minisign signature.
 */
export const SUMS = 'SHA256SUMS'
export const SUMS_SIGNATURE = `${SUMS}.minisig`

/**
 * Returns the trusted comment that the signature of a release must have: `vedette VERSION`. As it is signed, an old release cannot be
 * passed off as a newer one.
 */
export const commentOf = (version: string): string => `vedette ${version}`

const COMMENT = /^vedette (\d{1,4}\.\d{1,4}\.\d{1,4})$/
const LINE = /^([0-9a-f]{64}) [ *]([\w.-]{1,100})$/

/**
 * Verifies the signature of a release's checksum list (`sums`) and returns version and checksums. `publicKey` and `signature` are texts of
 * minisign files. Throws a SignatureError for a wrong signature, and an UpdateRefusedError when the signed comment or list is not that of a
 * release of Vedette.
 */
export function readRelease(publicKey: string, signature: string, sums: Uint8Array): Release {
  const comment = verifySignature(readPublicKey(publicKey), signature, sums)
  const [, version] = COMMENT.exec(comment) ?? []
  if (version === undefined) throw new UpdateRefusedError('The signature is not that of a release of Vedette')
  const lines = new TextDecoder()
    .decode(sums)
    .split('\n')
    .filter((line) => line !== '')
  const checksums = new Map(
    lines.map((line): readonly [string, string] => {
      const [, sum = '', name = ''] = LINE.exec(line) ?? []
      if (name === '') throw new UpdateRefusedError('The signed list of checksums is damaged')
      return [name, sum]
    }),
  )
  return { version, checksums }
}

/** Returns true when version `one` is later than version `other`; both are texts of three numbers with dots, such as `1.10.0`. */
export function isLater(one: string, other: string): boolean {
  const [first, second] = [one, other].map((version) => version.split('.').map(Number))
  for (let part = 0; part < 3; part += 1) {
    const difference = (first?.[part] ?? 0) - (second?.[part] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return false
}

/** Returns the file name, in a release, of the single executable for an architecture (`process.arch`): `vedette-linux-x64`. */
export const programFileOf = (architecture: string): string => `vedette-linux-${architecture}`

/**
 * Returns the file name, in a release, of the agent's native executable for an architecture (`process.arch`): `vedette-agent-linux-x64`.
 */
export const agentFileOf = (architecture: string): string => `vedette-agent-linux-${architecture}`
