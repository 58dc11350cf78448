import type { MachineFacts } from '@vedette/protocol/metrics/sample'
import { present } from '@vedette/protocol/wire/present'
import type { ProcSource } from '../source/proc-source.ts'
import { parseKeyValues, unquoted } from '../text/key-values.ts'
import type { Collector } from './collector.ts'
import { parseMemoryInfo } from './memory.ts'

/** What a container engine knows of the machine it runs on; right also where the agent itself sits in a container. */
export type EngineFacts = Pick<MachineFacts, 'kernel' | 'osName' | 'threads' | 'totalMemoryBytes' | 'podman'>

/**
 * The processor's name: `model name` on x86; on ARM from the core's part number; on MIPS, which has neither,
 * `cpu model` and `system type`. Source: /proc/cpuinfo, proc(5).
 */
export function cpuModelOf(cpuInfo: string): string | undefined {
  const values = parseKeyValues(cpuInfo, ':')
  const model = values.get('model name') ?? armCores[values.get('CPU part')?.toLowerCase() ?? '']
  if (model !== undefined && model !== '') return model
  const parts = [values.get('cpu model'), values.get('system type')].filter((part) => part !== undefined && part !== '')
  return parts.length === 0 ? undefined : parts.join(' / ')
}

/** Part numbers of ARM Ltd., as in the Main ID Register (MIDR_EL1) of each core's Technical Reference Manual. */
const armCores: Readonly<Record<string, string>> = {
  '0xb76': 'ARM1176',
  '0xc07': 'Cortex-A7',
  '0xc08': 'Cortex-A8',
  '0xc09': 'Cortex-A9',
  '0xc0f': 'Cortex-A15',
  '0xd03': 'Cortex-A53',
  '0xd04': 'Cortex-A35',
  '0xd05': 'Cortex-A55',
  '0xd07': 'Cortex-A57',
  '0xd08': 'Cortex-A72',
  '0xd09': 'Cortex-A73',
  '0xd0a': 'Cortex-A75',
  '0xd0b': 'Cortex-A76',
  '0xd0c': 'Neoverse-N1',
  '0xd0d': 'Cortex-A77',
  '0xd40': 'Neoverse-V1',
  '0xd41': 'Cortex-A78',
  '0xd49': 'Neoverse-N2',
  '0xd4f': 'Neoverse-V2',
}

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
