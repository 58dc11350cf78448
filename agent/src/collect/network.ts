import type { InterfaceSample, NetworkSample } from '@vedette/protocol/metrics/sample'
import { MIN_ELAPSED_MS, perSecond } from '../counter.ts'
import type { ProcSource } from '../source/proc-source.ts'
import { columns, filledLines, parseCounter } from '../text/columns.ts'
import { isListed, type NameFilter } from '../text/glob.ts'
import { createBaselines } from './baselines.ts'
import type { Collector } from './collector.ts'

/** Totals of one interface since it came up. */
export type InterfaceCounters = { readonly sentBytes: number; readonly receivedBytes: number }
export type NetworkReading = { readonly interfaces: ReadonlyMap<string, InterfaceCounters>; readonly takenAtMs: number }

/** /proc/net/dev, proc(5): two heading lines, then `name: ` with eight receive and eight transmit columns. */
export function parseNetDev(text: string): ReadonlyMap<string, InterfaceCounters> {
  const interfaces = new Map<string, InterfaceCounters>()
  for (const line of filledLines(text).slice(2)) {
    const colon = line.lastIndexOf(':')
    const fields = columns(line.slice(colon + 1))
    const receivedBytes = parseCounter(fields[0])
    const sentBytes = parseCounter(fields[8])
    if (colon === -1 || receivedBytes === undefined || sentBytes === undefined) {
      throw new SyntaxError(`Cannot parse "/proc/net/dev": "${line.trim().slice(0, 40)}" is no interface with 16 counters`)
    }
    interfaces.set(line.slice(0, colon).trim(), { sentBytes, receivedBytes })
  }
  return interfaces
}

const internal = ['lo', 'docker', 'br-', 'veth', 'bond', 'cali']

/**
 * Whether an interface counts. Without a filter those that only pass on what others carry do not, nor those that never
 * sent or never received. A list of names takes exactly these; a list of exceptions leaves the usual choice in force.
 */
export function countsAsPublic(name: string, counters: InterfaceCounters, filter: NameFilter | undefined): boolean {
  if (filter?.mode === 'only') return isListed(filter, name)
  if (filter !== undefined && isListed(filter, name)) return false
  return counters.sentBytes > 0 && counters.receivedBytes > 0 && !internal.some((prefix) => name.startsWith(prefix))
}

/** No link is faster; what is was a counter going wrong. */
const MAX_BYTES_PER_SECOND = 10_000_000_000

/**
 * Rates between two readings. An interface whose counters started again has its new total as growth, which is the least
 * it can be; the sum then is not known and stays absent. A new interface has no rate yet.
 */
export function networkRates(previous: NetworkReading | undefined, current: NetworkReading): NetworkSample | undefined {
  if (previous === undefined) return undefined
  const interfaces: Record<string, InterfaceSample> = {}
  let sum: InterfaceCounters | undefined = { sentBytes: 0, receivedBytes: 0 }
  const between = { fromMs: previous.takenAtMs, toMs: current.takenAtMs }
  for (const [name, now] of current.interfaces) {
    const earlier = previous.interfaces.get(name)
    if (earlier === undefined) continue
    const one = interfaceRates(earlier, now, between)
    if (one === undefined) return undefined
    const isPossible = one.sentBytesPerSecond <= MAX_BYTES_PER_SECOND && one.receivedBytesPerSecond <= MAX_BYTES_PER_SECOND
    if (isPossible) interfaces[name] = one
    sum = isPossible && !restarted(earlier, now) ? plus(sum, one) : undefined
  }
  if (Object.keys(interfaces).length === 0) return undefined
  return sum === undefined ? { interfaces } : { sentBytesPerSecond: sum.sentBytes, receivedBytesPerSecond: sum.receivedBytes, interfaces }
}

const restarted = (earlier: InterfaceCounters, now: InterfaceCounters): boolean =>
  now.sentBytes < earlier.sentBytes || now.receivedBytes < earlier.receivedBytes

/** A sum that is not known stays so. */
const plus = (sum: InterfaceCounters | undefined, one: InterfaceSample): InterfaceCounters | undefined =>
  sum && { sentBytes: sum.sentBytes + one.sentBytesPerSecond, receivedBytes: sum.receivedBytes + one.receivedBytesPerSecond }

type Interval = { readonly fromMs: number; readonly toMs: number }

function interfaceRates(earlier: InterfaceCounters, now: InterfaceCounters, { fromMs, toMs }: Interval): InterfaceSample | undefined {
  const rate = (before: number, value: number): number | undefined =>
    perSecond({ value: value < before ? 0 : before, takenAtMs: fromMs }, { value, takenAtMs: toMs })
  const sentBytesPerSecond = rate(earlier.sentBytes, now.sentBytes)
  const receivedBytesPerSecond = rate(earlier.receivedBytes, now.receivedBytes)
  if (sentBytesPerSecond === undefined || receivedBytesPerSecond === undefined) return undefined
  return { sentBytesPerSecond, receivedBytesPerSecond, sentBytesTotal: now.sentBytes, receivedBytesTotal: now.receivedBytes }
}

/** Interfaces are chosen anew each time, so that one that comes up later is not missed. */
export function networkCollector(source: ProcSource, filter: NameFilter | undefined): Collector<NetworkSample> {
  const baselines = createBaselines<NetworkReading>()
  return {
    name: 'network',
    collect: ({ consumer, atMs }) => {
      const all = parseNetDev(source.readProc('net/dev'))
      const interfaces = new Map([...all].filter(([name, counters]) => countsAsPublic(name, counters, filter)))
      const current = { interfaces, takenAtMs: atMs }
      const previous = baselines.of(consumer)
      if (previous === undefined || atMs - previous.takenAtMs >= MIN_ELAPSED_MS) baselines.keep(consumer, current)
      return networkRates(previous, current)
    },
  }
}
