import { createCipheriv, createDecipheriv, randomBytes, scrypt, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'
import { BackupRefusedError } from './backup-error.ts'

const VERSION = 1
const SALT_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32
/**
 * Options of scrypt (RFC 7914) for deriving keys from passphrases: N = 2^17, r = 8, p = 1, from OWASP's password storage cheat sheet. Each
 * run takes 128 MB of memory.
 */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

export const SHORTEST_PASSPHRASE = 12

const derive = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt)
const keyOf = (passphrase: string, salt: Uint8Array): Promise<Buffer> => derive(passphrase, salt, KEY_BYTES, COST)

/**
 * Encrypts a secret with a passphrase (AES-256-GCM, key from scrypt, RFC 7914). Resolves to one buffer: version byte, salt, nonce, tag and
 * ciphertext.
 */
export async function sealUnder(passphrase: string, secret: Uint8Array): Promise<Buffer> {
  const salt = randomBytes(SALT_BYTES)
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', await keyOf(passphrase, salt), nonce)
  const text = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([Buffer.of(VERSION), salt, nonce, cipher.getAuthTag(), text])
}

/**
 * Decrypts a secret that `sealUnder` encrypted with a passphrase, and resolves to it. Throws {@link BackupRefusedError} for a wrong
 * passphrase or invalid bytes.
 */
export async function openUnder(passphrase: string, sealed: Uint8Array): Promise<Buffer> {
  const bytes = Buffer.from(sealed)
  const [salt, nonce, tag] = [1, 1 + SALT_BYTES, 1 + SALT_BYTES + NONCE_BYTES]
  if (bytes[0] !== VERSION || bytes.length < tag + TAG_BYTES)
    throw new BackupRefusedError('Cannot open the key of the backup: it is damaged or of a newer version')
  const key = await keyOf(passphrase, bytes.subarray(salt, nonce))
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(nonce, tag)).setAuthTag(bytes.subarray(tag, tag + TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(tag + TAG_BYTES)), decipher.final()])
  } catch (cause) {
    throw new BackupRefusedError('Cannot open the key of the backup: the passphrase is another one', { cause })
  }
}
