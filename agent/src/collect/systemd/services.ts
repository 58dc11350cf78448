import type { CborValue } from '@vedette/protocol/cbor/value'
import type { ServiceCounts, ServiceSample } from '@vedette/protocol/metrics/sample'
import { present } from '@vedette/protocol/wire/present'
import type { ProcSource } from '../../source/proc-source.ts'
import type { Collector, CollectorReport } from '../collector.ts'
import { forEachConcurrently } from '../for-each-concurrently.ts'
import { busSocket } from './bus-socket.ts'
import type { BusParts } from './dbus-connection.ts'
import { connectSystemd, isAbsence, type SystemdBus } from './systemd-bus.ts'
import { shownName, type Unit } from './units.ts'

export type ServiceFamilies = {
  readonly serviceCounts?: ServiceCounts
  readonly services?: readonly ServiceSample[]
}

export type ServiceParts = BusParts & { readonly source: ProcSource }

/** Id of the requester whose samples contain services: the hub's poll every minute, identified by its cache time in ms (60,000). */
const POLL_CONSUMER = 60_000

const REFRESH_MS = 10 * 60_000
/** Time in ms until systemd is queried again after a failed query: 60 s. */
const RETRY_MS = 60_000
/** Time limit in ms for querying all systemd units: 30 s. Units whose response is later are reported without CPU and memory. */
const BUDGET_MS = 30_000

/** Maximum number of systemd units that are queried in parallel: 8. */
const AT_ONCE = 8

/** Maximum number of systemd units in a sample, 2,000; further ones are left out. Hubs do not store a sample with more. */
const MAX_UNITS = 2000

/**
 * Number of minute samples, 2, that contain the list of services after each query of systemd. With only one, a lost response would leave
 * the hub without services for 10 min.
 */
const LIST_SENDINGS = 2

/** Start time, CPU time and memory of one systemd unit at one moment; `undefined` for values that systemd does not report. */
type UnitReading = {
  readonly enteredAtUs: number | undefined
  readonly cpuNs: number | undefined
  readonly memoryBytes: number | undefined
  readonly memoryPeakBytes: number | undefined
  readonly takenAtMs: number
}

type UnitMemory = {
  readonly reading: UnitReading
  readonly cpuPeakPercent: number | undefined
  readonly memoryPeakBytes: number | undefined
}

type Refreshed = { readonly services: readonly ServiceSample[]; readonly counts: ServiceCounts }

/**
 * Creates the collector of systemd units, which are queried every 10 min in the background, or after 1 min if the query failed. Until one
 * succeeds again, it throws. Minute samples after a successful query have the numbers of all and of failed units; only the first two have
 * the list of units. Samples of other requesters have neither.
 */
export function servicesCollector(parts: ServiceParts, patterns: readonly string[]): Collector<ServiceFamilies> {
  const { runtime } = parts
  const nowMs = (): number => runtime.clock().monotonicMs
  let memories: ReadonlyMap<string, UnitMemory> = new Map()
  let latest: Refreshed | undefined
  let listSendingsLeft = 0
  let startedAtMs: number | undefined
  let isRefreshing = false
  let failure: Error | undefined
  let report: CollectorReport = {}

  const refresh = async (socket: string): Promise<void> => {
    const manager = await connectSystemd(parts, socket)
    try {
      const units = (await manager.listUnits(patterns)).slice(0, MAX_UNITS)
      const readings = await readUnits(parts, manager, units)
      const threads = threadsOf(parts.source)
      const next = new Map(units.map((unit) => [unit.name, remember(memories.get(unit.name), readings.get(unit.name), threads)]))
      const wanted = units.filter((unit) => wasEverActive(unit, readings.get(unit.name)))
      memories = new Map([...next].flatMap(([name, memory]) => (memory === undefined ? [] : [[name, memory.kept]])))
      const services = wanted.map((unit) => serviceSample(shownName(unit.name, runtime.bytes.fromUtf8), unit, next.get(unit.name)))
      latest = { services, counts: { total: services.length, failed: services.filter(({ state }) => state === 'failed').length } }
      listSendingsLeft = LIST_SENDINGS
      failure = undefined
      report = { found: `${services.length} units, ${latest.counts.failed} failed` }
    } finally {
      manager.close()
    }
  }

  const start = (): void => {
    const socket = busSocket(runtime)
    if (socket === undefined) return absent('there is no message bus of the system')
    isRefreshing = true
    void refresh(socket)
      .catch((error: unknown) => {
        if (isAbsence(error)) return absent('the machine has another service manager than systemd')
        failure = error instanceof Error ? error : new Error(String(error))
        report = permissionReport(failure)
      })
      .finally(() => {
        isRefreshing = false
      })
  }

  const absent = (why: string): void => {
    latest = undefined
    failure = undefined
    report = { skipped: [{ what: 'services', why }] }
  }

  return {
    name: 'services',
    collect: ({ consumer }) => {
      const dueMs = failure === undefined ? REFRESH_MS : RETRY_MS
      if (!isRefreshing && (startedAtMs === undefined || nowMs() - startedAtMs >= dueMs)) {
        startedAtMs = nowMs()
        start()
      }
      if (failure !== undefined) throw failure
      if (latest === undefined) return undefined
      if (consumer !== POLL_CONSUMER) return {}
      if (listSendingsLeft === 0) return { serviceCounts: latest.counts }
      listSendingsLeft--
      return { serviceCounts: latest.counts, services: latest.services }
    },
    report: () => report,
  }
}

async function readUnits(parts: ServiceParts, manager: SystemdBus, units: readonly Unit[]): Promise<ReadonlyMap<string, UnitReading>> {
  const readings = new Map<string, UnitReading>()
  const asked = forEachConcurrently({ loop: parts.loop, withinMs: BUDGET_MS, atOnce: AT_ONCE }, units, async (unit) => {
    readings.set(unit.name, await readUnit(parts, manager, unit))
  })
  await asked
  return readings
}

async function readUnit({ runtime }: ServiceParts, manager: SystemdBus, unit: Unit): Promise<UnitReading> {
  const isRunning = unit.name.endsWith('.service') && unit.state !== 'inactive' && unit.state !== 'failed'
  const ofService = async (name: string): Promise<number | undefined> =>
    isRunning ? accountedNumber(await manager.property(unit.objectPath, 'Service', name)) : undefined
  const [enteredAtUs, cpuNs, memoryBytes, memoryPeakBytes] = await Promise.all([
    manager.property(unit.objectPath, 'Unit', 'ActiveEnterTimestamp').then(accountedNumber),
    ofService('CPUUsageNSec'),
    ofService('MemoryCurrent'),
    ofService('MemoryPeak'),
  ])
  return { enteredAtUs, cpuNs, memoryBytes, memoryPeakBytes, takenAtMs: runtime.clock().monotonicMs }
}

/**
 * Returns a value that systemd reports if it is a number. `undefined` for a value that systemd does not measure: it reports 2^64 − 1 then,
 * which arrives as a `bigint`.
 */
const accountedNumber = (value: CborValue | undefined): number | undefined => (typeof value === 'number' ? value : undefined)

/**
 * Returns true for a systemd unit that has been active since boot, has failed, or whose start time is unknown. Other units are not reported
 * to hubs.
 */
const wasEverActive = ({ state }: Unit, reading: UnitReading | undefined): boolean => reading?.enteredAtUs !== 0 || state === 'failed'

type Remembered = { readonly kept: UnitMemory; readonly cpuPercent: number | undefined }

function remember(before: UnitMemory | undefined, reading: UnitReading | undefined, threads: number | undefined): Remembered | undefined {
  if (reading === undefined) return before && { kept: before, cpuPercent: undefined }
  const cpuPercent = cpuShare(before?.reading, reading, threads)
  return {
    cpuPercent,
    kept: {
      reading,
      cpuPeakPercent: largest(before?.cpuPeakPercent, cpuPercent),
      memoryPeakBytes: largest(before?.memoryPeakBytes, reading.memoryPeakBytes, reading.memoryBytes),
    },
  }
}

/**
 * Returns a unit's CPU use since the previous query of systemd in percent of the whole machine, 0 to 100. `undefined` at first, after a
 * restart of the unit, and when a counter or the number of CPUs (`threads`) is unknown.
 */
export function cpuShare(
  before: Pick<UnitReading, 'cpuNs' | 'takenAtMs'> | undefined,
  now: Pick<UnitReading, 'cpuNs' | 'takenAtMs'>,
  threads: number | undefined,
): number | undefined {
  if (before?.cpuNs === undefined || now.cpuNs === undefined || threads === undefined) return undefined
  const usedNs = now.cpuNs - before.cpuNs
  const availableNs = (now.takenAtMs - before.takenAtMs) * 1_000_000 * threads
  return usedNs < 0 || availableNs <= 0 ? undefined : Math.min(100, (usedNs / availableNs) * 100)
}

function largest(...values: readonly (number | undefined)[]): number | undefined {
  const numbers = values.filter((value) => value !== undefined)
  return numbers.length === 0 ? undefined : Math.max(...numbers)
}

const serviceSample = (name: string, { state, subState }: Unit, memory: Remembered | undefined): ServiceSample =>
  present<ServiceSample>({
    name,
    state,
    subState,
    cpuPercent: memory?.cpuPercent,
    cpuPeakPercent: memory?.kept.cpuPeakPercent,
    memoryBytes: memory?.kept.reading.memoryBytes,
    memoryPeakBytes: memory?.kept.memoryPeakBytes,
  })

const threadsOf = (source: ProcSource): number | undefined =>
  source
    .tryProc('stat')
    ?.split('\n')
    .filter((line) => /^cpu\d/.test(line)).length || undefined

function permissionReport({ message }: Error): CollectorReport {
  return /EACCES|EPERM|permission denied|refused this user|AccessDenied/i.test(message)
    ? { remedy: 'Run the agent as a user that the system bus lets in; in a container mount /run/dbus/system_bus_socket' }
    : {}
}
