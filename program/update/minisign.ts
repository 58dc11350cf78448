import { createHash, createPublicKey, verify } from 'node:crypto'

/**
 * Error when a minisign public key or signature is damaged, or a signature does not match. The message is one sentence for the operator.
 */
export class SignatureError extends Error {
  override readonly name = 'SignatureError'
}

/** Public key of minisign: `id` has the 8 bytes by which a signature names its key, `key` the 32 bytes of the Ed25519 key (RFC 8032). */
export type PublicKey = { readonly id: Buffer; readonly key: Buffer }

const ID_BYTES = 8
const KEY_BYTES = 32
const SIGNATURE_BYTES = 64
const TRUSTED = 'trusted comment: '
/** Bytes that, followed by the 32 bytes of a raw Ed25519 key, form the key in DER-encoded SPKI form (RFC 8410). */
const SPKI_START = Buffer.from('302a300506032b6570032100', 'hex')

/**
 * Parses the text of a minisign public key file: a comment line, then algorithm, id and key in base64. Throws a SignatureError when it is
 * malformed.
 */
export function readPublicKey(text: string): PublicKey {
  const bytes = bytesOf(text.trim().split(/\r?\n/).at(-1), 2 + ID_BYTES + KEY_BYTES, 'The public key')
  if (bytes.toString('latin1', 0, 2) !== 'Ed') throw new SignatureError('The public key is of an unknown kind')
  return { id: bytes.subarray(2, 2 + ID_BYTES), key: bytes.subarray(2 + ID_BYTES) }
}

/**
 * Verifies a minisign signature (text of a `.minisig` file) of `content` and returns its trusted comment, which is signed too. Only
 * prehashed signatures (`ED`, over the BLAKE2b hash) are accepted, as minisign writes them. Throws a SignatureError when it does not match
 * or is malformed.
 */
export function verifySignature({ id, key }: PublicKey, signature: string, content: Uint8Array): string {
  const [, first, comment = '', second] = signature.split(/\r?\n/)
  const signed = bytesOf(first, 2 + ID_BYTES + SIGNATURE_BYTES, 'The signature')
  if (signed.toString('latin1', 0, 2) !== 'ED') throw new SignatureError('The signature is of an unknown kind')
  if (!signed.subarray(2, 2 + ID_BYTES).equals(id)) throw new SignatureError('The signature was made with another key')
  const own = signed.subarray(2 + ID_BYTES)
  if (!isValid(key, createHash('blake2b512').update(content).digest(), own))
    throw new SignatureError('The signature does not belong to this content')
  if (!comment.startsWith(TRUSTED)) throw new SignatureError('The signature has no trusted comment')
  const trusted = comment.slice(TRUSTED.length)
  const whole = bytesOf(second, SIGNATURE_BYTES, 'The signature of the comment')
  if (!isValid(key, Buffer.concat([own, Buffer.from(trusted)]), whole)) throw new SignatureError('The comment of the signature was changed')
  return trusted
}

const isValid = (key: Buffer, content: Buffer, signature: Buffer): boolean =>
  verify(null, content, createPublicKey({ key: Buffer.concat([SPKI_START, key]), format: 'der', type: 'spki' }), signature)

/**
 * Decodes a base64 line that must have exactly `length` bytes. Otherwise throws a SignatureError whose message begins with `what`, such as
 * `The signature`.
 */
function bytesOf(line: string | undefined, length: number, what: string): Buffer {
  const bytes = Buffer.from(line ?? '', 'base64')
  if (bytes.length !== length || bytes.toString('base64') !== line) throw new SignatureError(`${what} is damaged`)
  return bytes
}
