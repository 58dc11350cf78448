import type { Log } from '../runtime/log.ts'
import type { Bytes, Runtime } from '../runtime/runtime.ts'
import { PROVED_HUBS_FILE } from './identity-files.ts'

/**
 * Store of the public keys of hubs that have authenticated by signing a nonce (random text of the agent). For such a key, `needsNonce` is
 * true: signatures without a nonce are refused afterwards, which prevents replays.
 */
export type HubProofs = {
  readonly needsNonce: (key: Bytes) => boolean
  readonly add: (key: Bytes) => void
  /** Removes all stored keys of hubs that signed a nonce, so that any hub may authenticate without a nonce again. */
  readonly clear: () => void
}

const MAX_FILE_BYTES = 16 * 1024

/**
 * Creates the store of public keys of hubs that signed a nonce (random text). It is a file of the data folder with one hexadecimal key per
 * line; without a folder it is in memory. The file is read at each authentication, so that `vedette-agent fingerprint reset` affects a
 * running agent. Keys that are not in `hubKeys` (the configured ones) are removed at the next write.
 */
export function createHubProofs(
  runtime: Runtime,
  log: Pick<Log, 'warn'>,
  dataFolder: string | undefined,
  hubKeys: readonly Bytes[],
): HubProofs {
  const path = dataFolder === undefined ? undefined : `${dataFolder}/${PROVED_HUBS_FILE}`
  let inMemory: ReadonlySet<string> = new Set()

  const proved = (): ReadonlySet<string> =>
    path === undefined ? inMemory : new Set((runtime.readText(path, MAX_FILE_BYTES) ?? '').split('\n').filter((line) => line !== ''))

  const write = (keys: ReadonlySet<string>): void => {
    inMemory = keys
    if (path === undefined) return
    const failure = runtime.writeFile(path, runtime.bytes.utf8([...keys].map((key) => `${key}\n`).join('')), 0o600)
    if (failure !== null) log.warn('Cannot store the proof of the hub', { path, reason: failure })
  }

  return {
    needsNonce: (key) => proved().has(digitsOf(key)),
    add: (key) => {
      const known = proved()
      if (known.has(digitsOf(key))) return
      const stillNamed = hubKeys.map(digitsOf).filter((digits) => known.has(digits))
      write(new Set([...stillNamed, digitsOf(key)]))
    },
    clear: () => {
      if (proved().size > 0) write(new Set())
    },
  }
}

export const digitsOf = (bytes: Bytes): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
