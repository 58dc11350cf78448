import { compareNames } from '../format/compare.ts'
import { containerHealths, serviceStates, serviceSubStates } from '@vedette/protocol/wire/keys'
import { filterOf, getJson, listRecords, sendRequest } from './client.ts'
import { keys } from './keys.ts'
import { serverQuery } from './server-query.ts'
import { listOf, numberOf, recordOf, textOf, timeOf, type JsonRecord } from './json.ts'

/** Last known state of a container as the system's page lists it. Rates are in bytes per second, CPU in percent of the whole machine. */
export type Container = {
  readonly id: string
  readonly name: string
  readonly image: string
  readonly status: string
  readonly health: (typeof containerHealths)[number]
  /** Percentage of the whole machine's CPU that the container uses; `undefined` when unknown. */
  readonly cpuPercent: number | undefined
  /** Memory usage of the container in bytes; `undefined` when unknown. */
  readonly memoryBytes: number | undefined
  /** Memory limit of the container in bytes; `undefined` when it has none or that is unknown. */
  readonly memoryLimitBytes: number | undefined
  /** Number of CPUs, such as 1.5, to which the container is limited; `undefined` without a limit or when that is unknown. */
  readonly cpuLimit: number | undefined
  /** Network traffic of the container in bytes a second, both directions together; `undefined` when unknown. */
  readonly networkBytesPerSecond: number | undefined
  readonly ports: string
  /** Number of times that Docker or Podman has restarted the container; `undefined` when unknown. */
  readonly restarts: number | undefined
  /** Name of the container's Docker Compose project; `undefined` when it belongs to none or that is unknown. */
  readonly project: string | undefined
}

/**
 * Last known state of a systemd service as the system's page lists it. It has active state and sub-state (`undefined` when unknown), CPU in
 * percent of the whole machine, and memory in bytes.
 */
export type Service = {
  readonly id: string
  readonly name: string
  readonly state: (typeof serviceStates)[number] | undefined
  readonly subState: (typeof serviceSubStates)[number] | undefined
  readonly cpuPercent: number
  readonly memoryBytes: number
  readonly memoryPeakBytes: number
}

/**
 * Physical drive of a system with its SMART values: capacity in bytes, temperature in °C, power-on time in hours. Values that the drive
 * does not report are `undefined`.
 */
export type Drive = {
  readonly id: string
  readonly name: string
  readonly model: string
  readonly serial: string | undefined
  readonly type: string
  readonly state: string
  readonly capacityBytes: number | undefined
  readonly celsius: number | undefined
  readonly hours: number | undefined
  readonly readAtMs: number | undefined
}

export type SystemInventory = {
  readonly containers: readonly Container[]
  readonly services: readonly Service[]
  readonly drives: readonly Drive[]
}

const BYTES_PER_MEBIBYTE = 1024 * 1024

/**
 * TanStack Query options for a system's containers, services and drives as last known to the hub, each as a list. The time of the system's
 * last sample (`sampledAtMs`) is part of the key, so each sample causes a refetch.
 */
export const inventoryQuery = (systemId: string, sampledAtMs: number | undefined) =>
  serverQuery(
    keys.inventory(systemId, sampledAtMs),
    async (signal): Promise<SystemInventory> => {
      const filter = filterOf('system={:systemId}', { systemId })
      const [containers, services, drives] = await Promise.all(
        ['containers', 'systemd_services', 'smart_devices'].map((collection) => listRecords(collection, { filter, sort: 'name' }, signal)),
      )
      return {
        containers: (containers ?? []).map(readContainer),
        services: (services ?? []).map(readService),
        drives: (drives ?? []).map(readDrive),
      }
    },
    { gcTime: 0 },
  )

const mebibytes = (count: number | undefined): number | undefined => count && count * BYTES_PER_MEBIBYTE

function readContainer(record: JsonRecord): Container {
  const unknown = (textOf(record['unknownFields']) ?? '').split(',')
  const known = (field: 'cpu' | 'memory' | 'net'): number | undefined =>
    unknown.includes(field) ? undefined : (numberOf(record[field]) ?? 0)
  return {
    id: textOf(record['id']) ?? '',
    name: textOf(record['name']) ?? '',
    image: textOf(record['image']) ?? '',
    status: textOf(record['status']) ?? '',
    health: containerHealths[numberOf(record['health']) ?? 0] ?? 'none',
    cpuPercent: known('cpu'),
    memoryBytes: mebibytes(known('memory')),
    memoryLimitBytes: mebibytes(numberOf(record['memoryLimit'])),
    cpuLimit: numberOf(record['cpuLimit']),
    networkBytesPerSecond: known('net'),
    ports: textOf(record['ports']) ?? '',
    restarts: numberOf(record['restarts']),
    project: textOf(record['composeProject']),
  }
}

const readService = (record: JsonRecord): Service => ({
  id: textOf(record['id']) ?? '',
  name: textOf(record['name']) ?? '',
  state: serviceStates[numberOf(record['state']) ?? -1],
  subState: serviceSubStates[numberOf(record['sub']) ?? -1],
  cpuPercent: numberOf(record['cpu']) ?? 0,
  memoryBytes: numberOf(record['memory']) ?? 0,
  memoryPeakBytes: numberOf(record['memPeak']) ?? 0,
})

/**
 * Returns the drive in a record of the collection `smart_devices`. In the record, 0 means that the drive does not report a value; that
 * becomes `undefined`.
 */
const readDrive = (record: JsonRecord): Drive => ({
  id: textOf(record['id']) ?? '',
  name: textOf(record['name']) ?? '',
  model: textOf(record['model']) ?? '',
  serial: textOf(record['serial']),
  type: textOf(record['type']) ?? '',
  state: textOf(record['state']) ?? '',
  capacityBytes: numberOf(record['capacity']) || undefined,
  celsius: numberOf(record['temp']) || undefined,
  hours: numberOf(record['hours']) || undefined,
  readAtMs: timeOf(record['updated']),
})

export type LogQuery = {
  readonly system: string
  readonly container: string
  /** Earliest time of the requested log lines, in epoch seconds; 0 requests all available lines. */
  readonly sinceSeconds: number
}

/**
 * Fetches the newest log lines of a container through its agent and resolves with one text, size-limited and without terminal codes.
 * Vedette agents prefix each line with its time and honour `sinceSeconds`; agents of other projects do neither.
 */
export async function fetchContainerLogs({ system, container, sinceSeconds }: LogQuery, signal: AbortSignal): Promise<string> {
  const query = new URLSearchParams({ system, container, since: `${sinceSeconds}` }).toString()
  return textOf(recordOf(await getJson(`/api/beszel/containers/logs?${query}`, signal))['logs']) ?? ''
}

/**
 * Fetches the configuration of a container (`docker inspect`) through its agent and resolves with indented JSON without secrets. Text that
 * is not valid JSON is left unchanged.
 */
export async function fetchContainerInfo(system: string, container: string, signal: AbortSignal): Promise<string> {
  const query = new URLSearchParams({ system, container }).toString()
  const info = textOf(recordOf(await getJson(`/api/beszel/containers/info?${query}`, signal))['info']) ?? ''
  try {
    return JSON.stringify(JSON.parse(info), undefined, 2)
  } catch {
    // The agent truncates long JSON, which then cannot be parsed: show the text as it is.
    return info
  }
}

/**
 * Fetches the properties of a systemd unit from the system's agent, as text with one `Name=value` per line, sorted by name. Rejects with
 * RequestFailed.
 */
export async function fetchServiceProperties(system: string, service: string, signal: AbortSignal): Promise<string> {
  const answer = await getJson(`/api/beszel/systemd/info?${new URLSearchParams({ system, service }).toString()}`, signal)
  const details = recordOf(recordOf(answer)['details'])
  return Object.entries(details)
    .toSorted(([a], [b]) => compareNames(a, b))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n')
}

export const refreshDrives = (system: string): Promise<unknown> =>
  sendRequest('POST', `/api/beszel/smart/refresh?${new URLSearchParams({ system }).toString()}`)

/**
 * Diagnostics of one collector of an agent (reader of one kind of metric): what it found and skipped, its error and how to fix it. `costMs`
 * is the duration of its last reading in ms.
 */
export type Finding = {
  readonly name: string
  readonly state: 'works' | 'absent' | 'failing'
  readonly found: string | undefined
  readonly skipped: readonly { readonly what: string; readonly why: string }[]
  readonly error: string | undefined
  readonly remedy: string | undefined
  readonly costMs: number | undefined
}

const findingStates = ['works', 'absent', 'failing'] as const

async function fetchFindings(system: string, signal: AbortSignal): Promise<readonly Finding[]> {
  const answer = recordOf(await getJson(`/api/vedette/systems/${encodeURIComponent(system)}/diagnosis`, signal))
  return listOf(answer['collectors']).map((one): Finding => {
    const { name, state, found, skipped, error, remedy, costMs } = recordOf(one)
    return {
      name: textOf(name) ?? '',
      state: findingStates.find((known) => known === state) ?? 'failing',
      found: textOf(found),
      skipped: listOf(skipped).map((each) => ({ what: textOf(recordOf(each)['what']) ?? '', why: textOf(recordOf(each)['why']) ?? '' })),
      error: textOf(error),
      remedy: textOf(remedy),
      costMs: numberOf(costMs),
    }
  })
}

export const findingsQuery = (systemId: string) =>
  serverQuery(keys.findings(systemId), (signal) => fetchFindings(systemId, signal), { gcTime: 0, retry: false })
