import type { CollectOptions } from '../collect/collectors.ts'
import type { Confinement, Runtime } from '../runtime/runtime.ts'

/**
 * Returns the list of the names of the programs that an agent with these collector options may run inside its sandbox, such as `smartctl`.
 */
export function wantedPrograms({ gpus, diskHealth }: Pick<CollectOptions, 'gpus' | 'diskHealth'>): readonly string[] {
  const readsDrives = (diskHealth.scan || diskHealth.devices.length > 0) && !diskHealth.exclude.includes('*')
  const readsNvidia = gpus.mode === 'on' && gpus.makers.includes('nvidia')
  return [...(readsDrives ? ['smartctl'] : []), ...(readsNvidia ? ['nvidia-smi'] : [])]
}

/**
 * Sandboxes the agent's process for good: it keeps only the permissions that these collector options need, and may write to the folders
 * (paths) in `writable`. Returns the restrictions in force and the missing ones.
 */
export const confine = (runtime: Runtime, options: CollectOptions, writable: readonly string[]): Confinement =>
  runtime.confine({ programs: wantedPrograms(options), writable })
