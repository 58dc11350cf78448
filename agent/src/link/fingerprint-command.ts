import { candidateFolders } from './data-folder.ts'
import { FINGERPRINT_FILE, PROVED_HUBS_FILE } from './identity-files.ts'
import { keptFingerprint, machineFingerprint } from './identity.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { Roots } from '../source/proc-source.ts'

export type FingerprintCommand = {
  readonly does: 'view' | 'reset'
  readonly dataFolder: string | undefined
  readonly roots: Roots
}

/**
 * Runs `fingerprint view` (prints this machine's fingerprint) or `fingerprint reset` (removes it and the stored keys of hubs that signed a
 * nonce). Returns the exit status: 1 when a file cannot be removed.
 */
export function fingerprintCommand(runtime: Runtime, { does, dataFolder, roots }: FingerprintCommand): number {
  const folders = candidateFolders(runtime, dataFolder).filter((path) => runtime.stat(path)?.kind === 'folder')
  if (does === 'view') {
    const kept = folders.map((folder) => keptFingerprint(runtime, folder)).find((text) => text !== undefined)
    runtime.print(`${kept ?? machineFingerprint(runtime, roots)}\n`)
    return 0
  }
  const files = folders.flatMap((folder) => [FINGERPRINT_FILE, PROVED_HUBS_FILE].map((name) => `${folder}/${name}`))
  let status = 0
  for (const path of files.filter((one) => runtime.stat(one) !== null)) {
    const failure = runtime.remove(path)
    if (failure === null) runtime.print(`Removed ${path}\n`)
    else {
      runtime.log('error', `Cannot remove "${path}": ${failure}`)
      status = 1
    }
  }
  return status
}
