import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../db/database.ts'
import { loadState } from '../db/hub-state.ts'
import { SECRET_KEY_BYTES, secretBox, type SecretBox } from './secret-box.ts'

/** Thrown when the secrets in the database cannot be decrypted with the hub's key. The message is one sentence for the operator. */
export class SecretsUnusableError extends Error {
  override readonly name = 'SecretsUnusableError'
}

type SecretsOptions = {
  readonly directory: string
  /**
   * Secret text that the operator configured, from which the hub's secret key is derived. `undefined` to use the file `secret.key` in the
   * data directory.
   */
  readonly configured: string | undefined
  readonly database: Database
}

const PROOF = 'secretProof'
const PROVED = 'vedette'

/**
 * Opens the secret box, which encrypts and decrypts the secrets in a database, and resolves to it. Creates the key file of a new database,
 * unless the operator configured a key. Rejects with `SecretsUnusableError` when the key is missing, or is not the one that first encrypted
 * secrets of this database.
 */
export async function openSecrets({ directory, configured, database }: SecretsOptions): Promise<SecretBox> {
  const proof = await loadState(database.kysely, PROOF)
  const found = requireKey({ directory, configured, proof })
  if (found === undefined) makeKeyFile(keyFileOf(directory))
  const box = found ?? secretBox(readKeyFile(keyFileOf(directory)))
  if (proof === undefined) await leaveProof(database, box)
  return box
}

/**
 * Source of the hub's secret key: the data directory with the file `secret.key`, or a text from the operator. `proof` is an encrypted text
 * of the database, by which the key is checked; `undefined` in a new database.
 */
export type KeyParts = Omit<SecretsOptions, 'database'> & { readonly proof: string | undefined }

/**
 * Returns the secret box (encryption and decryption) of an existing secret key; `undefined` for a new database without a key. Changes
 * nothing. Throws `SecretsUnusableError` when the key is missing, or is not the one of this database.
 */
export function requireKey({ directory, configured, proof }: KeyParts): SecretBox | undefined {
  const path = keyFileOf(directory)
  if (configured === undefined && !existsSync(path)) {
    if (proof !== undefined)
      throw new SecretsUnusableError(
        `Cannot open the secrets of the database: "${path}" is missing; put it back from your copy of it, or restore a backup that holds it in a new directory`,
      )
    return undefined
  }
  const box = secretBox(configured === undefined ? readKeyFile(path) : keyOfText(configured))
  if (proof !== undefined && !proves(box, proof))
    throw new SecretsUnusableError(
      'Cannot open the secrets of the database: they were sealed with another key; give the hub the key from before, with --secret-key or as secret.key',
    )
  return box
}

const keyFileOf = (directory: string): string => join(directory, 'secret.key')

function makeKeyFile(path: string): void {
  const temporary = `${path}.new`
  writeFileSync(temporary, `${randomBytes(SECRET_KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flush: true })
  renameSync(temporary, path)
}

function readKeyFile(path: string): Buffer {
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64')
  if (key.length !== SECRET_KEY_BYTES)
    throw new SecretsUnusableError(`Cannot read "${path}": it holds no key of ${SECRET_KEY_BYTES} bytes in base64`)
  return key
}

/**
 * Returns the 32-byte secret key that is derived from the text that the operator configured (SHA-256). The text must be long and random.
 */
const keyOfText = (text: string): Buffer => createHash('sha256').update(text).digest()

async function leaveProof(database: Database, box: SecretBox): Promise<void> {
  await database.write(async (unit) => {
    await unit.sql
      .insertInto('hub_state')
      .values({ name: PROOF, value: box.seal(PROOF, PROVED) })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
  })
}

function proves(box: SecretBox, sealed: string): boolean {
  try {
    return box.open(PROOF, sealed) === PROVED
  } catch {
    // The proof was sealed with another key, which is an expected result.
    return false
  }
}
