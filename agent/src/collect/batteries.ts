import type { SkippedPart } from '@vedette/protocol/metrics/diagnosis'
import type { BatterySample, BatteryState } from '@vedette/protocol/metrics/sample'
import { ownValue } from '@vedette/protocol/own-value'
import type { ProcSource } from '../source/proc-source.ts'
import { parseCounter } from '../text/columns.ts'
import { plainName } from '../text/plain-name.ts'
import type { Collector } from './collector.ts'

/**
 * Battery of the machine or of an attached device such as a mouse: name, charge and state. Source: /sys/class/power_supply, kernel
 * Documentation/ABI/testing/sysfs-class-power.
 */
export type Battery = {
  readonly name: string
  readonly folder: string
  /** Charge of the battery in percent of its capacity, 0 to 100. */
  readonly percent: number
  readonly state: BatteryState
  /** Capacity of the full battery in µAh or µWh; `undefined` when the battery does not report it, such as that of a mouse. */
  readonly fullCharge: number | undefined
  /** True for the battery of an attached device such as a mouse; false for a battery of the machine itself. */
  readonly isDevice: boolean
}

export type BatteryFamilies = { readonly battery: BatterySample; readonly batteries: Readonly<Record<string, number>> }

const states: Readonly<Record<string, BatteryState>> = {
  Full: 'full',
  Charging: 'charging',
  Discharging: 'discharging',
  'Not charging': 'idle',
}

const CLASS = 'class/power_supply'

export function readBatteries(source: ProcSource): { readonly batteries: readonly Battery[]; readonly skipped: readonly SkippedPart[] } {
  const batteries: Battery[] = []
  const skipped: SkippedPart[] = []
  for (const folder of source.listSys(CLASS)) {
    const read = (file: string): string | undefined => source.trySys(`${CLASS}/${folder}/${file}`)?.trim()
    if (read('type') !== 'Battery') continue
    const capacity = read('capacity')
    const percent = parseCounter(capacity)
    if (read('present') === '0') skipped.push({ what: folder, why: 'the bay is empty' })
    else if (percent === undefined)
      skipped.push({ what: folder, why: capacity === undefined ? 'tells no capacity' : 'its capacity is not a number' })
    else {
      batteries.push({
        name: uniqueName(nameOf(read('model_name') ?? read('model') ?? folder, batteries.length + 1), batteries),
        folder,
        percent: Math.min(100, percent),
        state: ownValue(states, read('status') ?? '') ?? 'unknown',
        fullCharge: parseCounter(read('charge_full')) ?? parseCounter(read('energy_full')),
        isDevice: read('scope') === 'Device',
      })
    }
  }
  return { batteries, skipped }
}

/**
 * Returns the displayed name of a battery: the name from its chip, cleaned because it may contain any bytes, or `Battery N` when that is
 * empty.
 */
const nameOf = (told: string, number: number): string => plainName(told) || `Battery ${number}`

function uniqueName(name: string, others: readonly Battery[]): string {
  const isTaken = (one: string): boolean => others.some((other) => other.name === one)
  for (let number = 2, unique = name; ; number++) {
    if (!isTaken(unique)) return unique
    unique = `${name} (${number})`
  }
}

/**
 * Returns the battery that represents the machine in a sample: the one with the largest capacity. Of equal ones, the machine's own battery
 * comes before a device's, then the first by name. `undefined` when there is no battery.
 */
export function primaryBattery(batteries: readonly Battery[]): Battery | undefined {
  const [first] = batteries.toSorted(
    (a, b) => (b.fullCharge ?? -1) - (a.fullCharge ?? -1) || Number(a.isDevice) - Number(b.isDevice) || (a.name < b.name ? -1 : 1),
  )
  return first
}

/**
 * Cache time in ms of battery readings: 10 s. The charge does not change within seconds, and some battery chips need milliseconds to
 * respond.
 */
const KEPT_MS = 10_000

export function batteriesCollector(source: ProcSource): Collector<BatteryFamilies> {
  let latest: ReturnType<typeof readBatteries> = { batteries: [], skipped: [] }
  let readAtMs: number | undefined
  return {
    name: 'batteries',
    collect: ({ atMs }) => {
      if (readAtMs === undefined || atMs - readAtMs >= KEPT_MS) {
        latest = readBatteries(source)
        readAtMs = atMs
      }
      const primary = primaryBattery(latest.batteries)
      if (primary === undefined) return undefined
      return {
        battery: { percent: primary.percent, state: primary.state },
        batteries: Object.fromEntries(latest.batteries.map(({ name, percent }) => [name, percent])),
      }
    },
    report: () => {
      const { batteries, skipped } = latest
      return batteries.length === 0 ? { skipped } : { found: batteries.map(({ name }) => name).join(', '), skipped }
    },
  }
}
