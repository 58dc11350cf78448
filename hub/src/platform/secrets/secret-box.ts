import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts secrets for the database. A digest finds the row of a known secret. */
export type SecretBox = {
  /** Encrypts a secret. `place` is its column; it does not decrypt in another place. */
  readonly seal: (place: string, secret: string) => string
  /** Decrypts a secret. Throws a SyntaxError when the text was not sealed with this key for this place. */
  readonly open: (place: string, sealed: string) => string
  /** Digest of a secret: equal secrets of a place have equal digests, and the digest reveals nothing of them. */
  readonly digest: (place: string, secret: string) => string
  /** A 32-byte key for another purpose. It does not reveal this one. */
  readonly derive: (purpose: string) => Buffer
}

export const SECRET_KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const VERSION = 'v1.'

/** AES-256-GCM with a random nonce, and HMAC-SHA-256; each with a key of its own derived from `key` (RFC 5869). */
export function secretBox(key: Buffer): SecretBox {
  if (key.length !== SECRET_KEY_BYTES) throw new RangeError(`Cannot use a secret key of ${key.length} bytes, expected ${SECRET_KEY_BYTES}`)
  const derive = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', key, '', `vedette ${purpose}`, SECRET_KEY_BYTES))
  const sealing = derive('sealing')
  const finding = derive('finding')
  return {
    derive,
    seal(place, secret) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce).setAAD(Buffer.from(place))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')
    },
    open(place, sealed) {
      const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url')
      if (!sealed.startsWith(VERSION) || bytes.length < NONCE_BYTES + TAG_BYTES) throw unreadable(place)
      const decipher = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
      } catch (cause) {
        throw unreadable(place, cause)
      }
    },
    digest: (place, secret) => createHmac('sha256', finding).update(place).update('\0').update(secret).digest('base64url'),
  }
}

const unreadable = (place: string, cause?: unknown): SyntaxError => new SyntaxError(`Cannot open the secret in "${place}"`, { cause })
