import type { MachineFacts } from '@vedette/protocol/metrics/sample'
import type { Loop } from '../runtime/deadline.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { procSource } from '../source/proc-source.ts'
import type { NameFilter } from '../text/glob.ts'
import { batteriesCollector } from './batteries.ts'
import { cpuCollector } from './cpu.ts'
import type { DiskHealthOptions } from './disk-health/disk-health.ts'
import { diskCounterReader } from './disks/disk-counters.ts'
import { diskLayout } from './disks/disk-layout.ts'
import { extraDisksCollector } from './disks/extra-disks.ts'
import type { NamedFilesystem } from './disks/extra-filesystems.ts'
import { rootIoCollector } from './disks/root-io.ts'
import { rootUsageCollector } from './disks/root-usage.ts'
import type { EngineClient } from './docker/client.ts'
import { findEngine, type EngineSetting } from './docker/engine-address.ts'
import { fansCollector } from './fans.ts'
import { loadCollector } from './load.ts'
import { loadedCollectors, type LoadedOptions } from './loaded-collectors.ts'
import { machineCollector } from './machine.ts'
import { memoryCollector, type MemoryCalculation } from './memory.ts'
import { networkCollector } from './network.ts'
import { pressureCollector } from './pressure.ts'
import { part, type PartCollector } from './run-all.ts'
import { readSurroundings } from './surroundings.ts'
import { slowSysReader } from '../source/slow-reader.ts'
import { temperaturesCollector } from './temperatures.ts'
import { uptimeCollector } from './uptime.ts'
import { whenPresent } from './when-present.ts'

export type CollectOptions = LoadedOptions & {
  /**
   * Path of the sysfs root below which the temperature sensors are searched, usually `/sys`. It can be configured separately from the root
   * for all other readings.
   */
  readonly sensorsRoot: string
  readonly memoryCalculation: MemoryCalculation
  readonly filesystem: string | undefined
  /**
   * Filesystems besides the root that the operator has configured, each a device or mount point with a display name. `undefined`: all disks
   * are detected automatically.
   */
  readonly extraFilesystems: readonly NamedFilesystem[] | undefined
  /** Cache time in ms of the sizes of filesystems other than the root. With 0, the agent reads the sizes for every sample. */
  readonly diskUsageKeptMs: number
  readonly interfaces: NameFilter | undefined
  readonly sensors: { readonly mode: 'off' } | { readonly mode: 'on'; readonly filter: NameFilter | undefined }
  readonly sensorsTimeoutMs: number
  readonly diskHealth: DiskHealthOptions
  /** Interval in ms at which the agent asks hubs to request the health of drives; `undefined` lets the hub decide. */
  readonly diskHealthIntervalMs: number | undefined
  /** Tags that the operator has configured for this system. The agent sends them to hubs with the facts about the machine. */
  readonly tags: readonly string[]
  readonly engine: EngineSetting
  readonly engineTimeoutMs: number
  readonly excludedContainers: readonly string[]
}

/** Timeout in ms of a collector that reads kernel files: 1 s. Such files respond at once, so a longer reading hangs. */
const FILE_DEADLINE_MS = 1000
/**
 * Time in ms, 1,000, that is added to the timeout of a collector whose reading has a time limit of its own. On a busy machine, the agent
 * may process the result of the reading this much late.
 */
const READ_LATE_MS = 1000

/**
 * Maximum timeout in ms, 4,500, of the collector that queries Docker or Podman; a longer configured timeout is reduced to it. The hub's own
 * timeout is 5 s.
 */
const MAX_ENGINE_DEADLINE_MS = 4500

/**
 * Time in ms, 150, that is reserved, within the collector's timeout, to build the sample after the responses of Docker or Podman have
 * arrived.
 */
const MERGE_MS = 150

/**
 * Creates the agent's collectors (readers of one kind of metric each) that are not disabled, with their timeouts, and returns them as a
 * list.
 */
export function collectors(runtime: Runtime, loop: Loop, options: CollectOptions): readonly PartCollector[] {
  const source = procSource(runtime, options.roots)
  const engine = engineOnDemand(runtime, loop, options)
  const means = { hasHostProc: options.roots.proc !== '/proc', hasEngine: engine.isPresent() }
  const surroundings = readSurroundings(source, means)
  const { isGuest } = surroundings
  const counters = diskCounterReader(source)
  const layout = diskLayout(source, counters, { ...options, isGuest })
  const engineDeadlineMs = Math.min(MAX_ENGINE_DEADLINE_MS, options.engineTimeoutMs * 2 + 300)
  const file = FILE_DEADLINE_MS
  const { sensors } = options
  const sensorSource = procSource(runtime, { ...options.roots, sys: options.sensorsRoot })
  const readSensors = slowSysReader(loop, options.sensorsRoot)
  return [
    part(cpuCollector(source), file, (cpu) => ({ cpu })),
    part(memoryCollector(source, options.memoryCalculation, surroundings), file, (families) => families),
    part(loadCollector(source), file, (load) => ({ load })),
    part(uptimeCollector(source), file, (uptimeSeconds) => ({ uptimeSeconds })),
    part(pressureCollector(source, surroundings), file, (pressure) => ({ pressure })),
    part(rootUsageCollector(source, layout), file, (rootDisk) => ({ rootDisk })),
    part(rootIoCollector(counters, layout), file, (rootDisk) => ({ rootDisk })),
    part(extraDisksCollector(source, counters, layout, options.diskUsageKeptMs), file, (extraDisks) => ({ extraDisks })),
    part(networkCollector(source, options.interfaces), file, (network) => ({ network })),
    part(batteriesCollector(source), file, (families) => families),
    part(fansCollector(sensorSource, readSensors), file + READ_LATE_MS, (fans) => ({ fans })),
    ...(sensors.mode === 'off'
      ? []
      : [
          part(
            temperaturesCollector(sensorSource, readSensors, {
              filter: sensors.filter,
              primary: options.primarySensor,
              timeoutMs: options.sensorsTimeoutMs,
            }),
            options.sensorsTimeoutMs + READ_LATE_MS,
            (families) => families,
          ),
        ]),
    part(machineCollector(source, { architecture: runtime.info().arch, surroundings }, engine.facts), engineDeadlineMs, (machine) => ({
      machine: withOptions(machine, options),
    })),
    ...(options.engine.mode === 'off'
      ? []
      : [
          part(
            whenPresent('containers', {
              isPresent: engine.isPresent,
              lookEveryMs: 10_000,
              absence: 'there is no socket of a container engine',
              load: async () => {
                const { containersCollector } = await import('./docker/containers.ts')
                const budgetMs = engineDeadlineMs - MERGE_MS
                return containersCollector(
                  { runtime, loop, source, engine: await engine.client() },
                  { exclude: options.excludedContainers, budgetMs },
                )
              },
            }),
            engineDeadlineMs,
            (families) => families,
          ),
        ]),
    // After the sensors, because a GPU's temperature may represent the machine.
    ...loadedCollectors(runtime, loop, options),
  ]
}

/**
 * Returns the machine's facts with two configured values added: the interval in ms of drive readings, and the tags of the system. Hubs
 * receive them together.
 */
const withOptions = (machine: MachineFacts, { diskHealthIntervalMs, tags }: CollectOptions): MachineFacts => ({
  ...machine,
  ...(diskHealthIntervalMs !== undefined && { smartIntervalMs: diskHealthIntervalMs }),
  ...(tags.length > 0 && { tags }),
})

/**
 * Creates the client of the container engine (Docker or Podman) that all collectors share. The client's code is loaded when a collector
 * first needs it.
 */
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
