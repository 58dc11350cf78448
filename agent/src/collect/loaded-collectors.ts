import { createCommands } from '../runtime/command.ts'
import type { Loop } from '../runtime/deadline.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { procSource, type ProcSource, type Roots } from '../source/proc-source.ts'
import { presentMakers } from './gpu/gpu-devices.ts'
import type { GpuMaker } from './gpu/gpu-source.ts'
import { part, type PartCollector } from './run-all.ts'
import { busSocket } from './systemd/bus-socket.ts'
import { whenPresent } from './when-present.ts'

export type GpuSetting = { readonly mode: 'off' } | { readonly mode: 'on'; readonly makers: readonly GpuMaker[] }

/** Setting for systemd services: disabled, or a list of patterns of unit names such as `ssh*.service`. */
export type ServiceSetting = { readonly mode: 'off' } | { readonly mode: 'on'; readonly patterns: readonly string[] }

export type LoadedOptions = {
  readonly roots: Roots
  readonly primarySensor: string | undefined
  readonly gpus: GpuSetting
  readonly services: ServiceSetting
}

/**
 * Timeout in ms, 1 s, of the collectors (readers of one kind of metric) for GPUs and services. Their values are cached or come from a few
 * kernel files.
 */
const DEADLINE_MS = 1000

/**
 * Returns the list of the collectors (readers of one kind of metric each) of GPUs and services that are not disabled. Their code is loaded
 * only when the machine has GPUs or a system bus.
 */
export function loadedCollectors(runtime: Runtime, loop: Loop, options: LoadedOptions): readonly PartCollector[] {
  const source = procSource(runtime, options.roots)
  const { gpus, services, primarySensor } = options
  return [
    ...(gpus.mode === 'off' ? [] : [gpusPart({ runtime, loop, source }, gpus.makers, primarySensor)]),
    ...(services.mode === 'off' ? [] : [servicesPart({ runtime, loop, source }, services.patterns)]),
  ]
}

type Parts = { readonly runtime: Runtime; readonly loop: Loop; readonly source: ProcSource }

function gpusPart({ runtime, loop, source }: Parts, makers: readonly GpuMaker[], primarySensor: string | undefined): PartCollector {
  const gpus = whenPresent('gpus', {
    isPresent: () => presentMakers(source, makers).length > 0,
    // A check reads some dozen files.
    lookEveryMs: 10 * 60_000,
    absence: 'there is no GPU of NVIDIA, AMD or Intel',
    load: async () => {
      const { gpusCollector } = await import('./gpu/gpus.ts')
      return gpusCollector({ source, loop, commands: () => createCommands(runtime, loop) }, { makers, primarySensor })
    },
  })
  return part(gpus, DEADLINE_MS, (families) => families)
}

function servicesPart(parts: Parts, patterns: readonly string[]): PartCollector {
  const services = whenPresent('services', {
    isPresent: () => busSocket(parts.runtime) !== undefined,
    lookEveryMs: 10_000,
    absence: 'there is no message bus of the system',
    load: async () => (await import('./systemd/services.ts')).servicesCollector(parts, patterns),
  })
  return part(services, DEADLINE_MS, (families) => families)
}
