import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { secretBox, SECRET_KEY_BYTES, type SecretBox } from '../../../platform/secrets/secret-box.ts'
import { BackupRefusedError } from './backup-error.ts'
import type { ArchivedFile } from './manifest.ts'
import { openUnder, sealUnder } from './passphrase.ts'

/**
 * Names of the secret files of the data directory (`file`) with their names in a backup (`archived`): the hub's SSH key, and the list of
 * systems with tokens (config.yml).
 */
const sealedFiles = [
  { file: 'id_ed25519', archived: 'id_ed25519.sealed' },
  { file: 'config.yml', archived: 'config.yml.sealed' },
] as const satisfies readonly { readonly file: string; readonly archived: ArchivedFile }[]

const KEY_FILE = 'secret.key'
const KEY_ARCHIVED = 'secret.key.sealed'
/**
 * Associated data (`secretProof`) for the encryption of the proof text, so that no other encrypted text can replace it. If a secret key
 * decrypts the proof text, it is the right key for the hub's secrets.
 */
const PROOF_PLACE = 'secretProof'

const placeOf = (file: string): string => `backup ${file}`

type SealParts = {
  readonly directory: string
  readonly folder: string
  readonly secrets: SecretBox
  readonly passphrase: string | undefined
}

/**
 * Encrypts those secret files that exist in the data directory `directory` into files in `folder`. With a passphrase, it also adds the
 * secret key, encrypted with the passphrase. Resolves to the names of the new files. Rejects with {@link BackupRefusedError} if there is a
 * passphrase but no key file.
 */
export async function sealFiles({ directory, folder, secrets, passphrase }: SealParts): Promise<readonly ArchivedFile[]> {
  const names: ArchivedFile[] = []
  for (const { file, archived } of sealedFiles) {
    const path = join(directory, file)
    if (!existsSync(path)) continue
    await writeFile(join(folder, archived), secrets.seal(placeOf(file), await readFile(path, 'utf8')), { mode: 0o600 })
    names.push(archived)
  }
  if (passphrase === undefined) return names
  const key = join(directory, KEY_FILE)
  if (!existsSync(key))
    throw new BackupRefusedError('Cannot add the secret key to the backup: it is given to the hub from outside, so keep it where it is')
  await writeFile(join(folder, KEY_ARCHIVED), await sealUnder(passphrase, await readFile(key)), { mode: 0o600 })
  return [...names, KEY_ARCHIVED]
}

type OpenParts = {
  /**
   * Path of the folder with the unpacked files of a backup. {@link openFiles} replaces each encrypted file in it by the decrypted one, and
   * removes a secret key that is not needed.
   */
  readonly folder: string
  readonly proof: string
  readonly secrets: SecretBox
  /**
   * True when the operator sets the secret key of the hub by `--secret-key` or `VEDETTE_SECRET_KEY`. A backup must not replace the key
   * then.
   */
  readonly isKeyConfigured: boolean
  readonly passphrase: string | undefined
}

/**
 * Decrypts the secret files of an unpacked backup in its folder. Resolves to the names of the decrypted files in the data directory, such
 * as `id_ed25519`. Throws {@link BackupRefusedError} when the secret key or its passphrase is missing or wrong.
 */
export async function openFiles({ folder, proof, secrets, isKeyConfigured, passphrase }: OpenParts): Promise<readonly string[]> {
  const opened: string[] = []
  let box = secrets
  if (!proves(secrets, proof)) {
    if (isKeyConfigured)
      throw new BackupRefusedError('Cannot restore the backup: its secrets were sealed with another key than the hub was given')
    const key = await keyFrom(join(folder, KEY_ARCHIVED), passphrase)
    box = secretBox(key)
    if (!proves(box, proof))
      throw new BackupRefusedError('Cannot restore the backup: the key in it is not the one its secrets were sealed with')
    await writeFile(join(folder, KEY_FILE), `${key.toString('base64')}\n`, { mode: 0o600, flush: true })
    opened.push(KEY_FILE)
  }
  for (const { file, archived } of sealedFiles) {
    const path = join(folder, archived)
    if (!existsSync(path)) continue
    await writeFile(join(folder, file), openSealed(box, file, await readFile(path, 'utf8')), { mode: 0o600, flush: true })
    await rm(path)
    opened.push(file)
  }
  await rm(join(folder, KEY_ARCHIVED), { force: true })
  return opened
}

async function keyFrom(path: string, passphrase: string | undefined): Promise<Buffer> {
  const another = 'Cannot restore the backup: its secrets were sealed with another key'
  if (!existsSync(path)) throw new BackupRefusedError(`${another}, and the backup does not hold that key`)
  if (passphrase === undefined) throw new BackupRefusedError(`${another}. Give the passphrase that the backup was made with`)
  const key = Buffer.from((await openUnder(passphrase, await readFile(path))).toString('utf8').trim(), 'base64')
  if (key.length !== SECRET_KEY_BYTES) throw new BackupRefusedError('Cannot restore the backup: the key in it is damaged')
  return key
}

function openSealed(box: SecretBox, file: string, sealed: string): string {
  try {
    return box.open(placeOf(file), sealed)
  } catch (cause) {
    throw new BackupRefusedError(`Cannot restore the backup: "${file}" in it cannot be opened`, { cause })
  }
}

function proves(box: SecretBox, proof: string): boolean {
  try {
    box.open(PROOF_PLACE, proof)
    return true
  } catch {
    // The text was sealed with another key.
    return false
  }
}
