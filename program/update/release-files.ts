import { readPublicKey, verifySignature } from './minisign.ts'

/** Thrown when an update is refused. The message is one sentence for the operator, with the command that helps if there is one. */
export class UpdateRefusedError extends Error {
  override readonly name = 'UpdateRefusedError'
}

/** Signed list of a release: its version, and the SHA-256 checksum (64 hexadecimal digits) of each of its files by name. */
export type Release = { readonly version: string; readonly checksums: ReadonlyMap<string, string> }

/**
 * Name of the file with the checksums of all other files of a release. `SUMS_SIGNATURE` is the name of the file with its signature
 * (minisign).
 */
export const SUMS = 'SHA256SUMS'
export const SUMS_SIGNATURE = `${SUMS}.minisig`

/**
 * Returns the trusted comment in the signature of the release `version`. As the signature covers it, an old release cannot be passed off as
 * a new one.
 */
export const commentOf = (version: string): string => `vedette ${version}`

const COMMENT = /^vedette (\d{1,4}\.\d{1,4}\.\d{1,4})$/
const LINE = /^([0-9a-f]{64}) [ *]([\w.-]{1,100})$/

/**
 * Verifies the signature over the list of a release's checksums and reads the list. Throws a SignatureError for a wrong signature, and an
 * UpdateRefusedError for a signed text that is no list of a release.
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

/** Returns true when the first version, three numbers with dots, is later than the second. */
export function isLater(one: string, other: string): boolean {
  const [first, second] = [one, other].map((version) => version.split('.').map(Number))
  for (let part = 0; part < 3; part += 1) {
    const difference = (first?.[part] ?? 0) - (second?.[part] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return false
}

/** Name of the executable among the files of a release, for a machine of this architecture (`process.arch`). */
export const programFileOf = (architecture: string): string => `vedette-linux-${architecture}`

/** Name of the agent's native executable among the files of a release, for a machine of this architecture (`process.arch`). */
export const agentFileOf = (architecture: string): string => `vedette-agent-linux-${architecture}`
