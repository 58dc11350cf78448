import { createDecipheriv } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { isJsonObject, parseJson } from '../../../platform/json.ts'
import { cannotImport } from './transfer-refused-error.ts'

/**
 * Length in bytes (12) of the nonce at the start of settings that a Beszel hub encrypted with AES-256-GCM (NIST SP 800-38D). The last 16
 * bytes (`TAG_BYTES`) are the authentication tag.
 */
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Length in characters of the key with which a Beszel hub encrypts its settings (option `--encryptionEnv`): 32. */
const KEY_LENGTH = 32

/**
 * Decrypts the settings of another hub within `copy`, the path of a copy of its database, if they are encrypted. `key` has 32 characters.
 * Throws a `TransferRefusedError`, which names the path `given`, without the right key.
 */
export function decryptSettings(copy: string, given: string, key: string | undefined): void {
  const database = new DatabaseSync(copy)
  try {
    // Triggers of a prepared file must not call functions.
    database.exec('pragma trusted_schema = off')
    const hasTable = database.prepare("select 1 from sqlite_master where name = '_params'").get() !== undefined
    if (!hasTable) return
    const row = database.prepare("select value from _params where id = 'settings'").get()
    const value = textOf(row?.['value'])
    if (value === undefined || isSettings(value)) return
    const plain = key === undefined ? undefined : decrypt(value, key)
    if (plain === undefined || !isSettings(plain)) {
      const problem = key === undefined ? 'its settings are encrypted' : 'its settings are encrypted with another key'
      throw cannotImport(given, `${problem}; give the key of its option --encryptionEnv in VEDETTE_IMPORT_SETTINGS_KEY`)
    }
    database.prepare("update _params set value = ? where id = 'settings'").run(plain)
  } finally {
    database.close()
  }
}

function textOf(value: unknown): string | undefined {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8')
  return typeof value === 'string' ? value : undefined
}

function isSettings(text: string): boolean {
  try {
    return isJsonObject(parseJson(text))
  } catch {
    // Encrypted settings are base64, not JSON.
    return false
  }
}

function decrypt(text: string, key: string): string | undefined {
  const bytes = Buffer.from(text.replaceAll('"', ''), 'base64')
  if (Buffer.byteLength(key) !== KEY_LENGTH || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key), bytes.subarray(0, NONCE_BYTES))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8')
  } catch {
    // The tag does not fit: the key is another one.
    return undefined
  }
}
