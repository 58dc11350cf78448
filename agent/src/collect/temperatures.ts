import type { SkippedPart } from '@vedette/protocol/metrics/diagnosis'
import { ownValue, setOwnValue } from '@vedette/protocol/own-value'
import type { ProcSource } from '../source/proc-source.ts'
import type { SlowReader } from '../source/slow-reader.ts'
import { isListed, type NameFilter } from '../text/glob.ts'
import { plainName } from '../text/plain-name.ts'
import type { Collector } from './collector.ts'
import { findMonitorInputs } from './hardware-monitors.ts'

export type SensorReading = {
  readonly name: string
  /** Path, relative to /sys, of the file that the sensor's temperature is read from. It distinguishes sensors with equal names. */
  readonly inputPath: string
  readonly celsius: number | undefined
  /**
   * True once the sensor has reported 0 °C or less, or 1 °C or more: its driver writes thousandths of a degree. Otherwise readings between
   * 0 and 1 °C are multiplied by 100 or 1000.
   */
  readonly writesThousandths: boolean
}

/** Temperature sensor found in sysfs: its name, and the path of its input file relative to /sys. */
export type SensorPlace = { readonly name: string; readonly inputPath: string }

export type TemperatureFamilies = { readonly temperatures: Readonly<Record<string, number>>; readonly dashboardCelsius: number }

export type SensorOptions = {
  readonly filter: NameFilter | undefined
  /** Name of the sensor whose temperature stands for the whole machine; `undefined` for the hottest one. */
  readonly primary: string | undefined
  /** Timeout in ms for reading all temperature sensors together. */
  readonly timeoutMs: number
}

/**
 * Returns a temperature in °C from a text in thousandths of a degree, as the kernel writes it; kernel
 * Documentation/hwmon/sysfs-interface.rst. `undefined` when it is no number.
 */
export function parseCelsius(text: string): number | undefined {
  const value = /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value / 1000 : undefined
}

/**
 * Lower limit of a plausible temperature in °C, −50. Industrial parts work down to −40 °C; unconnected inputs report −55, −62 or −128 °C.
 */
const COLDEST_CELSIUS = -50
const HOTTEST_CELSIUS = 200

/**
 * Returns a plausible temperature in °C (above −50, below 200), else `undefined`. Drivers that write whole degrees or tenths appear to read
 * between 0 and 1 °C. Such a value is multiplied by 1000 or 100, unless the driver is known to write thousandths.
 */
export function plausibleCelsius(celsius: number, writesThousandths: boolean): number | undefined {
  const scaled = isBetweenZeroAndOne(celsius) && !writesThousandths ? rescaled(celsius) : celsius
  return scaled > COLDEST_CELSIUS && scaled < HOTTEST_CELSIUS ? scaled : undefined
}

/**
 * Returns true for a temperature between 0 and 1 °C (exclusive). Such a value is either correct, or its driver writes another unit than
 * thousandths of a degree.
 */
const isBetweenZeroAndOne = (celsius: number): boolean => celsius > 0 && celsius < 1

const rescaled = (celsius: number): number => (!isUsual(celsius * 100) && isUsual(celsius * 1000) ? celsius * 1000 : celsius * 100)
const isUsual = (celsius: number): boolean => celsius >= 15 && celsius <= 95

/** Returns a sensor's name, with its index as a suffix if the name is taken. If that is taken too, a higher number follows. */
function freeName(name: string, index: number, taken: ReadonlySet<string>): string {
  let free = name
  for (let suffix = index; taken.has(free); suffix++) free = `${name}_${suffix}`
  return free
}

export type NamedTemperatures = { readonly byName: Readonly<Record<string, number>>; readonly skipped: readonly SkippedPart[] }

/**
 * Returns an object from sensor name to plausible temperature in °C, and the sensors skipped as implausible, unreadable or excluded by
 * `filter`. A repeated name gets its index as a suffix. `names` stores the name of each input from its first usable reading, so that an
 * unreadable sensor keeps its name.
 */
export function temperaturesByName(
  readings: readonly SensorReading[],
  filter: NameFilter | undefined,
  names: Map<string, string> = new Map(),
): NamedTemperatures {
  const byName: Record<string, number> = {}
  const skipped: SkippedPart[] = []
  const taken = new Set(names.values())
  readings.forEach(({ name, inputPath, celsius, writesThousandths }, index) => {
    const usable = celsius === undefined ? undefined : plausibleCelsius(celsius, writesThousandths)
    if (usable === undefined) {
      skipped.push({ what: name, why: celsius === undefined ? 'cannot be read' : `${celsius} °C is not a temperature of a machine` })
      return
    }
    const unique = names.get(inputPath) ?? freeName(name, index, taken)
    taken.add(unique)
    names.set(inputPath, unique)
    if (filter === undefined || isListed(filter, unique) === (filter.mode === 'only')) setOwnValue(byName, unique, usable)
    else skipped.push({ what: unique, why: 'left out by SENSORS' })
  })
  return { byName, skipped }
}

/**
 * Finds the temperature sensors in sysfs and returns a list with name and path of each, in lexical order. The sensors are those of hwmon
 * chips, or without any the thermal zones.
 */
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

/**
 * Interval in ms, 10 min, of the search for temperature sensors. New ones appear when a kernel module is loaded, and a search costs more
 * than a reading.
 */
const DISCOVERY_MS = 10 * 60 * 1000

/**
 * Duration in ms of a sensor's reading above which it counts as slow: 250. A sensor that is slow twice in a row, or does not respond, is
 * skipped until the next search for sensors.
 */
const SLOW_MS = 250

export function temperaturesCollector(source: ProcSource, read: SlowReader, options: SensorOptions): Collector<TemperatureFamilies> {
  let places: readonly SensorPlace[] = []
  let foundAtMs: number | undefined
  let latest: NamedTemperatures | undefined
  /**
   * Sensors that responded slowly or not at all, and are skipped until the next search for sensors. It maps a sensor's input path to the
   * duration of its last reading in ms.
   */
  const skippedSensors = new Map<string, number>()
  let slowOnce: ReadonlySet<string> = new Set()
  const inThousandths = new Set<string>()
  const givenNames = new Map<string, string>()

  const readingOf = ({ name, inputPath }: SensorPlace, text: string): SensorReading => {
    const celsius = parseCelsius(text)
    if (celsius !== undefined && !isBetweenZeroAndOne(celsius)) inThousandths.add(inputPath)
    return { name, inputPath, celsius, writesThousandths: inThousandths.has(inputPath) }
  }

  /**
   * Reads all temperature sensors outside the event loop and resolves with the temperatures by name and the main one, `undefined` without
   * any. Drivers of drives and buses may wait for their device for minutes.
   */
  const readAll = async (): Promise<TemperatureFamilies | undefined> => {
    const asked = places.filter(({ inputPath }) => !skippedSensors.has(inputPath))
    const texts = await read(
      asked.map(({ inputPath }) => inputPath),
      options.timeoutMs,
    )
    const byPath = new Map(asked.map(({ inputPath }, index) => [inputPath, texts[index]]))
    const late = [...byPath].flatMap(([path, text]) => (text !== undefined && text.tookMs > SLOW_MS ? [{ path, ...text }] : []))
    for (const { path, text, tookMs } of late) if (text === null || slowOnce.has(path)) skippedSensors.set(path, tookMs)
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
        skippedSensors.clear()
        const paths = new Set(places.map(({ inputPath }) => inputPath))
        for (const path of inThousandths) if (!paths.has(path)) inThousandths.delete(path)
        for (const path of givenNames.keys()) if (!paths.has(path)) givenNames.delete(path)
        foundAtMs = atMs
      }
      return places.length === 0 ? undefined : readAll()
    },
    report: () => {
      const late = [...skippedSensors].map(([what, tookMs]) => ({ what, why: `took ${Math.round(tookMs)} ms: not asked for ten minutes` }))
      const skipped = [...(latest?.skipped ?? []), ...late]
      const names = Object.keys(latest?.byName ?? {})
      return names.length === 0 ? { skipped } : { found: names.join(', '), skipped }
    },
  }
}
