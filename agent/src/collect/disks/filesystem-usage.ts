import type { DiskSample } from '@vedette/protocol/metrics/sample'
import type { FilesystemFacts } from '../../runtime/runtime.ts'

/**
 * Size and use of any filesystem; `undefined` for one without a size. Its used share is that of what unprivileged users can fill, as df(1)
 * shows it: the reserve of root counts as neither, so a filesystem that takes no more files is at 100 %.
 */
export function filesystemUsage(facts: FilesystemFacts): DiskSample | undefined {
  if (!(facts.totalBytes > 0)) return undefined
  const usedBytes = usedBytesOf(facts)
  const fillable = usedBytes + facts.availableBytes
  return { ...sizes(facts, usedBytes), ...(fillable > 0 ? { usedPercent: Math.min(100, (usedBytes / fillable) * 100) } : {}) }
}

/** A file server may announce more free space than there is. */
const usedBytesOf = ({ totalBytes, freeBytes }: FilesystemFacts): number => Math.max(0, totalBytes - freeBytes)

function sizes({ totalBytes, totalInodes, freeInodes }: FilesystemFacts, usedBytes: number): DiskSample {
  if (totalInodes === undefined || freeInodes === undefined) return { totalBytes, usedBytes }
  return { totalBytes, usedBytes, inodesTotal: totalInodes, inodesUsed: Math.max(0, totalInodes - freeInodes) }
}

/** Sizes this close are of one filesystem that is shown twice. */
const SAME_BYTES = 16 * 1024 * 1024

export const isSameFilesystem = (one: FilesystemFacts, other: FilesystemFacts): boolean =>
  Math.abs(one.totalBytes - other.totalBytes) <= SAME_BYTES && Math.abs(usedBytesOf(one) - usedBytesOf(other)) <= SAME_BYTES
