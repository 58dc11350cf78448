import type { MachineFacts, Sample } from '../metrics/sample.ts'
import { batteryStates, linkCodes, operatingSystems } from './keys.ts'
import { present } from './present.ts'
import { round2, toMebibytes } from './units.ts'

/** `systems.info`: what a list of systems shows of each without asking for its history. Keys as clients know them. */
export type InfoJson = {
  /** Uptime in seconds. */
  readonly u?: number
  /** CPU model, cores, threads. */
  readonly m?: string
  readonly c?: number
  readonly t?: number
  /** Host name, kernel and the operating system's number (0 Linux, 1 macOS, 2 Windows, 3 FreeBSD). */
  readonly h?: string
  readonly k?: string
  readonly os?: number
  readonly p?: boolean
  /** CPU, memory and root disk, percent. */
  readonly cpu?: number
  readonly mp?: number
  readonly dp?: number
  /** Network sent and received together: MiB/s, and bytes/s. */
  readonly b?: number
  readonly bb?: number
  /** Announced agent version. */
  readonly v?: string
  readonly la?: readonly [number, number, number]
  /** Highest GPU usage, percent; the machine's temperature, °C. */
  readonly g?: number
  readonly dt?: number
  /** 1 SSH, 2 WebSocket. */
  readonly ct?: number
  /** Further filesystems, used percent by name. */
  readonly efs?: Readonly<Record<string, number>>
  /** Services: all and failed. */
  readonly sv?: readonly [number, number]
  /** Battery percent and state. */
  readonly bat?: readonly [number, number]
  /** When the last sample was taken, epoch milliseconds. Ours; other hubs do not have it. */
  readonly at?: number
}

/** `facts` are what is known of the machine from this or an earlier sample. */
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
  })
}

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
