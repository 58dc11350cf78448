import type { MachineFacts } from '@vedette/protocol/metrics/sample'
import { present } from '@vedette/protocol/wire/present'
import type { ProcSource } from '../source/proc-source.ts'
import { cpuModelOf } from '../text/cpu-model.ts'
import { parseKeyValues, withoutQuotes } from '../text/key-values.ts'
import { parseMountInfo } from '../text/mount-info.ts'
import { plainName } from '../text/plain-name.ts'
import { readGuestMemory } from './cgroup-memory.ts'
import type { Collector } from './collector.ts'
import { hostRootIn } from './disks/mounts.ts'
import { totalMemory } from './memory.ts'
import { hostScopedFamilies, type Surroundings } from './surroundings.ts'

/**
 * Facts about the host as Docker or Podman reports them: kernel, operating system, number of CPUs, memory size. They are correct even when
 * the agent runs in a container.
 */
export type EngineFacts = Pick<MachineFacts, 'kernel' | 'osName' | 'threads' | 'totalMemoryBytes' | 'podman'>

/**
 * Facts about the machine that need no reading: processor architecture as from uname(2), and the environment of the agent (machine or
 * container).
 */
export type MachineSetting = { readonly architecture: string; readonly surroundings: Surroundings }

/**
 * Returns the number of logical CPUs in the text of /proc/cpuinfo; 0 when unknown. It counts the `processor` lines; without any, it takes
 * the number of `# processors` (s390).
 */
export function threadsOf(cpuInfo: string): number {
  const lines = cpuInfo.split('\n').filter((line) => /^processor\s*\d*\s*:/.test(line)).length
  return lines || Number(parseKeyValues(cpuInfo, ':').get('# processors') ?? 0) || 0
}

/**
 * Returns the number of physical cores, counted as distinct groups of hyperthreads; kernel Documentation/admin-guide/cputopology.rst.
 * `undefined` when sysfs has no topology.
 */
export function readCores(source: ProcSource): number | undefined {
  const groups = source
    .listSys('devices/system/cpu')
    .filter((name) => /^cpu\d+$/.test(name))
    .map((name) => `devices/system/cpu/${name}/topology`)
    .map((topology) => source.trySys(`${topology}/core_cpus_list`) ?? source.trySys(`${topology}/thread_siblings_list`))
    .filter((group) => group !== undefined)
  return groups.length === 0 ? undefined : new Set(groups).size
}

/**
 * Reads and returns facts that do not change while the machine runs, such as hostname and CPU model. Facts from Docker or Podman (`engine`)
 * take precedence over those of the kernel's files.
 */
export function readMachineFacts(source: ProcSource, setting: MachineSetting, engine: EngineFacts | undefined): MachineFacts {
  const { architecture, surroundings } = setting
  const cpuInfo = source.tryProc('cpuinfo') ?? ''
  const machineMemory = totalMemory(source)
  const limitBytes = guestLimit(source, surroundings, machineMemory)
  const facts: MachineFacts = {
    ...present<MachineFacts>({
      hostname: plainName(source.tryProc('sys/kernel/hostname') ?? '') || undefined,
      kernel: plainName(source.tryProc('sys/kernel/osrelease') ?? '') || undefined,
      cpuModel: cpuModelOf(cpuInfo),
      threads: threadsOf(cpuInfo) || undefined,
      os: 'linux',
      osName: osNameOf(readOsRelease(source, surroundings)),
      architecture,
      totalMemoryBytes: machineMemory,
    }),
    ...engine,
  }
  return present<MachineFacts>({
    ...facts,
    totalMemoryBytes: limitBytes ?? facts.totalMemoryBytes,
    cores: coresWithin(facts.threads, readCores(source) ?? coresPerSocket(cpuInfo)),
    container: surroundings.container,
    hostScoped: hostScopedFamilies(surroundings, limitBytes !== undefined),
  })
}

/**
 * Returns the memory limit of a container guest such as LXC in bytes. `undefined` for other machines, without a limit below the machine's
 * memory, or if lxcfs has already applied it to /proc/meminfo.
 */
function guestLimit(source: ProcSource, { isGuest, virtualised }: Surroundings, machineBytes = 0): number | undefined {
  const limitBytes = isGuest && !virtualised.has('meminfo') ? readGuestMemory(source)?.limitBytes : undefined
  return limitBytes !== undefined && limitBytes < machineBytes ? limitBytes : undefined
}

/**
 * Returns the number of CPU cores, at most that of threads, because a container may have fewer threads than the machine has cores. When
 * only one number is known, that one is returned; `undefined` when none is.
 */
const coresWithin = (threads: number | undefined, cores: number | undefined): number | undefined =>
  cores === undefined || threads === undefined ? (cores ?? threads) : Math.min(cores, threads)

/**
 * Returns the number of physical cores from the text of /proc/cpuinfo: cores per socket times sockets. It is for machines without a CPU
 * topology in sysfs, such as some containers; `undefined` when the text lacks it.
 */
function coresPerSocket(cpuInfo: string): number | undefined {
  const cores = Number(parseKeyValues(cpuInfo, ':').get('cpu cores'))
  const sockets = new Set(cpuInfo.split('\n').filter((line) => line.startsWith('physical id'))).size
  return Number.isInteger(cores) && cores > 0 ? cores * Math.max(1, sockets) : undefined
}

/**
 * Returns the text of os-release(5): of the machine's root if it is mounted into the agent's container, else of the agent's own root.
 * `undefined` when missing.
 */
function readOsRelease(source: ProcSource, { container, isGuest }: Surroundings): string | undefined {
  const own = source.tryProc('self/mountinfo')
  const host = container === undefined || isGuest || own === undefined ? undefined : hostRootIn(parseMountInfo(own), source)
  const below = (folder: string) => source.own.tryText(`${folder}/etc/os-release`) ?? source.own.tryText(`${folder}/usr/lib/os-release`)
  return (host && below(host.mountPoint)) ?? source.tryEtc('os-release') ?? source.own.tryText('/usr/lib/os-release')
}

function osNameOf(release: string | undefined): string | undefined {
  if (release === undefined) return undefined
  const values = parseKeyValues(release, '=')
  const name = values.get('PRETTY_NAME') ?? values.get('NAME')
  return name === undefined ? undefined : plainName(withoutQuotes(name)) || undefined
}

/**
 * Time in ms, 10 s, after which the agent requests facts about the machine from Docker or Podman again, if neither responded or was found.
 */
const ENGINE_AGAIN_MS = 10_000

/**
 * Creates the collector of machine facts. A sample requests them from Docker or Podman too, at most every 10 s, until the first response.
 * The facts are read with the first sample, and again if that response comes later.
 */
export function machineCollector(
  source: ProcSource,
  setting: MachineSetting,
  engineFacts: () => Promise<EngineFacts | undefined>,
): Collector<MachineFacts> {
  let known: MachineFacts | undefined
  let engine: EngineFacts | undefined
  let askedAtMs = Number.NEGATIVE_INFINITY
  const facts = (isAnew: boolean): MachineFacts => {
    if (known === undefined || isAnew) known = readMachineFacts(source, setting, engine)
    return known
  }
  const askEngine = async (): Promise<MachineFacts> => {
    const before = engine
    engine = await engineFacts()
    return facts(engine !== before)
  }

  return {
    name: 'machine',
    // Returns without a promise when the engine need not be queried, which is nearly always.
    collect: ({ atMs }) => {
      if (engine !== undefined || atMs - askedAtMs < ENGINE_AGAIN_MS) return facts(false)
      askedAtMs = atMs
      return askEngine()
    },
    report: () => {
      if (known === undefined) return {}
      const { container, hostScoped = [] } = known
      const { isGuest } = setting.surroundings
      const place =
        container === undefined
          ? 'a machine of its own'
          : isGuest
            ? `a guest (${container})`
            : `the machine around a container (${container})`
      const why = 'the surrounding machine answers for this guest'
      return { found: place, skipped: hostScoped.map((what) => ({ what: `own ${what}`, why })) }
    },
  }
}
