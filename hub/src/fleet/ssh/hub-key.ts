import { createPrivateKey, sign } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ssh2 from 'ssh2'

/**
 * The hub's Ed25519 key pair, by which agents recognise it. The private key is an OpenSSH PEM in `DIR/id_ed25519` (mode 0600), with the
 * public line beside it. `sign` returns the raw 64-byte signature (RFC 8032).
 */
export type HubKey = {
  readonly privatePem: string
  /** `ssh-ed25519 AAAA…`, without a comment. */
  readonly publicLine: string
  readonly sign: (text: string) => Uint8Array
}

/** Thrown for a key file that exists but cannot be read. The hub does not start: a new key would lock it out of every agent. */
export class HubKeyUnusable extends Error {
  override readonly name = 'HubKeyUnusable'
}

/** Reads the key of a data directory, and creates it when there is none. */
export function readHubKey(directory: string): HubKey {
  const path = join(directory, 'id_ed25519')
  if (!existsSync(path)) {
    const temporary = `${path}.new`
    writeFileSync(temporary, generatePrivateKey(), { mode: 0o600, flush: true })
    chmodSync(temporary, 0o600)
    renameSync(temporary, path)
  }
  const key = parseHubKey(readFileSync(path, 'utf8'), path)
  const publicPath = `${path}.pub`
  if (!existsSync(publicPath) || readFileSync(publicPath, 'utf8').trim() !== key.publicLine)
    writeFileSync(publicPath, `${key.publicLine}\n`)
  return key
}

/** Generates an Ed25519 key as OpenSSH PEM. About 1 in 200 keys of ssh2 1.17 cannot be parsed again, so such a key is replaced. */
export function generatePrivateKey(): string {
  for (;;) {
    const { private: pem } = ssh2.utils.generateKeyPairSync('ed25519')
    if (!(ssh2.utils.parseKey(pem) instanceof Error)) return pem
  }
}

function parseHubKey(privatePem: string, path: string): HubKey {
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
