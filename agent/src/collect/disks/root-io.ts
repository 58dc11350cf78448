import type { DiskSample } from '@vedette/protocol/metrics/sample'
import { SourceUnreadable } from '../../source/source-unreadable.ts'
import { createBaselines, replaceBaseline } from '../baselines.ts'
import type { Collector } from '../collector.ts'
import type { DiskCounterReader } from './disk-counters.ts'
import type { DiskLayout } from './disk-layout.ts'
import { diskRates, type DiskReading } from './disk-rates.ts'

/**
 * Creates the collector of the root filesystem's I/O rates, from the counters of its block device. It has no value without such a device.
 * It throws `SourceUnreadable` when the device is missing in /proc/diskstats, or that file has only malformed lines.
 */
export function rootIoCollector(counters: DiskCounterReader, layout: DiskLayout): Collector<DiskSample> {
  const baselines = createBaselines<DiskReading>()
  let measured: string | undefined
  let problems: readonly string[] = []
  return {
    name: 'disk I/O',
    collect: ({ consumer, atMs }) => {
      const stats = counters(atMs)
      problems = stats?.problems ?? []
      if (stats === undefined) return undefined
      const { device } = layout.at(atMs).root
      const found = stats.devices.find(({ name }) => name === device)
      if (found === undefined) {
        if (stats.devices.length === 0 && problems[0] !== undefined) throw new SourceUnreadable(problems[0])
        if (device !== undefined) throw new SourceUnreadable(`Cannot find "${device}", the root filesystem's device, in "/proc/diskstats"`)
        return undefined
      }
      if (measured !== found.name) baselines.clear()
      measured = found.name
      const current = { counters: found, takenAtMs: atMs }
      return diskRates(replaceBaseline(baselines, consumer, current), current)
    },
    report: () => {
      const root = layout.latest()?.root
      const skipped = problems.map((why) => ({ what: 'a line of /proc/diskstats', why }))
      if (root?.device === undefined)
        return { skipped: root === undefined ? skipped : [{ what: 'disk I/O', why: root.reason }, ...skipped] }
      return { found: `${root.device} (${root.reason})`, skipped }
    },
  }
}
