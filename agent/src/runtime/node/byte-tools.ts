import type { ByteTools } from '../runtime.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Bytes of a DER-encoded Ed25519 `SubjectPublicKeyInfo` up to the 32-byte key, RFC 8410 section 4. */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')
const ED25519_KEY_BYTES = 32

/** Returns Node's module `node:crypto`, loaded on first use. */
const crypto = () => process.getBuiltinModule('node:crypto')

export const byteTools: ByteTools = {
  utf8: (text) => encoder.encode(text),
  fromUtf8: (bytes) => decoder.decode(bytes),
  equal: (one, other) => Buffer.compare(one, other) === 0,
  sha256: (bytes) => Uint8Array.from(crypto().createHash('sha256').update(bytes).digest()),
  ed25519Verify: (publicKey, message, signature) => {
    if (publicKey.length !== ED25519_KEY_BYTES) return false
    const key = crypto().createPublicKey({ key: Buffer.concat([ED25519_PREFIX, publicKey]), format: 'der', type: 'spki' })
    return crypto().verify(null, message, key, signature)
  },
  random: (count) => Uint8Array.from(crypto().randomBytes(count)),
}
