import { isCborMap, type CborValue } from '../cbor/value.ts'
import type {
  BatterySample,
  ContainerSample,
  CpuSample,
  DiskActivity,
  DiskSample,
  GpuSample,
  InterfaceSample,
  LoadAverage,
  MachineFacts,
  MemorySample,
  NetworkSample,
  Pressure,
  PressureSample,
  Sample,
  ServiceSample,
} from '../metrics/sample.ts'
import { FieldReader, type FieldProblem } from './field-reader.ts'
import {
  batteryStates,
  containerHealths,
  containerKey,
  detailsKey,
  documentKey,
  extraDiskKey,
  gpuKey,
  hostScopedFamilies,
  infoKey,
  legacyLoadKeys,
  linkCodes,
  operatingSystems,
  pressureKey,
  serviceKey,
  serviceStates,
  serviceSubStates,
  statsKey,
} from './keys.ts'
import { present } from './present.ts'
import { fromGibibytes, fromMebibytes } from './units.ts'
import { isVedette } from './version.ts'

export type DocumentResult =
  | { readonly ok: true; readonly sample: Sample; readonly problems: readonly FieldProblem[] }
  | { readonly ok: false; readonly reason: 'not a map' }

/**
 * The sample inside a combined document of the current generation (CBOR, integer keys). An empty map is a valid document
 * that says nothing. Fields of the wrong type are left out and listed in `problems`.
 */
export function decodeDocument(value: CborValue): DocumentResult {
  if (!isCborMap(value)) return { ok: false, reason: 'not a map' }
  const problems: FieldProblem[] = []
  const document = new FieldReader(value, 'document', problems)
  const info = document.map(documentKey.info, readInfo)
  const zero = silenceMeansZero(info?.sample.agentVersion) ? 0 : undefined
  const stats = document.map(documentKey.stats, (fields) => readStats(fields, zero))
  const machine = document.map(documentKey.details, readDetails) ?? withMemory(info?.machine, stats?.memory)
  const sample = present<Sample>({
    takenAtMs: document.amount(documentKey.takenAtMs),
    ...stats,
    ...info?.sample,
    containers: document.maps(documentKey.containers, (fields) => readContainer(fields, zero)),
    services: document.maps(documentKey.services, readService),
    machine,
  })
  return { ok: true, sample, problems }
}

/** Other agents leave out rates that are zero; ours leave out only what they do not know. */
const silenceMeansZero = (agentVersion: string | undefined): boolean => !isVedette(agentVersion)

type Zero = 0 | undefined

/** Agents before 0.18 send the machine's facts without its memory, which stands among the measurements. */
function withMemory(machine: MachineFacts | undefined, memory: MemorySample | undefined): MachineFacts | undefined {
  if (machine?.hostname === undefined || memory === undefined) return machine
  return { ...machine, totalMemoryBytes: Math.trunc(memory.totalBytes) }
}

const readStats = (stats: FieldReader, zero: Zero) => ({
  cpu: readCpu(stats),
  memory: readMemory(stats),
  swap: readSwap(stats),
  load: toLoad(stats.numbers(statsKey.load)) ?? readSingleLoads(stats),
  rootDisk: readRootDisk(stats, zero),
  extraDisks: stats.mapsByName(statsKey.extraDisks, (disk) => readExtraDisk(disk, zero)),
  network: readNetwork(stats, zero),
  temperatures: stats.numbersByName(statsKey.temperatures),
  fans: stats.numbersByName(statsKey.fans),
  battery: toBattery(stats.numbers(statsKey.battery)),
  batteries: stats.numbersByName(statsKey.batteries),
  gpus: stats.mapsByName(statsKey.gpus, (gpu) => readGpu(gpu, zero)),
  pressure: stats.map(statsKey.pressure, readPressure),
})

function readCpu(stats: FieldReader): CpuSample | undefined {
  const busyPercent = stats.amount(statsKey.cpu)
  if (busyPercent === undefined) return undefined
  const shares = stats.numbers(statsKey.cpuShares)
  const [userPercent = 0, systemPercent = 0, iowaitPercent = 0, stealPercent = 0, idlePercent = 0] = shares ?? []
  return present<CpuSample>({
    busyPercent,
    shares: shares && { userPercent, systemPercent, iowaitPercent, stealPercent, idlePercent },
    coreBusyPercent: stats.numbers(statsKey.cores),
  })
}

function readMemory(stats: FieldReader): MemorySample | undefined {
  const total = stats.amount(statsKey.memoryTotal)
  const used = stats.amount(statsKey.memoryUsed)
  const usedPercent = stats.amount(statsKey.memoryPercent)
  if (total === undefined || used === undefined || usedPercent === undefined) return undefined
  const cache = stats.amount(statsKey.memoryCache)
  const arc = stats.amount(statsKey.memoryZfsArc)
  return present<MemorySample>({
    totalBytes: fromGibibytes(total),
    usedBytes: fromGibibytes(used),
    usedPercent,
    cacheBytes: cache === undefined ? undefined : fromGibibytes(cache),
    zfsArcBytes: arc === undefined ? undefined : fromGibibytes(arc),
  })
}

function readSwap(stats: FieldReader): Sample['swap'] {
  const total = stats.amount(statsKey.swapTotal)
  if (total === undefined) return undefined
  return { totalBytes: fromGibibytes(total), usedBytes: fromGibibytes(stats.amount(statsKey.swapUsed) ?? 0) }
}

function readRootDisk(stats: FieldReader, zero: Zero): DiskSample | undefined {
  const total = stats.amount(statsKey.diskTotal)
  const used = stats.amount(statsKey.diskUsed)
  const io = stats.numbers(statsKey.diskIo)
  const disk = present<DiskSample>({
    totalBytes: total === undefined ? undefined : fromGibibytes(total),
    usedBytes: used === undefined ? undefined : fromGibibytes(used),
    usedPercent: stats.amount(statsKey.diskPercent),
    readBytesPerSecond: io?.[0] ?? optionalMebibytes(stats.amount(statsKey.diskReadMebibytes)) ?? (total && zero),
    writtenBytesPerSecond: io?.[1] ?? optionalMebibytes(stats.amount(statsKey.diskWriteMebibytes)) ?? (total && zero),
    activity: toActivity(stats.numbers(statsKey.diskActivity)),
    ...toInodes(stats.numbers(statsKey.rootInodes)),
  })
  return Object.keys(disk).length === 0 ? undefined : disk
}

function readExtraDisk(disk: FieldReader, zero: Zero): DiskSample {
  const total = disk.amount(extraDiskKey.total)
  const used = disk.amount(extraDiskKey.used)
  return present<DiskSample>({
    totalBytes: total === undefined ? undefined : fromGibibytes(total),
    usedBytes: used === undefined ? undefined : fromGibibytes(used),
    usedPercent: total !== undefined && used !== undefined && total > 0 ? (used / total) * 100 : undefined,
    readBytesPerSecond: disk.amount(extraDiskKey.read) ?? optionalMebibytes(disk.amount(extraDiskKey.readMebibytes)) ?? zero,
    writtenBytesPerSecond: disk.amount(extraDiskKey.written) ?? optionalMebibytes(disk.amount(extraDiskKey.writeMebibytes)) ?? zero,
    activity: toActivity(disk.numbers(extraDiskKey.activity)),
    ...toInodes(disk.numbers(extraDiskKey.inodes)),
  })
}

const optionalMebibytes = (mebibytes: number | undefined) => (mebibytes === undefined ? undefined : fromMebibytes(mebibytes))

/** Without a sum (other agents leave it out when it is zero, or when one counter restarted) the interfaces' own rates are right. */
function readNetwork(stats: FieldReader, zero: Zero): NetworkSample | undefined {
  const bandwidth = stats.numbers(statsKey.bandwidth)
  const interfaces = toInterfaces(stats.numberListsByName(statsKey.interfaces))
  const each = zero === undefined || interfaces === undefined ? undefined : Object.values(interfaces)
  const network = present<NetworkSample>({
    sentBytesPerSecond:
      bandwidth?.[0] ??
      optionalMebibytes(stats.amount(statsKey.sentMebibytes)) ??
      each?.reduce((sum, one) => sum + one.sentBytesPerSecond, 0),
    receivedBytesPerSecond:
      bandwidth?.[1] ??
      optionalMebibytes(stats.amount(statsKey.receivedMebibytes)) ??
      each?.reduce((sum, one) => sum + one.receivedBytesPerSecond, 0),
    interfaces,
  })
  return Object.keys(network).length === 0 ? undefined : network
}

function toInterfaces(lists: Record<string, readonly number[]> | undefined): Record<string, InterfaceSample> | undefined {
  if (lists === undefined) return undefined
  return Object.fromEntries(
    Object.entries(lists).map(([name, [sent = 0, received = 0, sentTotal = 0, receivedTotal = 0]]) => [
      name,
      { sentBytesPerSecond: sent, receivedBytesPerSecond: received, sentBytesTotal: sentTotal, receivedBytesTotal: receivedTotal },
    ]),
  )
}

function toActivity(numbers: readonly number[] | undefined): DiskActivity | undefined {
  if (numbers === undefined) return undefined
  const [readPercent = 0, writePercent = 0, utilisationPercent = 0, readAwaitMs = 0, writeAwaitMs = 0, weightedPercent = 0] = numbers
  return { readPercent, writePercent, utilisationPercent, readAwaitMs, writeAwaitMs, weightedPercent }
}

function toInodes([inodesTotal, inodesUsed]: readonly number[] = []): Pick<DiskSample, 'inodesTotal' | 'inodesUsed'> {
  return inodesTotal === undefined || inodesUsed === undefined ? {} : { inodesTotal, inodesUsed }
}

const readPressure = (pressure: FieldReader): PressureSample =>
  present<PressureSample>({
    cpu: toPressure(pressure.numbers(pressureKey.cpu)),
    memory: toPressure(pressure.numbers(pressureKey.memory)),
    io: toPressure(pressure.numbers(pressureKey.io)),
  })

function toPressure([somePercent, fullPercent]: readonly number[] = []): Pressure | undefined {
  return somePercent === undefined ? undefined : present<Pressure>({ somePercent, fullPercent })
}

function toLoad(numbers: readonly number[] | undefined): LoadAverage | undefined {
  if (numbers === undefined) return undefined
  const [oneMinute = 0, fiveMinutes = 0, fifteenMinutes = 0] = numbers
  return { oneMinute, fiveMinutes, fifteenMinutes }
}

/** Agents 0.12.0 send the three averages one by one. */
function readSingleLoads(stats: FieldReader): LoadAverage | undefined {
  const [oneMinute, fiveMinutes, fifteenMinutes] = legacyLoadKeys.map((key) => stats.amount(key))
  if (oneMinute === undefined || fiveMinutes === undefined || fifteenMinutes === undefined) return undefined
  return { oneMinute, fiveMinutes, fifteenMinutes }
}

function toBattery(numbers: readonly number[] | undefined): BatterySample | undefined {
  const [percent, state = 0] = numbers ?? []
  return percent === undefined ? undefined : { percent, state: batteryStates[state] ?? 'unknown' }
}

const readGpu = (gpu: FieldReader, zero: Zero): GpuSample =>
  present<GpuSample>({
    name: gpu.text(gpuKey.name) ?? '',
    usagePercent: gpu.amount(gpuKey.usage) ?? zero,
    memoryUsedMegabytes: gpu.amount(gpuKey.memoryUsed),
    memoryTotalMegabytes: gpu.amount(gpuKey.memoryTotal),
    powerWatts: gpu.amount(gpuKey.power),
    packagePowerWatts: gpu.amount(gpuKey.packagePower),
    enginePercent: gpu.numbersByName(gpuKey.engines),
  })

function readInfo(info: FieldReader) {
  const link = info.number(infoKey.link)
  const counts = info.numbers(infoKey.serviceCounts)
  const sample = present<Partial<Sample>>({
    uptimeSeconds: info.amount(infoKey.uptime),
    agentVersion: info.text(infoKey.agentVersion),
    dashboardCelsius: info.number(infoKey.dashboardCelsius),
    link: link === linkCodes.ssh ? 'ssh' : link === linkCodes.websocket ? 'websocket' : undefined,
    serviceCounts: counts && { total: counts[0] ?? 0, failed: counts[1] ?? 0 },
  })
  const machine = readFacts(info)
  return { sample, machine: Object.keys(machine).length === 0 ? undefined : machine }
}

/** Agents before 0.4 know no host name; those of 0.18 and later say only their threads here. */
const readFacts = (info: FieldReader): MachineFacts =>
  present<MachineFacts>({
    hostname: filled(info.text(infoKey.hostname)),
    threads: info.amount(infoKey.threads),
    kernel: filled(info.text(infoKey.kernel)),
    cores: info.amount(infoKey.cores),
    cpuModel: filled(info.text(infoKey.cpuModel)),
    os: info.word(infoKey.os, operatingSystems),
    podman: info.flag(infoKey.podman),
  })

const filled = (text: string | undefined): string | undefined => (text === '' ? undefined : text)

const readDetails = (details: FieldReader): MachineFacts => {
  const smartInterval = details.amount(detailsKey.smartInterval)
  return present<MachineFacts>({
    hostname: details.text(detailsKey.hostname),
    kernel: details.text(detailsKey.kernel),
    cores: details.amount(detailsKey.cores),
    threads: details.amount(detailsKey.threads),
    cpuModel: details.text(detailsKey.cpuModel),
    os: details.word(detailsKey.os, operatingSystems),
    osName: details.text(detailsKey.osName),
    architecture: details.text(detailsKey.architecture),
    podman: details.flag(detailsKey.podman),
    totalMemoryBytes: details.amount(detailsKey.memory),
    smartIntervalMs: smartInterval === undefined ? undefined : smartInterval / 1_000_000,
    container: details.text(detailsKey.container),
    hostScoped: details.numbers(detailsKey.hostScoped)?.flatMap((code) => hostScopedFamilies[code] ?? []),
  })
}

function readContainer(container: FieldReader, zero: Zero): ContainerSample | undefined {
  const name = container.text(containerKey.name)
  if (name === undefined) return undefined
  const bandwidth = container.numbers(containerKey.bandwidth)
  const diskIo = container.numbers(containerKey.diskIo)
  const id = container.text(containerKey.id)
  return present<ContainerSample>({
    name,
    id: id === '' ? undefined : id,
    cpuPercent: container.amount(containerKey.cpu),
    memoryBytes: optionalMebibytes(container.amount(containerKey.memoryMebibytes)),
    sentBytesPerSecond: bandwidth?.[0] ?? optionalMebibytes(container.amount(containerKey.sentMebibytes)) ?? zero,
    receivedBytesPerSecond: bandwidth?.[1] ?? optionalMebibytes(container.amount(containerKey.receivedMebibytes)) ?? zero,
    health: container.word(containerKey.health, containerHealths),
    status: container.text(containerKey.status),
    image: container.text(containerKey.image),
    ports: container.text(containerKey.ports),
    diskReadBytesPerSecond: diskIo?.[0],
    diskWrittenBytesPerSecond: diskIo?.[1],
    restarts: container.amount(containerKey.restarts),
    composeProject: container.text(containerKey.composeProject),
    composeService: container.text(containerKey.composeService),
    networkOf: container.text(containerKey.networkOf),
  })
}

function readService(service: FieldReader): ServiceSample | undefined {
  const name = service.text(serviceKey.name)
  if (name === undefined) return undefined
  return present<ServiceSample>({
    name,
    state: service.word(serviceKey.state, serviceStates) ?? 'inactive',
    subState: service.word(serviceKey.subState, serviceSubStates) ?? 'other',
    cpuPercent: service.amount(serviceKey.cpu),
    cpuPeakPercent: service.amount(serviceKey.cpuPeak),
    memoryBytes: service.amount(serviceKey.memory),
    memoryPeakBytes: service.amount(serviceKey.memoryPeak),
  })
}
