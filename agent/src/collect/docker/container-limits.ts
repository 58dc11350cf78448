import type { ProcSource } from '../../source/proc-source.ts'
import type { Member } from '../../runtime/runtime.ts'
import { totalMemory } from '../memory.ts'

/** Resource limits of a container, in bytes and number of CPUs. `undefined` for no limit, or one that is not below the machine's size. */
export type ContainerLimits = { readonly memoryLimitBytes: number | undefined; readonly cpuLimitCpus: number | undefined }

/**
 * Size of the machine, against which containers' limits are compared: memory in bytes, number of CPUs; `undefined` where the kernel's files
 * lack it.
 */
export type MachineSize = { readonly memoryBytes: number | undefined; readonly cpus: number | undefined }

export function machineSize(source: ProcSource): MachineSize {
  const cpus = source.tryProc('stat')?.match(/^cpu\d/gm)?.length
  return { memoryBytes: totalMemory(source), cpus }
}

/**
 * List of the paths of the JSON members of a container's inspection with its memory and CPU limits. `containerLimits` takes their values in
 * this order.
 */
export const limitMembers = ['HostConfig.Memory', 'HostConfig.NanoCpus', 'HostConfig.CpuQuota', 'HostConfig.CpuPeriod']

export function containerLimits(values: readonly (Member | undefined)[], machine: MachineSize): ContainerLimits {
  const [memoryBytes, nanoCpus, quotaUs, periodUs] = values.map(positive)
  return {
    memoryLimitBytes: below(memoryBytes, machine.memoryBytes),
    cpuLimitCpus: below(cpuLimit(nanoCpus, quotaUs, periodUs), machine.cpus),
  }
}

const NANO = 1_000_000_000
/** The kernel's default period of a CPU quota (CFS bandwidth control) in µs: 100,000. */
const USUAL_PERIOD_US = 100_000

/**
 * Returns a container's CPU limit as a number of CPUs, from `--cpus` (`nanoCpus`) or from the quota of CPU time per period (µs).
 * `undefined` without a limit. Source: kernel Documentation/scheduler/sched-bwc.rst.
 */
function cpuLimit(nanoCpus: number | undefined, quotaUs: number | undefined, periodUs = USUAL_PERIOD_US): number | undefined {
  if (nanoCpus !== undefined) return nanoCpus / NANO
  return quotaUs === undefined ? undefined : quotaUs / periodUs
}

/** Returns a limit that Docker or Podman sent if it is a number above 0, else `undefined`, because 0 or -1 means "no limit". */
const positive = (value: Member | undefined): number | undefined => (typeof value === 'number' && value > 0 ? value : undefined)

const below = (limit: number | undefined, machine: number | undefined): number | undefined =>
  limit === undefined || (machine !== undefined && limit >= machine) ? undefined : limit
