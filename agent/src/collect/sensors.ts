import type { ProcSource } from '../source/proc-source.ts'
import { isListed, type NameFilter } from '../text/glob.ts'
import type { Collector } from './collector.ts'

export type SensorReading = { readonly name: string; readonly celsius: number }

/** Where one sensor is read, and its name. */
export type SensorPlace = { readonly name: string; readonly inputPath: string }

export type TemperatureFamilies = { readonly temperatures: Readonly<Record<string, number>>; readonly dashboardCelsius: number }

export type SensorOptions = {
  readonly filter: NameFilter | undefined
  /** The sensor that stands for the machine; without one the hottest does. */
  readonly primary: string | undefined
}

/** The kernel writes thousandths of a degree; kernel Documentation/hwmon/sysfs-interface.rst. */
export function parseCelsius(text: string): number | undefined {
  const value = /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value / 1000 : undefined
}

/** Drivers that write whole degrees or tenths land below 1 °C; they are scaled to where a machine's temperature is. */
export function plausibleCelsius(celsius: number): number | undefined {
  const scaled = celsius > 0 && celsius < 1 ? rescaled(celsius) : celsius
  return scaled > 0 && scaled < 200 ? scaled : undefined
}

const rescaled = (celsius: number): number => (!isUsual(celsius * 100) && isUsual(celsius * 1000) ? celsius * 1000 : celsius * 100)
const isUsual = (celsius: number): boolean => celsius >= 15 && celsius <= 95

/** Usable readings by name. A name that occurs again gets its place in the whole list, so that it stays the same. */
export function temperaturesByName(readings: readonly SensorReading[], filter: NameFilter | undefined): Record<string, number> {
  const byName: Record<string, number> = {}
  readings.forEach(({ name, celsius }, index) => {
    const usable = plausibleCelsius(celsius)
    if (usable === undefined) return
    const unique = Object.hasOwn(byName, name) ? `${name}_${index}` : name
    byName[unique] = usable
  })
  if (filter === undefined) return byName
  return Object.fromEntries(Object.entries(byName).filter(([name]) => isListed(filter, name) === (filter.mode === 'only')))
}

export function temperatureFamilies(
  readings: readonly SensorReading[],
  { filter, primary }: SensorOptions,
): TemperatureFamilies | undefined {
  const temperatures = temperaturesByName(readings, filter)
  const values = Object.values(temperatures)
  if (values.length === 0) return undefined
  const own = primary === undefined ? undefined : temperatures[primary]
  return { temperatures, dashboardCelsius: own ?? Math.max(...values) }
}

const INPUT = /^temp\d+_input$/

/** Sensors of the hardware monitors (of old drivers one folder down), else of the thermal zones; in lexical order. */
export function findSensors(source: ProcSource): readonly SensorPlace[] {
  const chips = source
    .listSys('class/hwmon')
    .filter((name) => name.startsWith('hwmon'))
    .map((name) => `class/hwmon/${name}`)
  const direct = chips.flatMap((chip) => chipSensors(source, chip, chip))
  if (direct.length > 0) return direct
  const nested = chips.flatMap((chip) => chipSensors(source, chip, `${chip}/device`))
  if (nested.length > 0) return nested
  return source
    .listSys('class/thermal')
    .filter((name) => name.startsWith('thermal_zone'))
    .map((zone) => ({ name: source.trySys(`class/thermal/${zone}/type`)?.trim() ?? zone, inputPath: `class/thermal/${zone}/temp` }))
}

function chipSensors(source: ProcSource, chip: string, folder: string): readonly SensorPlace[] {
  const inputs = source.listSys(folder).filter((name) => INPUT.test(name))
  if (inputs.length === 0) return []
  const chipName = (source.trySys(`${chip}/name`) ?? source.trySys(`${folder}/name`))?.trim() ?? chip.slice(chip.lastIndexOf('/') + 1)
  return inputs.map((input) => {
    const label =
      source
        .trySys(`${folder}/${input.replace('_input', '_label')}`)
        ?.trim()
        .toLowerCase()
        .replaceAll(' ', '_') ?? ''
    return { name: label === '' ? chipName : `${chipName}_${label}`, inputPath: `${folder}/${input}` }
  })
}

/** Sensors appear when a module is loaded; looking costs more than reading, so it is done this often. */
const DISCOVERY_MS = 10 * 60 * 1000

export function sensorsCollector(source: ProcSource, options: SensorOptions): Collector<TemperatureFamilies> {
  let places: readonly SensorPlace[] = []
  let foundAtMs: number | undefined
  return {
    name: 'temperatures',
    collect: ({ atMs }) => {
      if (foundAtMs === undefined || atMs - foundAtMs >= DISCOVERY_MS) {
        places = findSensors(source)
        foundAtMs = atMs
      }
      // One faulty sensor is left out; its place keeps the numbering of the others.
      const readings = places.map(({ name, inputPath }) => ({ name, celsius: parseCelsius(source.trySys(inputPath) ?? '') ?? 0 }))
      return temperatureFamilies(readings, options)
    },
  }
}
