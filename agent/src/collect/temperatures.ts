import type { Skipped } from '@vedette/protocol/metrics/diagnosis'
import { ownValue, setOwnValue } from '@vedette/protocol/own-value'
import type { ProcSource } from '../source/proc-source.ts'
import type { SlowReader } from '../source/slow-reader.ts'
import { isListed, type NameFilter } from '../text/glob.ts'
import { plainName } from '../text/plain-name.ts'
import type { Collector } from './collector.ts'
import { findMonitorInputs } from './hardware-monitors.ts'

export type SensorReading = {
  readonly name: string
  /** Path of its input, which distinguishes sensors with the same name. */
  readonly inputPath: string
  readonly celsius: number | undefined
  /** The sensor read 0 °C or less, or 1 °C or more, since the agent started: its readings are never rescaled. */
  readonly writesThousandths: boolean
}

/** Where one sensor is read, and its name. */
export type SensorPlace = { readonly name: string; readonly inputPath: string }

export type TemperatureFamilies = { readonly temperatures: Readonly<Record<string, number>>; readonly dashboardCelsius: number }

export type SensorOptions = {
  readonly filter: NameFilter | undefined
  /** The sensor that stands for the machine; without one the hottest does. */
  readonly primary: string | undefined
  /** Longest time for all of them together. */
  readonly timeoutMs: number
}

/** The kernel writes thousandths of a degree; kernel Documentation/hwmon/sysfs-interface.rst. */
export function parseCelsius(text: string): number | undefined {
  const value = /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value / 1000 : undefined
}

/** Industrial parts work to −40 °C. Inputs that nothing is connected to read −55, −62 or −128 °C. */
const COLDEST_CELSIUS = -50
const HOTTEST_CELSIUS = 200

/**
 * The temperature of a reading, or `undefined` for one that no machine has. Drivers that write whole degrees or tenths land between 0
 * and 1 °C; those readings are scaled to where a machine's temperature is, unless the driver is known to write thousandths.
 */
export function plausibleCelsius(celsius: number, writesThousandths: boolean): number | undefined {
  const scaled = isBetweenZeroAndOne(celsius) && !writesThousandths ? rescaled(celsius) : celsius
  return scaled > COLDEST_CELSIUS && scaled < HOTTEST_CELSIUS ? scaled : undefined
}

/** A value between 0 and 1 °C may be a correct one or one in the wrong unit. */
const isBetweenZeroAndOne = (celsius: number): boolean => celsius > 0 && celsius < 1

const rescaled = (celsius: number): number => (!isUsual(celsius * 100) && isUsual(celsius * 1000) ? celsius * 1000 : celsius * 100)
const isUsual = (celsius: number): boolean => celsius >= 15 && celsius <= 95

export type NamedTemperatures = { readonly byName: Readonly<Record<string, number>>; readonly skipped: readonly Skipped[] }

/**
 * Usable readings by name. A name that occurs again gets its place in the whole list. `names` holds the name that each input got when it was
 * first usable, and it keeps that: one that cannot be read leaves its name to no other.
 */
export function temperaturesByName(
  readings: readonly SensorReading[],
  filter: NameFilter | undefined,
  names: Map<string, string> = new Map(),
): NamedTemperatures {
  const byName: Record<string, number> = {}
  const skipped: Skipped[] = []
  const taken = new Set(names.values())
  readings.forEach(({ name, inputPath, celsius, writesThousandths }, index) => {
    const usable = celsius === undefined ? undefined : plausibleCelsius(celsius, writesThousandths)
    if (usable === undefined) {
      skipped.push({ what: name, why: celsius === undefined ? 'cannot be read' : `${celsius} °C is not a temperature of a machine` })
      return
    }
    const unique = names.get(inputPath) ?? (taken.has(name) ? `${name}_${index}` : name)
    taken.add(unique)
    names.set(inputPath, unique)
    if (filter === undefined || isListed(filter, unique) === (filter.mode === 'only')) setOwnValue(byName, unique, usable)
    else skipped.push({ what: unique, why: 'left out by SENSORS' })
  })
  return { byName, skipped }
}

/** Sensors of the hardware monitors (of old drivers one folder down), else of the thermal zones; in lexical order. */
export function findSensors(source: ProcSource): readonly SensorPlace[] {
  const inputs = findMonitorInputs(source, 'temp', 'none found')
  if (inputs.length > 0) return inputs.map(({ chip, label, path }) => ({ name: sensorName(chip, label), inputPath: path }))
  return source
    .listSys('class/thermal')
    .filter((name) => name.startsWith('thermal_zone'))
    .map((zone) => ({
      name: plainName(source.trySys(`class/thermal/${zone}/type`) ?? '') || zone,
      inputPath: `class/thermal/${zone}/temp`,
    }))
}

const sensorName = (chip: string, label: string): string => (label === '' ? chip : `${chip}_${label.toLowerCase().replaceAll(' ', '_')}`)

/** Interval of the search for sensors: they appear when a module is loaded, and a search costs more than a reading. */
const DISCOVERY_MS = 10 * 60 * 1000

/**
 * A sensor that took this long twice in a row, or did not respond at all, is skipped until the next search for sensors. Once is not
 * enough: on a busy machine any reading may take as long.
 */
const SLOW_MS = 250

export function temperaturesCollector(source: ProcSource, read: SlowReader, options: SensorOptions): Collector<TemperatureFamilies> {
  let places: readonly SensorPlace[] = []
  let foundAtMs: number | undefined
  let latest: NamedTemperatures | undefined
  /** Skipped sensors, with the time of their last reading. */
  const slow = new Map<string, number>()
  let slowOnce: ReadonlySet<string> = new Set()
  const inThousandths = new Set<string>()
  const givenNames = new Map<string, string>()

  const readingOf = ({ name, inputPath }: SensorPlace, text: string): SensorReading => {
    const celsius = parseCelsius(text)
    if (celsius !== undefined && !isBetweenZeroAndOne(celsius)) inThousandths.add(inputPath)
    return { name, inputPath, celsius, writesThousandths: inThousandths.has(inputPath) }
  }

  /** Reads outside the loop: drivers of drives and buses wait for their device, for minutes when it does not respond. */
  const readAll = async (): Promise<TemperatureFamilies | undefined> => {
    const asked = places.filter(({ inputPath }) => !slow.has(inputPath))
    const texts = await read(
      asked.map(({ inputPath }) => inputPath),
      options.timeoutMs,
    )
    const byPath = new Map(asked.map(({ inputPath }, index) => [inputPath, texts[index]]))
    const late = [...byPath].flatMap(([path, text]) => (text !== undefined && text.tookMs > SLOW_MS ? [{ path, ...text }] : []))
    for (const { path, text, tookMs } of late) if (text === null || slowOnce.has(path)) slow.set(path, tookMs)
    slowOnce = new Set(late.map(({ path }) => path))
    // One faulty sensor is left out; its place keeps the numbering of the others.
    latest = temperaturesByName(
      places.map((place) => readingOf(place, byPath.get(place.inputPath)?.text ?? '')),
      options.filter,
      givenNames,
    )
    const values = Object.values(latest.byName)
    if (values.length === 0) return undefined
    const own = options.primary === undefined ? undefined : ownValue(latest.byName, options.primary)
    return { temperatures: latest.byName, dashboardCelsius: own ?? Math.max(...values) }
  }

  return {
    name: 'temperatures',
    collect: ({ atMs }) => {
      if (foundAtMs === undefined || atMs - foundAtMs >= DISCOVERY_MS) {
        places = findSensors(source)
        slow.clear()
        const paths = new Set(places.map(({ inputPath }) => inputPath))
        for (const path of inThousandths) if (!paths.has(path)) inThousandths.delete(path)
        for (const path of givenNames.keys()) if (!paths.has(path)) givenNames.delete(path)
        foundAtMs = atMs
      }
      return places.length === 0 ? undefined : readAll()
    },
    report: () => {
      const late = [...slow].map(([what, tookMs]) => ({ what, why: `took ${Math.round(tookMs)} ms: not asked for ten minutes` }))
      const skipped = [...(latest?.skipped ?? []), ...late]
      const names = Object.keys(latest?.byName ?? {})
      return names.length === 0 ? { skipped } : { found: names.join(', '), skipped }
    },
  }
}
