import { createPrivateKey, sign } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import type { Database } from '../../platform/db/database.ts'
import { loadState, saveState } from '../../platform/db/hub-state.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'

/**
 * Ed25519 key pair of the hub, by which agents recognise it. `privatePem` is an OpenSSH PEM. `sign` returns the raw 64-byte signature (RFC
 * 8032) of a text.
 */
export type HubKey = {
  readonly privatePem: string
  /** Public key of the hub as OpenSSH text `ssh-ed25519 AAAA…`, without a comment. */
  readonly publicLine: string
  readonly sign: (text: string) => Uint8Array
}

/**
 * Error for a key of the hub that cannot be used, such as a damaged key file. The hub does not start then, because a new key would lock it
 * out of every agent.
 */
export class HubKeyUnusable extends Error {
  override readonly name = 'HubKeyUnusable'
}

/**
 * Returns the hub's key pair from the file `id_ed25519` in a data directory. Creates the file (mode 0600) when it is missing, and writes
 * the public key to `id_ed25519.pub`. Throws {@link HubKeyUnusable}.
 */
export function readHubKey(directory: string): HubKey {
  const path = join(directory, 'id_ed25519')
  if (!existsSync(path)) writeKeyFile(path, generatePrivateKey())
  const key = parseHubKey(readFileSync(path, 'utf8'), path)
  const publicPath = `${path}.pub`
  if (!existsSync(publicPath) || readFileSync(publicPath, 'utf8').trim() !== key.publicLine)
    writeFileSync(publicPath, `${key.publicLine}\n`)
  return key
}

/** Key of the row in the table `hub_state` that has the encrypted private SSH key which all hubs of a database share. */
const STATE = 'hubKey'

type SharedKeyParts = { readonly directory: string; readonly database: Database; readonly secrets: Pick<SecretBox, 'seal' | 'open'> }

/**
 * Reads the key pair that all hubs of a database share. The first hub stores its own key; later hubs write that key to their data
 * directory. Throws {@link HubKeyUnusable} when a data directory has a different key.
 */
export async function readSharedHubKey({ directory, database, secrets }: SharedKeyParts): Promise<HubKey> {
  const path = join(directory, 'id_ed25519')
  const hasFile = existsSync(path)
  if ((await loadState(database.kysely, STATE)) === undefined) {
    const sealed = secrets.seal(STATE, hasFile ? readHubKey(directory).privatePem : generatePrivateKey())
    await database.write(async (unit) => {
      // When several hubs start at once, the first one stores its key.
      await unit.sql
        .insertInto('hub_state')
        .values({ name: STATE, value: sealed })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute()
    })
  }
  const shared = parseHubKey(secrets.open(STATE, (await loadState(database.kysely, STATE)) ?? ''), 'the key of all hubs')
  // A hub that later runs alone needs the file.
  if (!hasFile) writeKeyFile(path, shared.privatePem)
  const own = readHubKey(directory)
  if (own.publicLine === shared.publicLine) return own
  throw new HubKeyUnusable(`Cannot use "${path}": the hubs of this database have another key; move the file away to use theirs`)
}

/**
 * Resolves to the hub's key pair if there is one: the key that the hubs of a database share, or the one in the data directory. `undefined`
 * for a new hub.
 */
export async function findHubKey({ directory, database, secrets }: SharedKeyParts): Promise<HubKey | undefined> {
  const shared = await loadState(database.kysely, STATE)
  if (shared !== undefined) return parseHubKey(secrets.open(STATE, shared), 'the key of all hubs')
  const path = join(directory, 'id_ed25519')
  return existsSync(path) ? parseHubKey(readFileSync(path, 'utf8'), path) : undefined
}

/**
 * Replaces the key pair of a stopped hub by the given private key (OpenSSH PEM), also the one that hubs share in the database. The old key
 * file is renamed to `id_ed25519.replaced`. Throws {@link HubKeyUnusable} for an unusable key, and changes nothing.
 */
export async function replaceHubKey({ directory, database, secrets }: SharedKeyParts, privatePem: string): Promise<void> {
  const path = join(directory, 'id_ed25519')
  parseHubKey(privatePem, 'the new key')
  if ((await loadState(database.kysely, STATE)) !== undefined)
    await database.write((unit) => saveState(unit.sql, STATE, secrets.seal(STATE, privatePem)))
  if (existsSync(path)) renameSync(path, `${path}.replaced`)
  writeKeyFile(path, privatePem)
  readHubKey(directory)
}

function writeKeyFile(path: string, privatePem: string): void {
  const temporary = `${path}.new`
  writeFileSync(temporary, privatePem, { mode: 0o600, flush: true })
  chmodSync(temporary, 0o600)
  renameSync(temporary, path)
}

/** Generates an Ed25519 private key as OpenSSH PEM. About 1 in 200 keys of ssh2 1.17 cannot be parsed again; those are discarded. */
export function generatePrivateKey(): string {
  for (;;) {
    const { private: pem } = ssh2.utils.generateKeyPairSync('ed25519')
    if (!(ssh2.utils.parseKey(pem) instanceof Error)) return pem
  }
}

/**
 * Parses a private key, an OpenSSH PEM of the type ssh-ed25519, to the hub's key pair. Throws {@link HubKeyUnusable}, whose message names
 * the file `path`.
 */
export function parseHubKey(privatePem: string, path: string): HubKey {
  const parsed = ssh2.utils.parseKey(privatePem)
  if (parsed instanceof Error) throw new HubKeyUnusable(`Cannot read "${path}": ${parsed.message}`, { cause: parsed })
  if (parsed.type !== 'ssh-ed25519')
    throw new HubKeyUnusable(`Cannot use "${path}": it holds a key of type "${parsed.type}", expected "ssh-ed25519"`)
  // The key is parsed once. Signing with the PEM text takes 6 times as long, which delays many reconnecting agents.
  const privateKey = createPrivateKey(parsed.getPrivatePEM())
  return {
    privatePem,
    publicLine: `ssh-ed25519 ${parsed.getPublicSSH().toString('base64')}`,
    sign: (text) => sign(null, Buffer.from(text), privateKey),
  }
}
