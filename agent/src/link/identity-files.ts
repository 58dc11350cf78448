import type { Runtime } from '../runtime/runtime.ts'

export const FINGERPRINT_FILE = 'fingerprint'
export const HOST_KEY_FILE = 'ssh_host_ed25519_key'
/** Keys of hubs that proved themselves over a nonce. */
export const PROVED_HUBS_FILE = 'proved-hub-keys'

export const identityFiles = [FINGERPRINT_FILE, HOST_KEY_FILE, PROVED_HUBS_FILE]

/** The host key is the larger one, half a kilobyte. */
const MAX_BYTES = 16 * 1024

/**
 * Why the agent must not start with this data folder: a file by which its hubs recognise it is there and cannot be read. Going on would make
 * it another machine to them, and what it was would be overwritten. `undefined` when all is well, which includes files not made yet.
 */
export function identityProblem(runtime: Runtime, dataFolder: string): string | undefined {
  const paths = identityFiles.map((name) => `${dataFolder}/${name}`)
  const unreadable = paths.find((path) => runtime.stat(path) !== null && runtime.readBytes(path, MAX_BYTES) === null)
  if (unreadable === undefined) return undefined
  return `Cannot read "${unreadable}", by which hubs recognise this agent: let its user read it, or remove it to become a new machine for them`
}
