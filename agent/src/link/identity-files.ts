import type { Runtime } from '../runtime/runtime.ts'

export const FINGERPRINT_FILE = 'fingerprint'
export const HOST_KEY_FILE = 'ssh_host_ed25519_key'
/** Name of the file with the hub keys that authenticated over a nonce. */
export const PROVED_HUBS_FILE = 'proved-hub-keys'

export const identityFiles = [FINGERPRINT_FILE, HOST_KEY_FILE, PROVED_HUBS_FILE]

/** Size limit of an identity file, in bytes. The largest is the host key with about 500 bytes. */
const MAX_BYTES = 16 * 1024

/**
 * Returns why the agent must not start with this data folder: an identity file exists but cannot be read. Otherwise the agent would become
 * another machine for its hubs and overwrite the file. `undefined` when all files are readable or missing.
 */
export function identityProblem(runtime: Runtime, dataFolder: string): string | undefined {
  const paths = identityFiles.map((name) => `${dataFolder}/${name}`)
  const unreadable = paths.find((path) => runtime.stat(path) !== null && runtime.readBytes(path, MAX_BYTES) === null)
  if (unreadable === undefined) return undefined
  return `Cannot read "${unreadable}", by which hubs recognise this agent: let its user read it, or remove it to become a new machine for them`
}
