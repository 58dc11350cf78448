import type { CpuSample, CpuShares } from '@vedette/protocol/metrics/sample'
import type { ProcSource } from '../source/proc-source.ts'
import { columns } from '../text/columns.ts'
import { createBaselines } from './baselines.ts'
import type { Collector } from './collector.ts'

/** CPU time by kind (user, system, idle and so on) since boot, in clock ticks of 10 ms. Guest time is already part of user and nice. */
export type CpuTimes = {
  readonly user: number
  readonly nice: number
  readonly system: number
  readonly idle: number
  readonly iowait: number
  readonly irq: number
  readonly softirq: number
  readonly steal: number
}

/** Name of one CPU core, such as `cpu0`, and its CPU times; `times` is `undefined` when the core's line cannot be parsed. */
export type CoreTimes = { readonly name: string; readonly times: CpuTimes | undefined }

/**
 * Parsed /proc/stat: CPU times of all cores together (`all`) and of each core that is online (`cores`). `problem` is an error message about
 * the last malformed line; absent without one.
 */
export type CpuReading = { readonly all: CpuTimes; readonly cores: readonly CoreTimes[]; readonly problem?: string }

/**
 * Parses the `cpu` and `cpuN` lines of /proc/stat, proc(5), and returns the CPU times of all cores together and of each core. Kernels
 * before 2.6.11 have fewer columns; missing ones count as 0. Throws `SyntaxError` when the line `cpu` (all cores) is missing or invalid.
 */
export function parseCpuTimes(text: string): CpuReading {
  const cores: CoreTimes[] = []
  let all: CpuTimes | undefined
  let problem: string | undefined
  // The interrupt line further down may be longer than everything before it.
  const end = text.indexOf('\nintr')
  for (const line of (end === -1 ? text : text.slice(0, end)).split('\n')) {
    if (!line.startsWith('cpu')) break
    const fields = columns(line)
    const name = fields[0] ?? ''
    const times = toTimes(fields)
    if (times === undefined) problem = `Cannot parse "/proc/stat": line "${name}" has no 4 counters`
    if (name === 'cpu') all = times
    else cores.push({ name, times })
  }
  if (all === undefined)
    throw new SyntaxError(problem ?? `Cannot parse "/proc/stat": "${text.slice(0, 40)}" does not start with a cpu line`)
  return problem === undefined ? { all, cores } : { all, cores, problem }
}

/**
 * Parses the numbers that follow the name in a `cpu` line of /proc/stat into CPU times. `undefined` when one is invalid or there are fewer
 * than 4.
 */
function toTimes(fields: readonly string[]): CpuTimes | undefined {
  if (fields.length < 5) return undefined
  const user = Number(fields[1])
  const nice = Number(fields[2])
  const system = Number(fields[3])
  const idle = Number(fields[4])
  const iowait = Number(fields[5] ?? 0)
  const irq = Number(fields[6] ?? 0)
  const softirq = Number(fields[7] ?? 0)
  const steal = Number(fields[8] ?? 0)
  // `Math.min` returns NaN if any counter is not a number.
  const least = Math.min(user, nice, system, idle, iowait, irq, softirq, steal)
  return least >= 0 ? { user, nice, system, idle, iowait, irq, softirq, steal } : undefined
}

const totalOf = (times: CpuTimes): number =>
  times.user + times.nice + times.system + times.idle + times.iowait + times.irq + times.softirq + times.steal

const busyOf = (times: CpuTimes): number => totalOf(times) - times.idle - times.iowait

/**
 * Returns the percentage of time, 0 to 100, in which the CPU was busy between two readings. `undefined` when the sum of the CPU times has
 * not grown.
 */
export function busyPercent(previous: CpuTimes, current: CpuTimes): number | undefined {
  const total = totalOf(current) - totalOf(previous)
  return total > 0 ? share(busyOf(current) - busyOf(previous), total) : undefined
}

export function cpuShares(previous: CpuTimes, current: CpuTimes): CpuShares | undefined {
  const total = totalOf(current) - totalOf(previous)
  if (total <= 0) return undefined
  const of = (kind: keyof CpuTimes): number => share(current[kind] - previous[kind], total)
  return {
    userPercent: of('user'),
    systemPercent: of('system'),
    iowaitPercent: of('iowait'),
    stealPercent: of('steal'),
    idlePercent: of('idle'),
  }
}

const share = (part: number, total: number): number => Math.min(100, Math.max(0, (part / total) * 100))

export function cpuCollector(source: ProcSource): Collector<CpuSample> {
  const baselines = createBaselines<CpuReading>()
  let latest: CpuReading | undefined
  return {
    name: 'cpu',
    collect: ({ consumer }) => {
      const current = parseCpuTimes(source.readProc('stat'))
      latest = current
      const previous = baselines.of(consumer)
      const busy = previous && busyPercent(previous.all, current.all)
      // If no CPU time has passed, the older baseline stays, so that the next sample covers the whole interval.
      if (previous === undefined || busy !== undefined || totalOf(current.all) < totalOf(previous.all)) baselines.keep(consumer, current)
      const shares = previous && cpuShares(previous.all, current.all)
      if (previous === undefined || busy === undefined || shares === undefined) return undefined
      return { busyPercent: busy, shares, coreBusyPercent: coreShares(previous.cores, current.cores) }
    },
    report: () => {
      if (latest === undefined) return {}
      const { cores, problem } = latest
      return { found: `${cores.length} logical CPUs`, skipped: problem === undefined ? [] : [{ what: 'a CPU', why: problem }] }
    },
  }
}

/**
 * Returns the busy percentages (whole numbers, 0 to 100) of the CPU cores between two readings of /proc/stat, in the kernel's order;
 * `undefined` for a core whose share is unknown. The list ends before the first core that went online or offline in between.
 */
function coreShares(previous: readonly CoreTimes[], current: readonly CoreTimes[]): readonly (number | undefined)[] {
  const changed = current.findIndex(({ name }, index) => previous[index]?.name !== name)
  const same = changed === -1 ? current : current.slice(0, changed)
  return same.map((now, index) => {
    const earlier = previous[index]?.times
    const busy = earlier && now.times && busyPercent(earlier, now.times)
    return busy === undefined ? undefined : Math.round(busy)
  })
}
