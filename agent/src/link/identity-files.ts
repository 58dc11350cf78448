import type { Runtime } from '../runtime/runtime.ts'

export const FINGERPRINT_FILE = 'fingerprint'
export const HOST_KEY_FILE = 'ssh_host_ed25519_key'
/** Name of the file with the keys of hubs that have authenticated with a signed nonce. */
export const PROVED_HUBS_FILE = 'proved-hub-keys'

export const identityFiles = [FINGERPRINT_FILE, HOST_KEY_FILE, PROVED_HUBS_FILE]

/** Size limit in bytes of a file with the agent's identity. The largest is the SSH host key with about 500 bytes. */
const MAX_BYTES = 16 * 1024

/**
 * Returns the reason text why the agent must not start with this data folder: an identity file (fingerprint, SSH host key) exists but
 * cannot be read. `undefined` otherwise.
 */
export function identityProblem(runtime: Runtime, dataFolder: string): string | undefined {
  const paths = identityFiles.map((name) => `${dataFolder}/${name}`)
  const unreadable = paths.find((path) => runtime.stat(path) !== null && runtime.readBytes(path, MAX_BYTES) === null)
  if (unreadable === undefined) return undefined
  return `Cannot read "${unreadable}", by which hubs recognise this agent: let its user read it, or remove it to become a new machine for them`
}
