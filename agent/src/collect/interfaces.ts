import type { SkippedPart } from '@vedette/protocol/metrics/diagnosis'
import type { ProcSource } from '../source/proc-source.ts'
import { parseCounter } from '../text/columns.ts'
import { isListed, type NameFilter } from '../text/glob.ts'

/** Bytes that one network interface has sent and received, as counted by the kernel since it came up. */
export type InterfaceCounters = { readonly sentBytes: number; readonly receivedBytes: number }

/**
 * Facts about a network interface: whether it has hardware, is a bridge, bond or tunnel, or is part of another interface. Source:
 * /sys/class/net/NAME, kernel Documentation/ABI/testing/sysfs-class-net.
 */
export type InterfaceKind = {
  readonly hasDevice: boolean
  readonly isBridge: boolean
  readonly isBond: boolean
  /** List of the names of the interfaces below this one, which carry its traffic, such as `eth0` for a VLAN interface. */
  readonly lower: readonly string[]
  /** True when the network interface is part of a bridge or bond. */
  readonly hasMaster: boolean
  /**
   * True when the network interface is a tunnel: its packets leave the machine inside those of another interface, which the kernel does not
   * name.
   */
  readonly isTunnel: boolean
}

const LOWER = 'lower_'

export function readInterfaceKind(source: ProcSource, name: string): InterfaceKind {
  const entries = source.listSys(`class/net/${name}`)
  const lower = entries.filter((entry) => entry.startsWith(LOWER)).map((entry) => entry.slice(LOWER.length))
  const hasDevice = entries.includes('device')
  return {
    hasDevice,
    isBridge: entries.includes('bridge'),
    isBond: entries.includes('bonding'),
    lower,
    hasMaster: entries.includes('master'),
    isTunnel: !hasDevice && lower.length === 0 && (entries.includes('tun_flags') || isTunnel(source, name)),
  }
}

/** List of the interface type numbers of tunnels, as text: ARPHRD_TUNNEL, TUNNEL6, SIT, IPGRE and IP6GRE of linux/if_arp.h. */
const tunnelTypes: readonly string[] = ['768', '769', '776', '778', '823']
const tunnelDrivers: readonly string[] = ['wireguard', 'vxlan', 'geneve']

function isTunnel(source: ProcSource, name: string): boolean {
  const driver = /^DEVTYPE=(.+)$/m.exec(source.trySys(`class/net/${name}/uevent`) ?? '')?.[1]
  return tunnelDrivers.includes(driver ?? '') || tunnelTypes.includes(source.trySys(`class/net/${name}/type`)?.trim() ?? '')
}

const LOOPBACK = 'lo'
const internal = ['docker', 'br-', 'veth', 'bond', 'cali']

/**
 * Returns why a network interface is not reported, as text, judged by its name, its counters and the configured filter; `undefined` when it
 * may be reported.
 */
export function reasonByName(name: string, counters: InterfaceCounters, filter: NameFilter | undefined): string | undefined {
  if (filter?.mode === 'only') return isListed(filter, name) ? undefined : 'not listed in NICS'
  if (filter !== undefined && isListed(filter, name)) return 'excluded by NICS'
  if (name === LOOPBACK || internal.some((prefix) => name.startsWith(prefix))) return 'only passes on what others carry'
  return counters.sentBytes > 0 && counters.receivedBytes > 0 ? undefined : 'has not both sent and received yet'
}

/**
 * Returns the reason, as text, why an interface's traffic is not counted: another interface counts it too, as for the member of a bridge.
 * `names` are the reported interfaces. `undefined` when only this interface counts it.
 */
export function reasonByKind(kind: InterfaceKind, names: ReadonlySet<string>): string | undefined {
  if (kind.isBridge) return 'a bridge: its traffic is counted where it leaves the machine'
  if (kind.isBond) return 'a bond: its members are counted'
  const below = kind.lower.filter((name) => names.has(name))
  if (below.length > 0) return `carried by ${below.join(', ')}, which counts it`
  return kind.hasMaster && !kind.hasDevice ? 'a virtual port of a bridge' : undefined
}

export type InterfaceChoice = {
  readonly names: ReadonlySet<string>
  /** Set of the names of those reported network interfaces whose rates are added up to the machine's traffic. */
  readonly summedNames: ReadonlySet<string>
  readonly skipped: readonly SkippedPart[]
}

/**
 * Returns the interfaces to report (`names`), and those whose sum is the machine's traffic (`summedNames`). Tunnels are reported but not
 * summed, unless nothing else remains, because their packets also pass another interface. But a configured list of names to report selects
 * exactly these, of any type, and all are summed.
 */
export function chooseInterfaces(
  all: ReadonlyMap<string, InterfaceCounters>,
  filter: NameFilter | undefined,
  kindOf: (name: string) => InterfaceKind,
): InterfaceChoice {
  const names = new Set<string>()
  const isExact = filter?.mode === 'only'
  const skipped: SkippedPart[] = []
  const present = new Set(all.keys())
  for (const [what, counters] of all) {
    const why = reasonByName(what, counters, filter) ?? (isExact ? undefined : reasonByKind(kindOf(what), present))
    if (why === undefined) names.add(what)
    else skipped.push({ what, why })
  }
  const carriers = isExact ? names : new Set([...names].filter((name) => !kindOf(name).isTunnel))
  return { names, summedNames: carriers.size > 0 ? carriers : names, skipped }
}

/**
 * Upper limit of a plausible network rate: 1 Tbit/s, in bytes per second. Links of 800 Gbit/s exist; a higher rate means an invalid
 * counter.
 */
const MAX_BYTES_PER_SECOND = 125_000_000_000

/**
 * Factor, 2, by which a network rate may exceed the adapter's announced speed: emulated adapters exceed theirs, and the times of two
 * readings are not exact.
 */
const SPEED_MARGIN = 2

/**
 * Reads the link speed of a network interface and returns the highest plausible rate in bytes per second: twice that speed, at most 1
 * Tbit/s. It is 1 Tbit/s for virtual interfaces, which report arbitrary speeds, and without a reported speed.
 */
export function readMostBytesPerSecond(source: ProcSource, name: string, { hasDevice }: InterfaceKind): number {
  const megabits = hasDevice ? parseCounter(source.trySys(`class/net/${name}/speed`)?.trim()) : undefined
  return megabits === undefined || megabits === 0 ? MAX_BYTES_PER_SECOND : Math.min(MAX_BYTES_PER_SECOND, megabits * 125_000 * SPEED_MARGIN)
}
