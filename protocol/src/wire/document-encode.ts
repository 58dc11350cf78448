import type { CborMap, CborValue } from '../cbor/value.ts'
import type {
  ContainerEvent,
  ContainerSample,
  CpuShares,
  DiskActivity,
  DiskSample,
  GpuSample,
  MachineFacts,
  NetworkSample,
  Pressure,
  PressureSample,
  ReadingAges,
  Sample,
  ServiceSample,
} from '../metrics/sample.ts'
import {
  agedFamilies,
  awaitBit,
  batteryStates,
  containerHealths,
  containerEventKey,
  containerKey,
  detailsKey,
  documentKey,
  extraDiskKey,
  gpuKey,
  hostScopedFamilies,
  infoKey,
  linkCodes,
  operatingSystems,
  pressureKey,
  serviceKey,
  serviceStates,
  serviceSubStates,
  statsKey,
} from './keys.ts'
import { clamp, decimal, gibibytes, integer, integers, mebibytes, mapByName, sum, toMap, type Entry } from './map-entries.ts'
import { round2 } from './units.ts'

/**
 * Name of the map, within a sample's CBOR map, in which the agent puts the machine's static facts (such as its CPU model). It is `info` for
 * hubs before 0.18, else `details`.
 */
export type FactsPlace = 'details' | 'info'

/**
 * Encodes a sample as a combined document (CBOR map). Most unknown values are left out: other programs then assume 0, Vedette hubs nothing.
 * Some are 0, an empty text or `null`. Integer fields are rounded and never negative: other hubs refuse a whole document for one float
 * there.
 */
export function encodeDocument(sample: Sample, facts: FactsPlace = 'details'): CborMap {
  return toMap([
    [documentKey.stats, statsMap(sample, facts)],
    [documentKey.info, facts === 'info' ? infoWithFacts(sample) : infoMap(sample)],
    // Other hubs expect the key even when there is no container engine.
    [documentKey.containers, sample.containers?.map(containerMap) ?? null],
    [documentKey.services, sample.services?.map(serviceMap)],
    // Without a host name, details would erase those that the hub has; the number of threads is in the info map.
    [documentKey.details, facts === 'info' || sample.machine?.hostname === undefined ? undefined : detailsMap(sample.machine)],
    [documentKey.takenAtMs, integer(sample.takenAtMs)],
    [documentKey.ages, sample.ages && agesMap(sample.ages)],
    [documentKey.containerEvents, sample.containerEvents?.map(containerEventMap)],
  ])
}

function agesMap(ages: ReadingAges): CborMap | undefined {
  const map = toMap(agedFamilies.map((family, place) => [place, integer(ages[family])]))
  return map.size === 0 ? undefined : map
}

const statsMap = (sample: Sample, facts: FactsPlace): CborMap =>
  toMap([
    ...cpuEntries(sample),
    ...memoryEntries(sample),
    ...rootDiskEntries(sample.rootDisk ?? {}),
    ...networkEntries(sample.network ?? {}),
    ...(facts === 'info' ? oldNetworkEntries(sample.network ?? {}) : []),
    [statsKey.temperatures, mapByName(sample.temperatures, warm)],
    [statsKey.coldTemperatures, mapByName(sample.temperatures, cold)],
    [statsKey.extraDisks, mapByName(sample.extraDisks, extraDiskMap)],
    [statsKey.gpus, mapByName(sample.gpus, gpuMap)],
    [statsKey.load, loads(sample)],
    [statsKey.battery, batteryBytes(sample)],
    [statsKey.fans, mapByName(sample.fans, (rpm) => clamp(rpm, 0xffff))],
    [statsKey.batteries, mapByName(sample.batteries, (percent) => clamp(percent, 255))],
    [statsKey.pressure, sample.pressure && pressureMap(sample.pressure)],
  ])

function cpuEntries({ cpu }: Sample): readonly Entry[] {
  if (cpu === undefined) return []
  return [
    [statsKey.cpu, decimal(cpu.busyPercent)],
    [statsKey.cpuShares, cpu.shares && shares(cpu.shares)],
    [statsKey.cores, cpu.coreBusyPercent && Uint8Array.from(cpu.coreBusyPercent, (percent) => clamp(percent ?? 0, 255))],
    [statsKey.unknownCores, cpu.coreBusyPercent && unknownCores(cpu.coreBusyPercent)],
  ]
}

/** Returns the indices, from 0, of the CPU cores whose value is unknown, as a CBOR list; `undefined` when all are known. */
function unknownCores(cores: readonly (number | undefined)[]): CborValue | undefined {
  const places: number[] = []
  for (let place = 0; place < cores.length; place++) if (cores[place] === undefined) places.push(place)
  return places.length === 0 ? undefined : places
}

const memoryEntries = ({ memory, swap }: Sample): readonly Entry[] => [
  [statsKey.memoryTotal, gibibytes(memory?.totalBytes)],
  [statsKey.memoryUsed, gibibytes(memory?.usedBytes)],
  [statsKey.memoryPercent, decimal(memory?.usedPercent)],
  [statsKey.memoryCache, gibibytes(memory?.cacheBytes)],
  [statsKey.memoryZfsArc, gibibytes(memory?.zfsArcBytes)],
  [statsKey.swapTotal, gibibytes(swap?.totalBytes)],
  [statsKey.swapUsed, gibibytes(swap?.usedBytes)],
]

const rootDiskEntries = (disk: DiskSample): readonly Entry[] => [
  [statsKey.diskTotal, gibibytes(disk.totalBytes)],
  [statsKey.diskUsed, gibibytes(disk.usedBytes)],
  [statsKey.diskPercent, decimal(disk.usedPercent)],
  [statsKey.diskReadMebibytes, mebibytes(disk.readBytesPerSecond)],
  [statsKey.diskWriteMebibytes, mebibytes(disk.writtenBytesPerSecond)],
  [statsKey.diskIo, integers(disk.readBytesPerSecond, disk.writtenBytesPerSecond)],
  [statsKey.diskActivity, disk.activity && activityList(disk.activity)],
  [statsKey.unknownAwaits, disk.activity && unknownAwaits(disk.activity)],
  [statsKey.rootInodes, integers(disk.inodesTotal, disk.inodesUsed)],
]

/**
 * Returns a list of CBOR map entries with the network rates in MiB per second, which hubs before 0.12 need. Later hubs would add them to
 * the rates in bytes.
 */
const oldNetworkEntries = (network: NetworkSample): readonly Entry[] => [
  [statsKey.sentMebibytes, mebibytes(network.sentBytesPerSecond)],
  [statsKey.receivedMebibytes, mebibytes(network.receivedBytesPerSecond)],
]

const networkEntries = (network: NetworkSample): readonly Entry[] => [
  [statsKey.bandwidth, integers(network.sentBytesPerSecond, network.receivedBytesPerSecond)],
  [statsKey.interfaces, interfaces(network)],
]

function infoMap(sample: Sample): CborMap {
  const { cpu, memory, rootDisk, network, machine, serviceCounts } = sample
  const bandwidth = sum(network?.sentBytesPerSecond, network?.receivedBytesPerSecond)
  const gpuUsage = Object.values(sample.gpus ?? {}).flatMap(({ usagePercent }) => (usagePercent === undefined ? [] : [usagePercent]))
  return toMap([
    [infoKey.threads, integer(machine?.threads)],
    [infoKey.uptime, integer(sample.uptimeSeconds)],
    [infoKey.cpu, decimal(cpu?.busyPercent)],
    [infoKey.memoryPercent, decimal(memory?.usedPercent)],
    [infoKey.diskPercent, decimal(rootDisk?.usedPercent)],
    [infoKey.agentVersion, sample.agentVersion],
    [infoKey.gpu, gpuUsage.length === 0 ? undefined : round2(Math.max(...gpuUsage))],
    [infoKey.dashboardCelsius, warm(sample.dashboardCelsius)],
    [infoKey.coldDashboardCelsius, cold(sample.dashboardCelsius)],
    [infoKey.bandwidth, integer(bandwidth)],
    [infoKey.load, loads(sample)],
    [infoKey.link, sample.link && linkCodes[sample.link]],
    [
      infoKey.extraDiskPercents,
      mapByName(sample.extraDisks, (disk) => (disk.usedPercent === undefined ? undefined : round2(disk.usedPercent))),
    ],
    [infoKey.serviceCounts, serviceCounts && [clamp(serviceCounts.total, 0xffff), clamp(serviceCounts.failed, 0xffff)]],
    [infoKey.battery, batteryBytes(sample)],
  ])
}

function infoWithFacts(sample: Sample): CborMap {
  const { hostname, kernel, cores, cpuModel, podman, os } = sample.machine ?? {}
  return toMap([
    ...infoMap(sample),
    [infoKey.bandwidthMebibytes, mebibytes(sum(sample.network?.sentBytesPerSecond, sample.network?.receivedBytesPerSecond))],
    [infoKey.hostname, hostname],
    [infoKey.kernel, kernel],
    [infoKey.cores, integer(cores)],
    [infoKey.cpuModel, cpuModel],
    [infoKey.podman, podman],
    [infoKey.os, os && operatingSystems.indexOf(os)],
  ])
}

const detailsMap = (machine: MachineFacts): CborMap =>
  toMap([
    [detailsKey.hostname, machine.hostname],
    [detailsKey.kernel, machine.kernel],
    [detailsKey.cores, integer(machine.cores)],
    [detailsKey.threads, integer(machine.threads)],
    [detailsKey.cpuModel, machine.cpuModel],
    [detailsKey.os, machine.os && operatingSystems.indexOf(machine.os)],
    [detailsKey.osName, machine.osName],
    [detailsKey.architecture, machine.architecture],
    [detailsKey.podman, machine.podman],
    [detailsKey.memory, integer(machine.totalMemoryBytes)],
    [detailsKey.smartInterval, integer(machine.smartIntervalMs && machine.smartIntervalMs * 1_000_000)],
    [detailsKey.container, machine.container],
    [detailsKey.hostScoped, machine.hostScoped?.map((family) => hostScopedFamilies.indexOf(family))],
    [detailsKey.tags, machine.tags],
  ])

const containerMap = (container: ContainerSample): CborMap =>
  toMap([
    [containerKey.name, container.name],
    [containerKey.cpu, decimal(container.cpuPercent)],
    [containerKey.memoryMebibytes, mebibytes(container.memoryBytes)],
    [containerKey.sentMebibytes, mebibytes(container.sentBytesPerSecond)],
    [containerKey.receivedMebibytes, mebibytes(container.receivedBytesPerSecond)],
    [containerKey.health, containerHealths.indexOf(container.health ?? 'none')],
    [containerKey.status, container.status ?? ''],
    [containerKey.id, container.id ?? ''],
    [containerKey.image, container.image ?? ''],
    [containerKey.bandwidth, integers(container.sentBytesPerSecond, container.receivedBytesPerSecond)],
    [containerKey.ports, container.ports ?? ''],
    [containerKey.diskIo, integers(container.diskReadBytesPerSecond, container.diskWrittenBytesPerSecond)],
    [containerKey.restarts, integer(container.restarts)],
    [containerKey.composeProject, container.composeProject],
    [containerKey.composeService, container.composeService],
    [containerKey.networkOf, container.networkOf],
    [containerKey.memoryLimit, integer(container.memoryLimitBytes)],
    [containerKey.cpuLimit, decimal(container.cpuLimitCpus)],
  ])

const containerEventMap = ({ atMs, container, exitCode, outOfMemory }: ContainerEvent): CborMap =>
  toMap([
    [containerEventKey.atMs, integer(atMs)],
    [containerEventKey.container, container],
    [containerEventKey.exitCode, integer(exitCode)],
    [containerEventKey.outOfMemory, outOfMemory],
  ])

const serviceMap = (service: ServiceSample): CborMap =>
  toMap([
    [serviceKey.name, service.name],
    [serviceKey.state, serviceStates.indexOf(service.state)],
    [serviceKey.cpu, decimal(service.cpuPercent)],
    [serviceKey.memory, integer(service.memoryBytes)],
    [serviceKey.memoryPeak, integer(service.memoryPeakBytes)],
    [serviceKey.subState, serviceSubStates.indexOf(service.subState)],
    [serviceKey.cpuPeak, decimal(service.cpuPeakPercent)],
  ])

const extraDiskMap = (disk: DiskSample): CborMap =>
  toMap([
    [extraDiskKey.total, gibibytes(disk.totalBytes)],
    [extraDiskKey.used, gibibytes(disk.usedBytes)],
    [extraDiskKey.readMebibytes, mebibytes(disk.readBytesPerSecond)],
    [extraDiskKey.writeMebibytes, mebibytes(disk.writtenBytesPerSecond)],
    [extraDiskKey.read, integer(disk.readBytesPerSecond)],
    [extraDiskKey.written, integer(disk.writtenBytesPerSecond)],
    [extraDiskKey.activity, disk.activity && activityList(disk.activity)],
    [extraDiskKey.unknownAwaits, disk.activity && unknownAwaits(disk.activity)],
    [extraDiskKey.inodes, integers(disk.inodesTotal, disk.inodesUsed)],
    [extraDiskKey.usedPercent, decimal(disk.usedPercent)],
  ])

/**
 * Returns true for a GPU id that is an index, as of NVIDIA GPUs. In encoded samples the memory of such GPUs is in MiB ÷ 1.024, that of all
 * others in MiB.
 */
const isIndexed = (id: string): boolean => /^\d+$/.test(id)

function gpuMap(gpu: GpuSample, id: string): CborMap {
  const used = decimal(gpu.memoryUsedMegabytes)
  const total = decimal(gpu.memoryTotalMegabytes)
  const hasOtherUnit = isIndexed(id)
  return toMap([
    [gpuKey.name, gpu.name],
    [gpuKey.memoryUsed, hasOtherUnit ? decimal(used && used / 1.024) : used],
    [gpuKey.memoryTotal, hasOtherUnit ? decimal(total && total / 1.024) : total],
    [gpuKey.usage, decimal(gpu.usagePercent)],
    [gpuKey.power, decimal(gpu.powerWatts)],
    [gpuKey.engines, mapByName(gpu.enginePercent, round2)],
    [gpuKey.packagePower, decimal(gpu.packagePowerWatts)],
    [gpuKey.memoryUsedMebibytes, hasOtherUnit ? used : undefined],
    [gpuKey.memoryTotalMebibytes, hasOtherUnit ? total : undefined],
    [gpuKey.sharedMemoryUsedMebibytes, decimal(gpu.sharedMemoryUsedMegabytes)],
    [gpuKey.sharedMemoryTotalMebibytes, decimal(gpu.sharedMemoryTotalMegabytes)],
  ])
}

const pressureMap = ({ cpu, memory, io }: PressureSample): CborMap =>
  toMap([
    [pressureKey.cpu, cpu && shareList(cpu)],
    [pressureKey.memory, memory && shareList(memory)],
    [pressureKey.io, io && shareList(io)],
  ])

const shareList = ({ somePercent, fullPercent }: Pressure): CborValue =>
  fullPercent === undefined ? [round2(somePercent)] : [round2(somePercent), round2(fullPercent)]

function unknownAwaits({ readAwaitMs, writeAwaitMs }: DiskActivity): number | undefined {
  const bits = (readAwaitMs === undefined ? awaitBit.read : 0) | (writeAwaitMs === undefined ? awaitBit.write : 0)
  return bits === 0 ? undefined : bits
}

const activityList = (activity: DiskActivity): CborValue =>
  [
    activity.readPercent,
    activity.writePercent,
    activity.utilisationPercent,
    activity.readAwaitMs ?? 0,
    activity.writeAwaitMs ?? 0,
    activity.weightedPercent,
  ].map(round2)

const shares = ({ userPercent, systemPercent, iowaitPercent, stealPercent, idlePercent }: CpuShares): CborValue =>
  [userPercent, systemPercent, iowaitPercent, stealPercent, idlePercent].map(round2)

function loads({ load }: Sample): CborValue | undefined {
  return load && [load.oneMinute, load.fiveMinutes, load.fifteenMinutes].map(round2)
}

function interfaces(network: NetworkSample): CborMap | undefined {
  return mapByName(network.interfaces, (one): CborValue => [
    clamp(one.sentBytesPerSecond),
    clamp(one.receivedBytesPerSecond),
    clamp(one.sentBytesTotal),
    clamp(one.receivedBytesTotal),
  ])
}

function batteryBytes({ battery }: Sample): Uint8Array | undefined {
  return battery && Uint8Array.of(clamp(battery.percent, 255), batteryStates.indexOf(battery.state))
}

/**
 * Returns a temperature in °C, rounded to two decimals, if that is above 0; else `undefined`. Other hubs take 0 and below for unknown, so
 * such values are sent under a key of their own.
 */
const warm = (celsius: number | undefined) => (celsius === undefined || round2(celsius) <= 0 ? undefined : round2(celsius))

function cold(celsius: number | undefined): number | undefined {
  if (celsius === undefined || round2(celsius) > 0) return undefined
  // Not minus zero.
  return round2(celsius) || 0
}
