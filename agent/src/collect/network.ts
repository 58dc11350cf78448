import type { SkippedPart } from '@vedette/protocol/metrics/diagnosis'
import type { InterfaceSample, NetworkSample } from '@vedette/protocol/metrics/sample'
import { setOwnValue } from '@vedette/protocol/own-value'
import { perSecond } from './sampling/counter.ts'
import type { ProcSource } from '../source/proc-source.ts'
import { SourceUnreadable } from '../source/source-unreadable.ts'
import type { NameFilter } from '../text/glob.ts'
import { plainName } from '../text/plain-name.ts'
import { createBaselines, replaceBaseline } from './baselines.ts'
import type { Collector } from './collector.ts'
import {
  chooseInterfaces,
  readInterfaceKind,
  readMostBytesPerSecond,
  type InterfaceChoice,
  type InterfaceCounters,
  type InterfaceKind,
} from './interfaces.ts'

export type NetworkReading = { readonly interfaces: ReadonlyMap<string, InterfaceCounters>; readonly takenAtMs: number }

/** Parsed /proc/net/dev: counters of each network interface, and one error message for each invalid line. */
export type NetDev = {
  readonly interfaces: ReadonlyMap<string, InterfaceCounters>
  /** List of the names of those interfaces in /proc/net/dev whose counters cannot be parsed. */
  readonly unreadable: readonly string[]
  readonly problems: readonly string[]
}

const HEADINGS = 2
/**
 * Regular expression that matches an interface's line in /proc/net/dev: its name, first counter and ninth counter. The name may contain a
 * colon, and the first counter may follow it without a space.
 */
const INTERFACE = /^\s*(\S+):\s*(\d{1,20})(?:\s+\S+){7}\s+(\d{1,20})(?!\S)/
const NAME = /^\s*(\S+):/

/**
 * Parses /proc/net/dev, proc(5), and returns a map from interface name to counters, with the unreadable interfaces and the problems found.
 * The file has two heading lines, then `name: ` with eight receive and eight transmit columns.
 */
export function parseNetDev(text: string): NetDev {
  const interfaces = new Map<string, InterfaceCounters>()
  const problems: string[] = []
  const unreadable: string[] = []
  const lines = text.split('\n')
  for (const line of lines.slice(HEADINGS)) {
    const match = INTERFACE.exec(line)
    if (match !== null) interfaces.set(plainName(match[1] ?? ''), { sentBytes: Number(match[3]), receivedBytes: Number(match[2]) })
    else if (line.trim() !== '') {
      const name = NAME.exec(line)?.[1]
      if (name !== undefined) unreadable.push(plainName(name))
      problems.push(`Cannot parse "/proc/net/dev": "${plainName(line).slice(0, 40)}" is not an interface with 16 counters`)
    }
  }
  return { interfaces, unreadable, problems }
}

/**
 * Network rate, 1 MB/s, in bytes per second, that every link can reach. Only for a higher rate is the link's speed read, to check whether
 * the rate is plausible.
 */
const ALWAYS_POSSIBLE_BYTES_PER_SECOND = 1_000_000

/**
 * Returns the rates of each network interface and their sum between two readings, in bytes per second; `undefined` without any, or when
 * they are less than 40 ms apart. After a counter reset, the new value counts as the growth. An interface with an implausible rate is left
 * out, and a sum that includes it is unknown.
 */
export function networkRates(
  previous: NetworkReading | undefined,
  current: NetworkReading,
  mostOf: (name: string) => number,
  isSummed: (name: string) => boolean = () => true,
): NetworkSample | undefined {
  if (previous === undefined) return undefined
  const interfaces: Record<string, InterfaceSample> = {}
  const summed: (InterfaceSample | undefined)[] = []
  const between = { fromMs: previous.takenAtMs, toMs: current.takenAtMs }
  for (const [name, now] of current.interfaces) {
    const earlier = previous.interfaces.get(name)
    if (earlier === undefined) continue
    const one = interfaceRates(earlier, now, between)
    if (one === undefined) return undefined
    const isPossible = isBelowMost(one, () => mostOf(name))
    if (isPossible) setOwnValue(interfaces, name, one)
    if (isSummed(name)) summed.push(isPossible ? one : undefined)
  }
  return Object.keys(interfaces).length === 0 ? undefined : { ...sumOf(summed), interfaces }
}

function isBelowMost({ sentBytesPerSecond, receivedBytesPerSecond }: InterfaceSample, most: () => number): boolean {
  const fastest = Math.max(sentBytesPerSecond, receivedBytesPerSecond)
  return fastest <= ALWAYS_POSSIBLE_BYTES_PER_SECOND || fastest <= most()
}

/**
 * Returns the sums of sent and received bytes per second over the given interfaces. An empty object if there are none or a rate is unknown.
 */
function sumOf(all: readonly (InterfaceSample | undefined)[]): Pick<NetworkSample, 'sentBytesPerSecond' | 'receivedBytesPerSecond'> {
  let [sentBytesPerSecond, receivedBytesPerSecond] = [0, 0]
  for (const one of all) {
    if (one === undefined) return {}
    sentBytesPerSecond += one.sentBytesPerSecond
    receivedBytesPerSecond += one.receivedBytesPerSecond
  }
  return all.length === 0 ? {} : { sentBytesPerSecond, receivedBytesPerSecond }
}

type Interval = { readonly fromMs: number; readonly toMs: number }

function interfaceRates(earlier: InterfaceCounters, now: InterfaceCounters, { fromMs, toMs }: Interval): InterfaceSample | undefined {
  const rate = (before: number, value: number): number | undefined =>
    perSecond({ value: value < before ? 0 : before, takenAtMs: fromMs }, { value, takenAtMs: toMs })
  const sentBytesPerSecond = rate(earlier.sentBytes, now.sentBytes)
  const receivedBytesPerSecond = rate(earlier.receivedBytes, now.receivedBytes)
  if (sentBytesPerSecond === undefined || receivedBytesPerSecond === undefined) return undefined
  return { sentBytesPerSecond, receivedBytesPerSecond, sentBytesTotal: now.sentBytes, receivedBytesTotal: now.receivedBytes }
}

/**
 * Creates the collector of network traffic. Interfaces are selected again when one appears, disappears or has first both sent and received,
 * and once a minute, when their types are read again.
 */
export function networkCollector(source: ProcSource, filter: NameFilter | undefined): Collector<NetworkSample> {
  const baselines = createBaselines<NetworkReading>()
  const kindAt = keptKinds(source)
  let choice: InterfaceChoice | undefined
  let chosenFrom: { readonly kindOf: KindOf; readonly signature: string } | undefined
  let problems: readonly string[] = []
  return {
    name: 'network',
    collect: ({ consumer, atMs }) => {
      const read = parseNetDev(source.readNetDev())
      problems = read.problems
      // Unreadable interfaces take part in the selection by name; their traffic is unknown, and so is a sum that includes them.
      const all = read.unreadable.length === 0 ? read.interfaces : withUnreadable(read)
      if (read.interfaces.size === 0 && problems[0] !== undefined) throw new SourceUnreadable(problems[0])
      const kindOf = kindAt(atMs)
      const signature = signatureOf(all)
      if (choice === undefined || chosenFrom?.kindOf !== kindOf || chosenFrom.signature !== signature) {
        choice = chooseInterfaces(all, filter, kindOf)
        chosenFrom = { kindOf, signature }
      }
      const { names, summedNames: summed } = choice
      const interfaces = new Map<string, InterfaceCounters>()
      for (const [name, counters] of read.interfaces) if (names.has(name)) interfaces.set(name, counters)
      const current = { interfaces, takenAtMs: atMs }
      const previous = replaceBaseline(baselines, consumer, current)
      const mostOf = (name: string): number => readMostBytesPerSecond(source, name, kindOf(name))
      const rates = networkRates(previous, current, mostOf, (name) => summed.has(name))
      return read.unreadable.some((name) => summed.has(name)) ? rates && withoutSum(rates) : rates
    },
    report: () => {
      const lines: readonly SkippedPart[] = problems.map((why) => ({ what: 'a line of /proc/net/dev', why }))
      const skipped = [...(choice?.skipped ?? []), ...lines]
      return choice === undefined || choice.names.size === 0 ? { skipped } : { found: [...choice.names].join(', '), skipped }
    },
  }
}

const withUnreadable = ({ interfaces, unreadable }: NetDev): ReadonlyMap<string, InterfaceCounters> =>
  new Map([...interfaces, ...unreadable.map((name) => [name, { sentBytes: 1, receivedBytes: 1 }] as const)])

const withoutSum = ({ interfaces }: NetworkSample): NetworkSample => (interfaces === undefined ? {} : { interfaces })

const KINDS_KEPT_MS = 60_000

type KindOf = (name: string) => InterfaceKind

/**
 * Creates a cached reader of interface types: the returned function takes a monotonic time in ms and returns a function from interface name
 * to type. Cached types expire after a minute.
 */
function keptKinds(source: ProcSource): (atMs: number) => KindOf {
  let kindOf = readOnce(source)
  let sinceMs = Number.NEGATIVE_INFINITY
  return (atMs) => {
    if (atMs - sinceMs >= KINDS_KEPT_MS) {
      kindOf = readOnce(source)
      sinceMs = atMs
    }
    return kindOf
  }
}

function readOnce(source: ProcSource): KindOf {
  const kinds = new Map<string, InterfaceKind>()
  return (name) => {
    const kind = kinds.get(name) ?? readInterfaceKind(source, name)
    kinds.set(name, kind)
    return kind
  }
}

/**
 * Returns a text made of the interfaces' names and of whether each has sent and received. While this text is unchanged, the selection of
 * interfaces to report is not made again.
 */
function signatureOf(interfaces: ReadonlyMap<string, InterfaceCounters>): string {
  let signature = ''
  interfaces.forEach(({ sentBytes, receivedBytes }, name) => {
    signature += sentBytes > 0 && receivedBytes > 0 ? `${name}/moved ` : `${name}/ `
  })
  return signature
}
