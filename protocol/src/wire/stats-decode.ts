import type {
  BatterySample,
  CpuSample,
  DiskActivity,
  DiskSample,
  GpuSample,
  InterfaceSample,
  LoadAverage,
  MemorySample,
  NetworkSample,
  Pressure,
  PressureSample,
  Sample,
} from '../metrics/sample.ts'
import type { FieldReader } from './field-reader.ts'
import { awaitBit, batteryStates, extraDiskKey, gpuKey, legacyLoadKeys, pressureKey, statsKey } from './keys.ts'
import { present } from './present.ts'
import { fromGibibytes, fromMebibytes } from './units.ts'

/**
 * Value for a rate that an agent's sample lacks: 0 for agents of other projects, which leave out zeros; `undefined` (unknown) for Vedette
 * agents.
 */
export type Zero = 0 | undefined

/** Decodes the measurements (`stats`) in the CBOR map of an agent's sample into fields of a `Sample`. */
export const readStats = (stats: FieldReader, zero: Zero) => ({
  cpu: readCpu(stats),
  memory: readMemory(stats),
  swap: readSwap(stats),
  load: toLoad(stats.numbers(statsKey.load)) ?? readSingleLoads(stats),
  rootDisk: readRootDisk(stats, zero),
  extraDisks: stats.mapsByName(statsKey.extraDisks, (disk) => readExtraDisk(disk, zero)),
  network: readNetwork(stats, zero),
  temperatures: readTemperatures(stats),
  fans: stats.numbersByName(statsKey.fans),
  battery: toBattery(stats.numbers(statsKey.battery)),
  batteries: stats.numbersByName(statsKey.batteries),
  gpus: stats.mapsByName(statsKey.gpus, (gpu) => readGpu(gpu, zero)),
  pressure: stats.map(statsKey.pressure, readPressure),
})

function readTemperatures(stats: FieldReader): Sample['temperatures'] {
  const warm = stats.numbersByName(statsKey.temperatures)
  const cold = stats.convertedByName(statsKey.coldTemperatures, toColdCelsius)
  return cold === undefined ? warm : { ...warm, ...cold }
}

const ABSOLUTE_ZERO_CELSIUS = -273.15

export const toColdCelsius = (celsius: number): number | undefined =>
  celsius <= 0 && celsius >= ABSOLUTE_ZERO_CELSIUS ? celsius : undefined

function readCpu(stats: FieldReader): CpuSample | undefined {
  const busyPercent = stats.amount(statsKey.cpu)
  if (busyPercent === undefined) return undefined
  const shares = stats.numbers(statsKey.cpuShares)
  const [userPercent = 0, systemPercent = 0, iowaitPercent = 0, stealPercent = 0, idlePercent = 0] = shares ?? []
  return present<CpuSample>({
    busyPercent,
    shares: shares && { userPercent, systemPercent, iowaitPercent, stealPercent, idlePercent },
    coreBusyPercent: toCores(stats.numbers(statsKey.cores), stats.numbers(statsKey.unknownCores)),
  })
}

function toCores(cores: readonly number[] | undefined, unknownPlaces: readonly number[] = []): CpuSample['coreBusyPercent'] {
  if (cores === undefined || unknownPlaces.length === 0) return cores
  const unknown = new Set(unknownPlaces)
  return cores.map((percent, place) => (unknown.has(place) ? undefined : percent))
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
  const silence = total === undefined ? undefined : zero
  const disk = present<DiskSample>({
    totalBytes: total === undefined ? undefined : fromGibibytes(total),
    usedBytes: used === undefined ? undefined : fromGibibytes(used),
    usedPercent: stats.amount(statsKey.diskPercent),
    readBytesPerSecond: io?.[0] ?? optionalMebibytes(stats.amount(statsKey.diskReadMebibytes)) ?? silence,
    writtenBytesPerSecond: io?.[1] ?? optionalMebibytes(stats.amount(statsKey.diskWriteMebibytes)) ?? silence,
    activity: toActivity(stats.numbers(statsKey.diskActivity), stats.amount(statsKey.unknownAwaits)),
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
    usedPercent: disk.amount(extraDiskKey.usedPercent) ?? shareOf(used, total),
    readBytesPerSecond: disk.amount(extraDiskKey.read) ?? optionalMebibytes(disk.amount(extraDiskKey.readMebibytes)) ?? zero,
    writtenBytesPerSecond: disk.amount(extraDiskKey.written) ?? optionalMebibytes(disk.amount(extraDiskKey.writeMebibytes)) ?? zero,
    activity: toActivity(disk.numbers(extraDiskKey.activity), disk.amount(extraDiskKey.unknownAwaits)),
    ...toInodes(disk.numbers(extraDiskKey.inodes)),
  })
}

/**
 * Returns used ÷ total of a filesystem in percent; `undefined` if either is unknown or the total is 0. Agents of other projects send no
 * percentage for extra filesystems.
 */
const shareOf = (used: number | undefined, total: number | undefined): number | undefined =>
  used !== undefined && total !== undefined && total > 0 ? (used / total) * 100 : undefined

export const optionalMebibytes = (mebibytes: number | undefined) => (mebibytes === undefined ? undefined : fromMebibytes(mebibytes))

/**
 * Reads the network traffic of a sample; `undefined` when the sample has none. If an agent of another project sends no sum, the result has
 * the sum of the interfaces' rates.
 */
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

function toActivity(numbers: readonly number[] | undefined, unknownAwaits = 0): DiskActivity | undefined {
  if (numbers === undefined) return undefined
  const [readPercent = 0, writePercent = 0, utilisationPercent = 0, readAwaitMs = 0, writeAwaitMs = 0, weightedPercent = 0] = numbers
  const known = { readPercent, writePercent, utilisationPercent, readAwaitMs, writeAwaitMs, weightedPercent }
  if (unknownAwaits === 0) return known
  return present<DiskActivity>({
    ...known,
    readAwaitMs: (unknownAwaits & awaitBit.read) === 0 ? readAwaitMs : undefined,
    writeAwaitMs: (unknownAwaits & awaitBit.write) === 0 ? writeAwaitMs : undefined,
  })
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

/** Returns the load averages of agents 0.12.0, which send them under three keys. `undefined` if one is missing. */
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
    memoryUsedMegabytes: gpu.amount(gpuKey.memoryUsedMebibytes) ?? gpu.amount(gpuKey.memoryUsed),
    memoryTotalMegabytes: gpu.amount(gpuKey.memoryTotalMebibytes) ?? gpu.amount(gpuKey.memoryTotal),
    sharedMemoryUsedMegabytes: gpu.amount(gpuKey.sharedMemoryUsedMebibytes),
    sharedMemoryTotalMegabytes: gpu.amount(gpuKey.sharedMemoryTotalMebibytes),
    powerWatts: gpu.amount(gpuKey.power),
    packagePowerWatts: gpu.amount(gpuKey.packagePower),
    enginePercent: gpu.numbersByName(gpuKey.engines),
  })
