import type { AgedFamily, MachineFacts, OperatingSystem, ReadingAges, Sample } from '../metrics/sample.ts'
import { agedFamilies, batteryStates, linkCodes, operatingSystems } from './keys.ts'
import { present } from './present.ts'
import { fromMebibytes, round2, toMebibytes } from './units.ts'

/**
 * JSON in the field `info` of a `systems` record: current values of a system, for lists of systems. Before the first sample and while the
 * system is paused, the numbers are 0 and `v` is empty, which means unknown.
 */
export type InfoJson = {
  /** Uptime of the machine in seconds, in a system's field `info`; 0 or absent when unknown. */
  readonly u?: number
  /** Name of the machine's CPU model. Beside it, `c` is the number of cores and `t` that of threads. */
  readonly m?: string
  readonly c?: number
  readonly t?: number
  /**
   * Host name of the machine. Beside it, `k` is the kernel version and `os` the operating system (0 Linux, 1 macOS, 2 Windows, 3 FreeBSD).
   */
  readonly h?: string
  readonly k?: string
  readonly os?: number
  readonly p?: boolean
  /** CPU use in percent of the whole machine, 0 to 100. Beside it, `mp` is the memory use and `dp` the root disk use, both in percent. */
  readonly cpu?: number
  readonly mp?: number
  readonly dp?: number
  /** Network traffic in MiB per second, sent and received together. `bb` is the same rate in bytes per second. */
  readonly b?: number
  readonly bb?: number
  /** Version of the agent, in a system's field `info`, as the agent announces it; empty before the first sample. */
  readonly v?: string
  readonly la?: readonly [number, number, number]
  /** Use of the machine's busiest GPU in percent. Beside it, `dt` is the temperature in °C that represents the machine. */
  readonly g?: number
  readonly dt?: number
  /** Type of the hub's connection to the system's agent: 1 for SSH, 2 for WebSocket. */
  readonly ct?: number
  /** Object from a filesystem's name to its used space in percent, for all measured filesystems except the root. */
  readonly efs?: Readonly<Record<string, number>>
  /** Pair of numbers of the machine's systemd services: all services, then the failed ones. */
  readonly sv?: readonly [number, number]
  /** Charge of the battery in percent, then its state as an index in `batteryStates` (0 is unknown). */
  readonly bat?: readonly [number, number]
  /** Time of the system's last sample in epoch ms. Only Vedette hubs have this field of `info`. */
  readonly at?: number
  /**
   * Object from group of metrics, such as `cpu`, to the age in seconds of its values, for groups whose values are older than the sample.
   * Only Vedette hubs send it.
   */
  readonly old?: Readonly<Record<string, number>>
  /**
   * Why the system is down, or a problem while it is up (such as two machines with one fingerprint), as one sentence. Only Vedette hubs
   * have it.
   */
  readonly why?: string
}

/**
 * Builds and returns the field `info` of a `systems` record from a sample. `facts` are the machine's facts from this or an earlier sample;
 * `atMs` is the sample's time in epoch ms.
 */
export function toInfoJson(sample: Sample, facts: MachineFacts, atMs: number): InfoJson {
  const { load, battery, serviceCounts } = sample
  return present<InfoJson>({
    ...factsInfo(facts),
    ...usageInfo(sample),
    ...bandwidthInfo(sample),
    u: sample.uptimeSeconds,
    v: sample.agentVersion,
    la: load && [round2(load.oneMinute), round2(load.fiveMinutes), round2(load.fifteenMinutes)],
    dt: decimal(sample.dashboardCelsius),
    ct: sample.link && linkCodes[sample.link],
    efs: sample.extraDisks && diskPercents(sample.extraDisks),
    sv: serviceCounts && [serviceCounts.total, serviceCounts.failed],
    bat: battery && [battery.percent, batteryStates.indexOf(battery.state)],
    at: atMs,
    old: sample.ages && secondsOf(sample.ages),
  })
}

const secondsOf = (ages: ReadingAges): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(ages).map(([family, ageMs]) => [family, Math.round(ageMs / 1000)]))

const factsInfo = (facts: MachineFacts) => ({
  m: facts.cpuModel,
  c: facts.cores,
  t: facts.threads,
  h: facts.hostname,
  k: facts.kernel,
  os: facts.os && operatingSystems.indexOf(facts.os),
  p: facts.podman,
})

function usageInfo({ cpu, memory, rootDisk, gpus }: Sample) {
  const gpuUsage = Object.values(gpus ?? {}).flatMap((gpu) => (gpu.usagePercent === undefined ? [] : [gpu.usagePercent]))
  return {
    cpu: decimal(cpu?.busyPercent),
    mp: decimal(memory?.usedPercent),
    dp: decimal(rootDisk?.usedPercent),
    g: gpuUsage.length === 0 ? undefined : round2(Math.max(...gpuUsage)),
  }
}

function bandwidthInfo({ network }: Sample) {
  if (network?.sentBytesPerSecond === undefined || network.receivedBytesPerSecond === undefined) return {}
  const bytesPerSecond = network.sentBytesPerSecond + network.receivedBytesPerSecond
  return { b: toMebibytes(bytesPerSecond), bb: Math.round(bytesPerSecond) }
}

const decimal = (value: number | undefined) => (value === undefined ? undefined : round2(value))

function diskPercents(disks: NonNullable<Sample['extraDisks']>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(disks).flatMap(([name, { usedPercent }]) => (usedPercent === undefined ? [] : [[name, round2(usedPercent)]])),
  )
}

/**
 * Parsed field `info` of a `systems` record: current values of a system; missing values are `undefined`. Percentages are 0 to 100 of the
 * whole machine.
 */
export type SystemInfo = {
  readonly uptimeSeconds: number | undefined
  readonly os: OperatingSystem | undefined
  readonly cpuModel: string | undefined
  readonly cores: number | undefined
  readonly threads: number | undefined
  readonly cpuPercent: number | undefined
  readonly memoryPercent: number | undefined
  readonly diskPercent: number | undefined
  /** Network traffic of all counted interfaces, sent and received together, in bytes per second; `undefined` when unknown. */
  readonly networkBytesPerSecond: number | undefined
  readonly temperatureCelsius: number | undefined
  /** Load averages over 1, 5 and 15 minutes, in this order; `undefined` when unknown. */
  readonly loads: readonly number[] | undefined
  /** Version of the agent, as it announces it, possibly with build metadata. */
  readonly agentVersion: string | undefined
  /** Time of the system's last sample in epoch ms; `undefined` when unknown. */
  readonly sampledAtMs: number | undefined
  /**
   * Map from group of metrics, such as `cpu`, to the age of its values in seconds. It has only groups whose values are older than the
   * sample; `undefined` without any.
   */
  readonly oldSeconds: ReadonlyMap<AgedFamily, number> | undefined
  /**
   * Why the system is down, or a problem while it is up (such as two machines with one fingerprint), as one sentence. `undefined` without
   * one.
   */
  readonly remark: string | undefined
}

/**
 * Parses the field `info` of a `systems` record from any hub and returns the system's current values; never throws. A value of the wrong
 * type is `undefined`; before the first sample, all except `remark` are.
 */
export function readInfoJson(info: unknown): SystemInfo {
  // Only the key names are assumed: each value is checked where it is read.
  const stored = (info ?? {}) as { readonly [K in keyof InfoJson]?: unknown }
  const isSampled = toNumber(stored.at) !== undefined || toText(stored.v) !== undefined
  const said = isSampled ? stored : {}
  const mebibytesPerSecond = toNumber(said.b)
  return {
    uptimeSeconds: toNumber(said.u),
    os: operatingSystems[toNumber(said.os) ?? -1],
    cpuModel: toText(said.m),
    cores: toNumber(said.c),
    threads: toNumber(said.t),
    cpuPercent: toNumber(said.cpu),
    memoryPercent: toNumber(said.mp),
    diskPercent: toNumber(said.dp),
    networkBytesPerSecond: toNumber(said.bb) ?? toNumber(mebibytesPerSecond === undefined ? undefined : fromMebibytes(mebibytesPerSecond)),
    temperatureCelsius: toNumber(said.dt),
    loads: toNumbers(said.la),
    agentVersion: toText(said.v),
    sampledAtMs: toNumber(said.at),
    oldSeconds: toOldSeconds(said.old),
    remark: toText(stored.why),
  }
}

const toNumber = (value: unknown): number | undefined => (Number.isFinite(value) ? Number(value) : undefined)

function toOldSeconds(old: unknown): ReadonlyMap<AgedFamily, number> | undefined {
  const said = (old ?? {}) as { readonly [F in AgedFamily]?: unknown } // each value is checked where it is read
  const known = agedFamilies.flatMap((family) => {
    const seconds = toNumber(said[family])
    return seconds === undefined ? [] : [[family, seconds] as const]
  })
  return known.length === 0 ? undefined : new Map(known)
}

const toText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/**
 * Returns a JSON value that is a list of at least one number; `undefined` for anything else. That includes a list with one invalid item,
 * because leaving the item out would move the others.
 */
function toNumbers(value: unknown): readonly number[] | undefined {
  const numbers = Array.isArray(value) ? value.flatMap((item) => toNumber(item) ?? []) : []
  return Array.isArray(value) && numbers.length > 0 && numbers.length === value.length ? numbers : undefined
}
