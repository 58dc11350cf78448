import { decodeBase64 } from './base64.ts'

/** Hub's SSH public key: OpenSSH key type and key blob, RFC 4253 section 6.6. */
export type PublicKey = { readonly algorithm: string; readonly blob: Uint8Array }

const ALGORITHM = /^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384))$/
/**
 * Regular expression that matches a line, as in authorized_keys, with the SSH key type `ecdsa-sha2-nistp521`, which the native runtime
 * cannot verify. Such a line is reported as a problem.
 */
const UNSUPPORTED = /\becdsa-sha2-nistp521\b/

export type PublicKeys = { readonly keys: readonly PublicKey[]; readonly problems: readonly string[] }

/**
 * Parses the public keys of hubs, in lines as in authorized_keys, sshd(8). Options and comments are allowed, empty lines and `#` lines
 * skipped. Each invalid line becomes a text in `problems`.
 */
export function parsePublicKeys(text: string): PublicKeys {
  const keys: PublicKey[] = []
  const problems: string[] = []
  text.split(/\r?\n/).forEach((line, index) => {
    if (/^\s*(#|$)/.test(line)) return
    const key = parseKeyLine(line)
    if (key !== undefined) keys.push(key)
    else if (UNSUPPORTED.test(line))
      problems.push(`line ${index + 1} is a key of the kind nistp521, which is not supported; use ssh-ed25519`)
    else problems.push(`line ${index + 1} is not a public key; it should look like "ssh-ed25519 AAAA…"`)
  })
  return { keys, problems }
}

function parseKeyLine(line: string): PublicKey | undefined {
  const words = line.trim().split(/\s+/)
  const at = words.findIndex((word) => ALGORITHM.test(word))
  const algorithm = words[at]
  const blob = decodeBase64(words[at + 1] ?? '')
  const [type, ...numbers] = (blob && fieldsOf(blob)) ?? []
  if (algorithm === undefined || blob === undefined || type === undefined || numbers.length === 0) return undefined
  // Key types are ASCII.
  if (String.fromCodePoint(...type) !== algorithm) return undefined
  const key = { algorithm, blob }
  return algorithm === 'ssh-ed25519' && ed25519Bytes(key) === undefined ? undefined : key
}

/**
 * Splits the blob of an SSH public key into its length-prefixed fields and returns these, RFC 4251 section 5; `undefined` when the blob is
 * malformed.
 */
function fieldsOf(blob: Uint8Array): readonly Uint8Array[] | undefined {
  const fields: Uint8Array[] = []
  let offset = 0
  while (offset < blob.length) {
    if (blob.length < offset + 4) return undefined
    const end = offset + 4 + new DataView(blob.buffer, blob.byteOffset + offset, 4).getUint32(0)
    if (end > blob.length) return undefined
    fields.push(blob.subarray(offset + 4, end))
    offset = end
  }
  return fields
}

/** Returns the 32 bytes of an Ed25519 key, RFC 8709 section 4; `undefined` for a key of another type. */
export function ed25519Bytes({ algorithm, blob }: PublicKey): Uint8Array | undefined {
  const [, key] = (algorithm === 'ssh-ed25519' && fieldsOf(blob)) || []
  return key?.length === 32 ? key : undefined
}
