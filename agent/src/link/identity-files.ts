import type { Runtime } from '../runtime/runtime.ts'

export const FINGERPRINT_FILE = 'fingerprint'
export const HOST_KEY_FILE = 'ssh_host_ed25519_key'
/** Name of the file, in the data folder, with the keys of hubs that have authenticated with a signed nonce (random text of the agent). */
export const PROVED_HUBS_FILE = 'proved-hub-keys'

export const identityFiles = [FINGERPRINT_FILE, HOST_KEY_FILE, PROVED_HUBS_FILE]

/**
 * Size limit in bytes, 16 KiB, of a file with the agent's identity (fingerprint, SSH host key, keys of proved hubs). A longer file counts
 * as unreadable.
 */
const MAX_BYTES = 16 * 1024

/**
 * Returns a text that says why the agent must not start with this data folder, or `undefined`. It must not start when a file with its
 * identity (fingerprint, SSH host key, keys of proved hubs) exists but cannot be read. Otherwise hubs would take the agent for another
 * machine.
 */
export function identityProblem(runtime: Runtime, dataFolder: string): string | undefined {
  const paths = identityFiles.map((name) => `${dataFolder}/${name}`)
  const unreadable = paths.find((path) => runtime.stat(path) !== null && runtime.readBytes(path, MAX_BYTES) === null)
  if (unreadable === undefined) return undefined
  return `Cannot read "${unreadable}", by which hubs recognise this agent: let its user read it, or remove it to become a new machine for them`
}
