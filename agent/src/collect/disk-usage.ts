import type { DiskSample } from '@vedette/protocol/metrics/sample'
import type { FilesystemFacts } from '../runtime.ts'
import type { ProcSource } from '../source/proc-source.ts'
import { SourceUnreadable } from '../source/source-unreadable.ts'
import type { Collector } from './collector.ts'

/** Used share of what unprivileged users can fill, as df(1) shows it: the reserve of root counts as neither. */
export function diskUsage({ totalBytes, freeBytes, availableBytes }: FilesystemFacts): DiskSample {
  const usedBytes = Math.max(0, totalBytes - freeBytes)
  const fillable = usedBytes + availableBytes
  return { totalBytes, usedBytes, ...(fillable > 0 ? { usedPercent: (usedBytes / fillable) * 100 } : {}) }
}

export function diskUsageCollector(source: ProcSource, mountPoint: () => string): Collector<DiskSample> {
  return {
    name: 'disk usage',
    collect: () => {
      const path = mountPoint()
      const facts = source.statfs(path)
      if (facts === undefined) throw new SourceUnreadable(`Cannot read the size of "${path}"`)
      return diskUsage(facts)
    },
  }
}
