import { decodeBase64 } from './base64.ts'

/** A hub's public key: OpenSSH key type and key blob, RFC 4253 section 6.6. */
export type PublicKey = { readonly algorithm: string; readonly blob: Uint8Array }

const ALGORITHM = /^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521))$/

export type PublicKeys = { readonly keys: readonly PublicKey[]; readonly problems: readonly string[] }

/** Lines as in authorized_keys, sshd(8): options and comments allowed, empty lines and `#` lines skipped. */
export function parsePublicKeys(text: string): PublicKeys {
  const keys: PublicKey[] = []
  const problems: string[] = []
  text.split(/\r?\n/).forEach((line, index) => {
    if (/^\s*(#|$)/.test(line)) return
    const key = parseKeyLine(line)
    if (key === undefined) problems.push(`line ${index + 1} is no public key; it should look like "ssh-ed25519 AAAA…"`)
    else keys.push(key)
  })
  return { keys, problems }
}

function parseKeyLine(line: string): PublicKey | undefined {
  const words = line.trim().split(/\s+/)
  const at = words.findIndex((word) => ALGORITHM.test(word))
  const algorithm = words[at]
  const blob = decodeBase64(words[at + 1] ?? '')
  return algorithm !== undefined && blob !== undefined && readText(blob, 0) === algorithm ? { algorithm, blob } : undefined
}

/** The length-prefixed text at an offset of a key blob, RFC 4251 section 5; key types are ASCII. */
function readText(blob: Uint8Array, offset: number): string {
  const bytes = readBytes(blob, offset)
  return bytes === undefined ? '' : String.fromCodePoint(...bytes)
}

function readBytes(blob: Uint8Array, offset: number): Uint8Array | undefined {
  if (blob.length < offset + 4) return undefined
  const length = new DataView(blob.buffer, blob.byteOffset + offset, 4).getUint32(0)
  return length <= 4096 && blob.length >= offset + 4 + length ? blob.subarray(offset + 4, offset + 4 + length) : undefined
}

/** The 32 bytes of an Ed25519 key; `undefined` for a key of another kind. RFC 8709 section 4. */
export function ed25519Bytes({ algorithm, blob }: PublicKey): Uint8Array | undefined {
  const key = algorithm === 'ssh-ed25519' ? readBytes(blob, 4 + algorithm.length) : undefined
  return key?.length === 32 ? key : undefined
}
