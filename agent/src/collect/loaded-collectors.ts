import { createCommands } from '../command.ts'
import type { Loop } from '../deadline.ts'
import type { Runtime } from '../runtime.ts'
import { procSource, type Roots } from '../source/proc-source.ts'
import { presentMakers } from './gpu/gpu-devices.ts'
import type { GpuMaker } from './gpu/gpu-source.ts'
import { part, type PartCollector } from './run-all.ts'
import { whenPresent } from './when-present.ts'

export type GpuSetting = { readonly mode: 'off' } | { readonly mode: 'on'; readonly makers: readonly GpuMaker[] }

export type LoadedOptions = {
  readonly roots: Roots
  readonly primarySensor: string | undefined
  readonly gpus: GpuSetting
}

/** Values are at hand, or in a few files of the kernel. */
const DEADLINE_MS = 1000

/** The families whose code is loaded only where the machine has what they read. */
export function loadedCollectors(runtime: Runtime, loop: Loop, options: LoadedOptions): readonly PartCollector[] {
  const source = procSource(runtime, options.roots)
  const nowMs = (): number => runtime.clock().monotonicMs
  const { gpus, primarySensor } = options
  if (gpus.mode === 'off') return []
  return [
    part(
      whenPresent('gpus', {
        isPresent: nowAndThen(nowMs, () => presentMakers(source, gpus.makers).length > 0),
        absence: 'there is no GPU of NVIDIA, AMD or Intel',
        load: async () => {
          const { gpusCollector } = await import('./gpu/gpus.ts')
          return gpusCollector({ source, loop, commands: () => createCommands(runtime, loop) }, { makers: gpus.makers, primarySensor })
        },
      }),
      DEADLINE_MS,
      (families) => families,
    ),
  ]
}

/** What may be plugged in while the agent runs is looked for this often: looking takes some dozen files. */
const LOOK_AGAIN_MS = 10 * 60_000

function nowAndThen(nowMs: () => number, look: () => boolean): () => boolean {
  let lookedAtMs: number | undefined
  return () => {
    if (lookedAtMs !== undefined && nowMs() - lookedAtMs < LOOK_AGAIN_MS) return false
    lookedAtMs = nowMs()
    return look()
  }
}
