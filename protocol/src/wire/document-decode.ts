import { isCborMap, type CborValue } from '../cbor/value.ts'
import type { ContainerEvent, ContainerSample, MachineFacts, MemorySample, ReadingAges, Sample, ServiceSample } from '../metrics/sample.ts'
import { FieldReader, type FieldProblem } from './field-reader.ts'
import {
  agedFamilies,
  containerHealths,
  containerEventKey,
  containerKey,
  detailsKey,
  documentKey,
  hostScopedFamilies,
  infoKey,
  linkCodes,
  operatingSystems,
  serviceKey,
  serviceStates,
  serviceSubStates,
} from './keys.ts'
import { present } from './present.ts'
import { optionalMebibytes, readStats, toColdCelsius, type Zero } from './stats-decode.ts'
import { isVedette } from './version.ts'

export type DocumentResult =
  | { readonly ok: true; readonly sample: Sample; readonly problems: readonly FieldProblem[] }
  | { readonly ok: false; readonly reason: 'not a map' }

/**
 * Decodes a "combined document": the CBOR map with integer keys in which an agent sends a sample. An empty map is a valid document without
 * values; any other item than a map gives `ok: false`. Fields of the wrong type are left out and listed in `problems`.
 */
export function decodeDocument(value: CborValue): DocumentResult {
  if (!isCborMap(value)) return { ok: false, reason: 'not a map' }
  const problems: FieldProblem[] = []
  const document = new FieldReader(value, 'document', problems)
  const info = document.map(documentKey.info, readInfo)
  const zero = silenceMeansZero(info?.sample.agentVersion) ? 0 : undefined
  const stats = document.map(documentKey.stats, (fields) => readStats(fields, zero))
  const details = document.map(documentKey.details, readDetails)
  const facts = withMemory(info?.machine, stats?.memory)
  const machine = details && facts ? { ...facts, ...details } : (details ?? facts)
  const sample = present<Sample>({
    takenAtMs: document.amount(documentKey.takenAtMs),
    ages: document.map(documentKey.ages, readAges),
    ...stats,
    ...info?.sample,
    containers: document.maps(documentKey.containers, (fields) => readContainer(fields, zero)),
    containerEvents: document.maps(documentKey.containerEvents, readContainerEvent),
    services: document.maps(documentKey.services, readService),
    machine,
  })
  return { ok: true, sample, problems }
}

/** Maximum accepted age in ms of a value that a sample repeats from an earlier reading: 1 h. Larger ages are reduced to it. */
const OLDEST_MS = 3_600_000

const readAges = (ages: FieldReader): ReadingAges =>
  Object.fromEntries(
    agedFamilies.flatMap((family, place) => {
      const ageMs = ages.amount(place)
      return ageMs === undefined ? [] : [[family, Math.min(ageMs, OLDEST_MS)]]
    }),
  )

/**
 * Returns true when a rate that the sample lacks means 0: the agent is of another project, which leaves out zeros. For a Vedette agent it
 * is unknown.
 */
const silenceMeansZero = (agentVersion: string | undefined): boolean => !isVedette(agentVersion)

/**
 * Returns the facts `machine` with the memory size of the measurements `memory`, because agents before 0.18 send that size only there.
 * Without a host name in the facts, or without measurements, the facts are returned unchanged.
 */
function withMemory(machine: MachineFacts | undefined, memory: MemorySample | undefined): MachineFacts | undefined {
  if (machine?.hostname === undefined || memory === undefined) return machine
  return { ...machine, totalMemoryBytes: Math.trunc(memory.totalBytes) }
}

function readInfo(info: FieldReader) {
  const link = info.number(infoKey.link)
  const counts = info.numbers(infoKey.serviceCounts)
  const sample = present<Partial<Sample>>({
    uptimeSeconds: info.amount(infoKey.uptime),
    agentVersion: info.text(infoKey.agentVersion),
    dashboardCelsius: info.number(infoKey.dashboardCelsius) ?? coldCelsius(info.number(infoKey.coldDashboardCelsius)),
    link: link === linkCodes.ssh ? 'ssh' : link === linkCodes.websocket ? 'websocket' : undefined,
    serviceCounts: counts && { total: counts[0] ?? 0, failed: counts[1] ?? 0 },
  })
  const machine = readFacts(info)
  return { sample, machine: Object.keys(machine).length === 0 ? undefined : machine }
}

const coldCelsius = (celsius: number | undefined) => (celsius === undefined ? undefined : toColdCelsius(celsius))

/**
 * Returns the machine's static facts (such as its CPU model) from the map `info` of an encoded sample. Agents before 0.4 send no host name;
 * those of 0.18 and later send only their threads there.
 */
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
    tags: details.texts(detailsKey.tags),
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
    memoryLimitBytes: limitOf(container.amount(containerKey.memoryLimit)),
    cpuLimitCpus: limitOf(container.amount(containerKey.cpuLimit)),
  })
}

/** Returns a container's limit (memory in bytes or number of CPUs) unchanged, or `undefined` for 0, by which a sample means "no limit". */
const limitOf = (amount: number | undefined) => (amount === 0 ? undefined : amount)

/** Highest valid exit code of a container: Linux uses up to 255, Windows containers 32 bits. Larger values are ignored. */
const MAX_EXIT_CODE = 0xffff_ffff

function readContainerEvent(event: FieldReader): ContainerEvent | undefined {
  const atMs = event.amount(containerEventKey.atMs)
  const container = event.text(containerEventKey.container)
  if (atMs === undefined || container === undefined) return undefined
  const exitCode = event.amount(containerEventKey.exitCode)
  return present<ContainerEvent>({
    atMs,
    container,
    exitCode: exitCode === undefined || exitCode > MAX_EXIT_CODE ? undefined : Math.trunc(exitCode),
    outOfMemory: event.flag(containerEventKey.outOfMemory) ?? false,
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
