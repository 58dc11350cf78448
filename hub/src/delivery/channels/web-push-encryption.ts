import { createCipheriv, createECDH, hkdfSync } from 'node:crypto'

/** Keys that a browser made for its Web Push subscription: `publicKey` (P-256, 65 bytes) and `authSecret` (16 bytes). */
export type SubscriptionKeys = { readonly publicKey: Buffer; readonly authSecret: Buffer }

/** Random secrets of one push message: a P-256 `privateKey` of 32 bytes, and a `salt` of 16 bytes. */
export type MessageSecrets = { readonly privateKey: Buffer; readonly salt: Buffer }

const CURVE = 'prime256v1'
const RECORD_BYTES = 4096
/** Number of bytes that encryption adds to a push message: delimiter (1) and tag (16). */
const OVERHEAD_BYTES = 17

/**
 * Maximum size of a push message before encryption, in bytes (3,993). Encrypted and with its header (86 bytes) it fits in 4096 bytes, which
 * every push service accepts.
 */
export const MOST_PUSH_BYTES = RECORD_BYTES - OVERHEAD_BYTES - 86

/**
 * Encrypts a push message for one browser (RFC 8291, with `aes128gcm` of RFC 8188 in one record). Returns the request body for the push
 * service.
 */
export function encryptPush(message: Buffer, { publicKey, authSecret }: SubscriptionKeys, { privateKey, salt }: MessageSecrets): Buffer {
  const ours = createECDH(CURVE)
  ours.setPrivateKey(privateKey)
  const ourPublicKey = ours.getPublicKey()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, ourPublicKey])
  const keyMaterial = Buffer.from(hkdfSync('sha256', ours.computeSecret(publicKey), authSecret, info, 32))
  const derived = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', keyMaterial, salt, `Content-Encoding: ${purpose}\0`, bytes))
  const cipher = createCipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12))
  const lengths = Buffer.alloc(5)
  lengths.writeUInt32BE(RECORD_BYTES)
  lengths.writeUInt8(ourPublicKey.length, 4)
  // The last record of a message ends with the delimiter 2 (RFC 8188).
  const sealed = [cipher.update(message), cipher.update(Buffer.from([2])), cipher.final()]
  return Buffer.concat([salt, lengths, ourPublicKey, ...sealed, cipher.getAuthTag()])
}
