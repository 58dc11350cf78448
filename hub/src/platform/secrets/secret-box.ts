import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Encryption of secrets for the database by the hub's secret key: `seal` encrypts and `open` decrypts. `digest` makes a text for finding a
 * row, and `derive` makes further keys.
 */
export type SecretBox = {
  /**
   * Encrypts a secret for the database and returns it as text. `place` names its table and column, such as `changes.event`; the result can
   * be decrypted only with the same `place`.
   */
  readonly seal: (place: string, secret: string) => string
  /**
   * Decrypts a text that `seal` returned for the same `place`. Throws a SyntaxError when it is damaged, or was encrypted with another key
   * or for another `place`.
   */
  readonly open: (place: string, sealed: string) => string
  /**
   * Returns a keyed digest (HMAC-SHA-256, as text) of a secret, for finding its row. `place` names the table and column. Equal secrets of
   * one `place` have equal digests; a digest does not reveal the secret.
   */
  readonly digest: (place: string, secret: string) => string
  /**
   * Derives a 32-byte key for another purpose from the hub's secret key (HKDF, RFC 5869), which it does not reveal. `purpose` is any text
   * that names it; the same text gives the same key.
   */
  readonly derive: (purpose: string) => Buffer
}

export const SECRET_KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const VERSION = 'v1.'

/**
 * Creates a secret box from a 32-byte key: AES-256-GCM with random nonces, and HMAC-SHA-256 for digests, each with a derived key (HKDF, RFC
 * 5869). Throws a RangeError for another key size.
 */
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
