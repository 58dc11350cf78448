import type { CollectOptions } from '../collect/collectors.ts'
import type { Confinement, Runtime } from '../runtime/runtime.ts'

/** Programs that these options can ever run. */
export function wantedPrograms({ gpus, diskHealth }: Pick<CollectOptions, 'gpus' | 'diskHealth'>): readonly string[] {
  const readsDrives = (diskHealth.scan || diskHealth.devices.length > 0) && !diskHealth.exclude.includes('*')
  const readsNvidia = gpus.mode === 'on' && gpus.makers.includes('nvidia')
  return [...(readsDrives ? ['smartctl'] : []), ...(readsNvidia ? ['nvidia-smi'] : [])]
}

/** Gives up what an agent with these options does not need. */
export const confine = (runtime: Runtime, options: CollectOptions, writable: readonly string[]): Confinement =>
  runtime.confine({ programs: wantedPrograms(options), writable })
