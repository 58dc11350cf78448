import type { AgedFamily } from '@vedette/protocol/metrics/sample'
import type { SystemInfo } from '@vedette/protocol/wire/info-json'
import { formatAge } from '../../format/duration.ts'
import type { NumberFormats } from '../../format/formats.ts'
import * as words from '../../words/messages.js'

const names: Readonly<Record<AgedFamily, () => string>> = {
  cpu: words.column_cpu,
  memory: words.column_memory,
  swap: words.column_memory,
  load: words.column_load,
  uptimeSeconds: words.column_uptime,
  rootDisk: words.column_disk,
  extraDisks: words.group_disks,
  network: words.column_network,
  temperatures: words.chart_temperature,
  fans: words.chart_fans,
  battery: words.chart_battery,
  batteries: words.chart_battery,
  gpus: words.group_gpus,
  pressure: words.chart_pressure,
  containers: words.containers,
  services: words.services,
  serviceCounts: words.services,
}

type Latest = Pick<SystemInfo, 'oldSeconds' | 'sampledAtMs'>

/**
 * Returns a map from the displayed name of a group of values, such as "Disks", to its age in ms at `nowMs`. It has only groups that are
 * older than the latest sample.
 */
export function oldAges({ oldSeconds, sampledAtMs }: Latest, nowMs: number, nameOf: (family: AgedFamily) => string) {
  const sinceSampleMs = nowMs - (sampledAtMs ?? nowMs)
  return new Map([...(oldSeconds ?? [])].map(([family, seconds]) => [nameOf(family), seconds * 1000 + sinceSampleMs]))
}

/**
 * Returns one line of text that lists the groups of values older than the latest sample, with their ages at `nowMs`. `undefined` when there
 * are none.
 */
export function oldReadings(latest: Latest, nowMs: number, formats: NumberFormats): string | undefined {
  if (latest.oldSeconds === undefined) return undefined
  const ages = oldAges(latest, nowMs, (family) => names[family]())
  return words.old_readings({ list: [...ages].map(([name, ageMs]) => `${name} ${formatAge(ageMs, formats)}`).join(', ') })
}
