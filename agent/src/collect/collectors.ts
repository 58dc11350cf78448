import type { Loop } from '../deadline.ts'
import type { Runtime } from '../runtime.ts'
import { procSource, type Roots } from '../source/proc-source.ts'
import type { NameFilter } from '../text/glob.ts'
import { cpuCollector } from './cpu.ts'
import { diskIoCollector, type DiskCounters } from './disk-io.ts'
import { diskUsageCollector } from './disk-usage.ts'
import type { EngineClient } from './docker/client.ts'
import { findEngine, type EngineSetting } from './docker/engine-address.ts'
import { loadCollector } from './load.ts'
import { machineCollector } from './machine.ts'
import { memoryCollector, type MemoryCalculation } from './memory.ts'
import { readMounts, rootMountPoint } from './mounts.ts'
import { networkCollector } from './network.ts'
import { selectRootDisk } from './root-disk.ts'
import { part, type PartCollector } from './run-all.ts'
import { sensorsCollector } from './sensors.ts'
import { uptimeCollector } from './uptime.ts'
import { whenPresent } from './when-present.ts'

export type CollectOptions = {
  readonly roots: Roots
  /** Another root of sysfs for the sensors only. */
  readonly sensorsRoot: string
  readonly memoryCalculation: MemoryCalculation
  readonly filesystem: string | undefined
  readonly interfaces: NameFilter | undefined
  readonly sensors: { readonly mode: 'off' } | { readonly mode: 'on'; readonly filter: NameFilter | undefined }
  readonly primarySensor: string | undefined
  readonly sensorsTimeoutMs: number
  readonly engine: EngineSetting
  readonly engineTimeoutMs: number
  readonly excludedContainers: readonly string[]
}

/** Files of the kernel are there at once; a reading that takes longer is stuck. */
const FILE_DEADLINE_MS = 1000

/** The engine's own time limit twice, and some; still within the five seconds a hub waits. */
const MAX_ENGINE_DEADLINE_MS = 4500

/** Left for making a sample of what came in time. */
const MERGE_MS = 150

/** THE list: every family this agent reads. A new one is a file beside these and a line here. */
export function collectors(runtime: Runtime, loop: Loop, options: CollectOptions): readonly PartCollector[] {
  const source = procSource(runtime, options.roots)
  const root = rootDiskChoice(source, options.filesystem)
  const engine = engineOnDemand(runtime, loop, options)
  const engineDeadlineMs = Math.min(MAX_ENGINE_DEADLINE_MS, options.engineTimeoutMs * 2 + 300)
  const file = FILE_DEADLINE_MS
  const { sensors } = options
  return [
    part(cpuCollector(source), file, (cpu) => ({ cpu })),
    part(memoryCollector(source, options.memoryCalculation), file, (families) => families),
    part(loadCollector(source), file, (load) => ({ load })),
    part(uptimeCollector(source), file, (uptimeSeconds) => ({ uptimeSeconds })),
    part(diskUsageCollector(source, root.mountPoint), file, (rootDisk) => ({ rootDisk })),
    part(diskIoCollector(source, root.device), file, (rootDisk) => ({ rootDisk })),
    part(networkCollector(source, options.interfaces), file, (network) => ({ network })),
    ...(sensors.mode === 'off'
      ? []
      : [
          part(
            sensorsCollector(procSource(runtime, { ...options.roots, sys: options.sensorsRoot }), {
              filter: sensors.filter,
              primary: options.primarySensor,
            }),
            options.sensorsTimeoutMs,
            (families) => families,
          ),
        ]),
    part(
      machineCollector(source, runtime.info().arch, engine.facts),
      engineDeadlineMs,
      (machine) => ({ machine }),
    ),
    ...(options.engine.mode === 'off'
      ? []
      : [
          part(
            whenPresent('containers', {
              isPresent: engine.isPresent,
              absence: 'there is no socket of a container engine',
              load: async () => {
                const { containersCollector } = await import('./docker/containers.ts')
                const budgetMs = engineDeadlineMs - MERGE_MS
                return containersCollector({ runtime, loop, engine: await engine.client() }, { exclude: options.excludedContainers, budgetMs })
              },
            }),
            engineDeadlineMs,
            (containers) => ({ containers }),
          ),
        ]),
  ]
}

/** Chosen when first needed, and again when the chosen device is gone. */
function rootDiskChoice(source: ReturnType<typeof procSource>, filesystem: string | undefined) {
  let device: string | undefined
  let mountPoint: string | undefined
  const choose = (devices: readonly DiskCounters[]): void => {
    const root = rootMountPoint(source)
    const chosen = selectRootDisk({ mounts: readMounts(source), devices, rootMountPoint: root, filesystem })
    device = chosen.device
    mountPoint = chosen.mountPoint
  }
  return {
    device: (devices: readonly DiskCounters[], again: boolean): string | undefined => {
      if (device === undefined || again) choose(devices)
      return device
    },
    mountPoint: (): string => {
      if (mountPoint === undefined) choose([])
      return mountPoint ?? '/'
    },
  }
}

/** The engine's client, loaded when there first is an engine; shared by all that ask it. */
function engineOnDemand(runtime: Runtime, loop: Loop, { engine: setting, engineTimeoutMs }: CollectOptions) {
  const find = () => findEngine(runtime, setting)
  const isPresent = (): boolean => find() !== undefined
  let loading: Promise<EngineClient> | undefined
  const client = (): Promise<EngineClient> => {
    loading ??= import('./docker/client.ts').then(({ engineClient }) => engineClient({ runtime, loop }, find, engineTimeoutMs))
    return loading
  }
  return {
    isPresent,
    client,
    facts: async () => {
      if (!isPresent()) return undefined
      const { engineFacts } = await import('./docker/engine-facts.ts')
      return engineFacts(await client())
    },
  }
}
