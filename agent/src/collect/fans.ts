import type { SkippedPart } from '@vedette/protocol/metrics/diagnosis'
import type { ProcSource } from '../source/proc-source.ts'
import type { SlowReader } from '../source/slow-reader.ts'
import { parseCounter } from '../text/columns.ts'
import type { Collector } from './collector.ts'
import { findMonitorInputs } from './hardware-monitors.ts'

type Fan = { readonly name: string; readonly path: string }

/** Number (65,535) from which a fan's reported revolutions per minute mean "unknown", because no fan is as fast. */
const NO_RPM = 0xffff

/**
 * Parses a fan speed in revolutions per minute; 0 for a stopped fan. `undefined` for an unknown speed. Source: kernel
 * Documentation/hwmon/sysfs-interface.rst.
 */
export function parseRpm(text: string | undefined): number | undefined {
  const rpm = parseCounter(text?.trim())
  return rpm === undefined || rpm >= NO_RPM ? undefined : rpm
}

/**
 * Finds all fans of the machine in sysfs and returns a list with name and path of each. A name is chip and label, or chip and `fanN`; equal
 * names are numbered: `name (2)`.
 */
export function findFans(source: ProcSource): readonly Fan[] {
  const fans: Fan[] = []
  for (const { chip, label, input, path } of findMonitorInputs(source, 'fan', 'each')) {
    const name = `${chip}_${label === '' ? input : label}`
    const same = fans.filter((fan) => fan.name === name || fan.name.startsWith(`${name} (`)).length
    fans.push({ name: same === 0 ? name : `${name} (${same + 1})`, path })
  }
  return fans
}

/** Interval in ms of the search for fans in sysfs. New fans appear when a driver is loaded. */
const DISCOVERY_MS = 10 * 60 * 1000

/** Timeout of reading all fans, in ms. Fans respond at once, but a chip can hang. */
const READ_MS = 1000

export function fansCollector(source: ProcSource, read: SlowReader): Collector<Readonly<Record<string, number>>> {
  let fans: readonly Fan[] = []
  let foundAtMs: number | undefined
  let skipped: readonly SkippedPart[] = []

  const readAll = async (): Promise<Readonly<Record<string, number>> | undefined> => {
    const asked = fans
    const texts = await read(
      asked.map(({ path }) => path),
      READ_MS,
    )
    const readings = asked.map(({ name }, index) => ({ name, rpm: parseRpm(texts[index]?.text ?? undefined) }))
    skipped = readings.filter(({ rpm }) => rpm === undefined).map(({ name }) => ({ what: name, why: 'tells no speed of a fan' }))
    const known = readings.flatMap(({ name, rpm }) => (rpm === undefined ? [] : [[name, rpm] as const]))
    return known.length === 0 ? undefined : Object.fromEntries(known)
  }

  return {
    name: 'fans',
    collect: ({ atMs }) => {
      if (foundAtMs === undefined || atMs - foundAtMs >= DISCOVERY_MS) {
        fans = findFans(source)
        foundAtMs = atMs
      }
      return fans.length === 0 ? undefined : readAll()
    },
    report: () => (fans.length === 0 ? { skipped } : { found: fans.map(({ name }) => name).join(', '), skipped }),
  }
}
