import type { DiskSample } from '@vedette/protocol/metrics/sample'
import type { ProcSource } from '../../source/proc-source.ts'
import { SourceUnreadable } from '../../source/source-unreadable.ts'
import type { Collector } from '../collector.ts'
import type { DiskLayout } from './disk-layout.ts'
import { filesystemUsage } from './filesystem-usage.ts'

/**
 * Creates the collector of the root filesystem's size, use and inodes, read with statfs(2). It throws `SourceUnreadable` when the agent
 * cannot see the filesystem or read its size.
 */
export function rootUsageCollector(source: ProcSource, layout: DiskLayout): Collector<DiskSample> {
  const isReachable = () => layout.latest()?.root.path !== undefined
  return {
    name: 'disk usage',
    collect: ({ atMs }) => {
      const { root } = layout.at(atMs)
      if (root.path === undefined) {
        throw new SourceUnreadable(`Cannot read the size of the root disk: "${root.source}" is not mounted where the agent can see it`)
      }
      const facts = source.statfs(root.path)
      if (facts === undefined) throw new SourceUnreadable(`Cannot read the size of "${root.path}"`)
      return filesystemUsage(facts)
    },
    report: () => {
      const root = layout.latest()?.root
      if (root === undefined) return {}
      if (!isReachable()) return { remedy: 'Mount the root of the machine into the container: -v /:/host:ro,rslave' }
      return { found: `${root.path} (${root.reason})` }
    },
  }
}
