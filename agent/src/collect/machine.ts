import type { MachineFacts } from '@vedette/protocol/metrics/sample'
import { present } from '@vedette/protocol/wire/present'
import type { ProcSource } from '../source/proc-source.ts'
import { cpuModelOf } from '../text/cpu-model.ts'
import { parseKeyValues, unquoted } from '../text/key-values.ts'
import type { Collector } from './collector.ts'
import { parseMemoryInfo } from './memory.ts'

/** What a container engine knows of the machine it runs on; right also where the agent itself sits in a container. */
export type EngineFacts = Pick<MachineFacts, 'kernel' | 'osName' | 'threads' | 'totalMemoryBytes' | 'podman'>

/** Logical CPUs: `processor` lines. */
export const threadsOf = (cpuInfo: string): number => cpuInfo.split('\n').filter((line) => /^processor\s*:/.test(line)).length

/** Physical cores: distinct groups of siblings; kernel Documentation/admin-guide/cputopology.rst. */
export function readCores(source: ProcSource): number | undefined {
  const groups = source
    .listSys('devices/system/cpu')
    .filter((name) => /^cpu\d+$/.test(name))
    .map((name) => `devices/system/cpu/${name}/topology`)
    .map((topology) => source.trySys(`${topology}/core_cpus_list`) ?? source.trySys(`${topology}/thread_siblings_list`))
    .filter((group) => group !== undefined)
  return groups.length === 0 ? undefined : new Set(groups).size
}

/** Facts that do not change while the machine runs. `engine` goes first where the agent may sit in a container. */
export function readMachineFacts(source: ProcSource, architecture: string, engine: EngineFacts | undefined): MachineFacts {
  const cpuInfo = source.tryProc('cpuinfo') ?? ''
  const facts: MachineFacts = {
    ...present<MachineFacts>({
      hostname: source.tryProc('sys/kernel/hostname')?.trim(),
      kernel: source.tryProc('sys/kernel/osrelease')?.trim(),
      cpuModel: cpuModelOf(cpuInfo),
      threads: threadsOf(cpuInfo) || undefined,
      os: 'linux',
      osName: osNameOf(source.tryEtc('os-release')),
      architecture,
      totalMemoryBytes: totalMemory(source),
    }),
    ...engine,
  }
  return present<MachineFacts>({ ...facts, cores: coresWithin(facts.threads, readCores(source) ?? coresPerSocket(cpuInfo)) })
}

/** Never more than threads: a container may have fewer of these than the machine has cores. */
const coresWithin = (threads: number | undefined, cores: number | undefined): number | undefined =>
  cores === undefined || threads === undefined ? (cores ?? threads) : Math.min(cores, threads)

/** Where sysfs has no topology, as in some containers. */
function coresPerSocket(cpuInfo: string): number | undefined {
  const cores = Number(parseKeyValues(cpuInfo, ':').get('cpu cores'))
  const sockets = new Set(cpuInfo.split('\n').filter((line) => line.startsWith('physical id'))).size
  return Number.isInteger(cores) && cores > 0 ? cores * Math.max(1, sockets) : undefined
}

function osNameOf(release: string | undefined): string | undefined {
  if (release === undefined) return undefined
  const values = parseKeyValues(release, '=')
  const name = values.get('PRETTY_NAME') ?? values.get('NAME')
  return name === undefined ? undefined : unquoted(name)
}

function totalMemory(source: ProcSource): number | undefined {
  const text = source.tryProc('meminfo')
  return text === undefined ? undefined : parseMemoryInfo(text)('MemTotal')
}

/** Read once, and once more when the engine first answers. */
export function machineCollector(
  source: ProcSource,
  architecture: string,
  engineFacts: () => Promise<EngineFacts | undefined>,
): Collector<MachineFacts> {
  let known: MachineFacts | undefined
  let engine: EngineFacts | undefined
  return {
    name: 'machine',
    collect: async () => {
      const before = engine
      engine ??= await engineFacts()
      if (known === undefined || engine !== before) known = readMachineFacts(source, architecture, engine)
      return known
    },
  }
}
