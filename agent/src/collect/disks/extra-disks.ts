import type { SkippedPart } from '@vedette/protocol/metrics/diagnosis'
import type { DiskSample } from '@vedette/protocol/metrics/sample'
import { setOwnValue } from '@vedette/protocol/own-value'
import type { FilesystemFacts } from '../../runtime/runtime.ts'
import type { ProcSource } from '../../source/proc-source.ts'
import { plainName } from '../../text/plain-name.ts'
import { createBaselines, replaceBaseline } from '../baselines.ts'
import type { Collector } from '../collector.ts'
import type { DiskCounterReader, DiskCounters } from './disk-counters.ts'
import type { DiskLayout } from './disk-layout.ts'
import { diskRates } from './disk-rates.ts'
import type { ExtraFilesystem } from './extra-filesystems.ts'
import { filesystemUsage, isSameFilesystem } from './filesystem-usage.ts'

export type ExtraDisks = Readonly<Record<string, DiskSample>>

type Reading = { readonly devices: ReadonlyMap<string, DiskCounters>; readonly takenAtMs: number }
type Size = { readonly facts: FilesystemFacts | undefined; readonly readAtMs: number }

/**
 * Creates the collector of size, use, inodes and I/O of all measured filesystems except the root. Sizes are cached for `usageKeptMs` in ms
 * (0: no cache), so that sleeping disks stay asleep. A filesystem without a readable size, or without an own device and with the root's
 * size, is left out.
 */
export function extraDisksCollector(
  source: ProcSource,
  counters: DiskCounterReader,
  layout: DiskLayout,
  usageKeptMs: number,
): Collector<ExtraDisks> {
  const baselines = createBaselines<Reading>()
  let sizes = new Map<string, Size>()
  let skipped: readonly SkippedPart[] = []

  const sizeOf = (path: string | undefined): FilesystemFacts | undefined => (path === undefined ? undefined : source.statfs(path))

  const sizeAt = (path: string, atMs: number): Size => {
    const known = sizes.get(path)
    const isFresh = known?.facts !== undefined && atMs - known.readAtMs < usageKeptMs
    return isFresh ? known : { facts: sizeOf(path), readAtMs: atMs }
  }

  return {
    name: 'extra filesystems',
    collect: ({ consumer, atMs }) => {
      const { root, extra } = layout.at(atMs)
      const { filesystems } = extra
      sizes = new Map(filesystems.map(({ path }) => [path, sizeAt(path, atMs)]))
      const rootFacts = filesystems.every(hasOwnDevice) ? undefined : sizeOf(root.path)
      const current = { devices: devicesOf(filesystems, counters(atMs)?.devices ?? []), takenAtMs: atMs }
      const previous = replaceBaseline(baselines, consumer, current)
      const disks: Record<string, DiskSample> = {}
      const left: SkippedPart[] = []
      for (const one of filesystems) {
        const facts = sizes.get(one.path)?.facts
        const usage = facts && filesystemUsage(facts)
        if (usage === undefined) left.push({ what: one.path, why: 'Cannot read its size' })
        else if (isRootAgain(one, facts, rootFacts)) left.push({ what: one.path, why: 'the same filesystem as the root disk, by its size' })
        else setOwnValue(disks, one.name, { ...usage, ...ratesOf(one, previous, current) })
      }
      skipped = left
      return Object.keys(disks).length === 0 ? undefined : disks
    },
    report: () => {
      const extra = layout.latest()?.extra
      const names = extra?.filesystems.map(({ name, path }) => `${name} (${plainName(path)})`) ?? []
      const all = [...skipped, ...(extra?.skipped ?? [])]
      return names.length === 0 ? { skipped: all } : { found: names.join(', '), skipped: all }
    },
  }
}

/**
 * Returns true when the filesystem lies on a block device of its own (major number other than 0). If so, a size equal to the root's does
 * not mean that it is the same filesystem.
 */
const hasOwnDevice = ({ deviceNumber }: ExtraFilesystem): boolean => deviceNumber !== undefined && !deviceNumber.startsWith('0:')

const isRootAgain = (one: ExtraFilesystem, facts: FilesystemFacts | undefined, rootFacts: FilesystemFacts | undefined): boolean =>
  facts !== undefined && rootFacts !== undefined && !hasOwnDevice(one) && isSameFilesystem(facts, rootFacts)

function devicesOf(filesystems: readonly ExtraFilesystem[], devices: readonly DiskCounters[]): ReadonlyMap<string, DiskCounters> {
  const wanted = new Set(filesystems.map(({ device }) => device))
  return new Map(devices.filter(({ name }) => wanted.has(name)).map((device) => [device.name, device]))
}

function ratesOf({ device }: ExtraFilesystem, previous: Reading | undefined, current: Reading): DiskSample | undefined {
  const name = device ?? ''
  const now = current.devices.get(name)
  const before = previous?.devices.get(name)
  if (previous === undefined || now === undefined || before === undefined) return undefined
  return diskRates({ counters: before, takenAtMs: previous.takenAtMs }, { counters: now, takenAtMs: current.takenAtMs })
}
