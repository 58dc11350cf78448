import type { DiskSample } from '@vedette/protocol/metrics/sample'
import type { FilesystemFacts } from '../../runtime/runtime.ts'

/**
 * Returns a filesystem's size, use and inodes; `undefined` for one without a size. As in df(1), the used percentage ignores the space
 * reserved for root, so 100 % means that unprivileged users have filled it. Absent: inodes when unknown, and the percentage when nothing is
 * used or available.
 */
export function filesystemUsage(facts: FilesystemFacts): DiskSample | undefined {
  if (!(facts.totalBytes > 0)) return undefined
  const usedBytes = usedBytesOf(facts)
  const fillable = usedBytes + facts.availableBytes
  return { ...sizes(facts, usedBytes), ...(fillable > 0 ? { usedPercent: Math.min(100, (usedBytes / fillable) * 100) } : {}) }
}

/**
 * Returns the used bytes of a filesystem, total minus free. It is at least 0, because a file server may report more free space than the
 * total.
 */
const usedBytesOf = ({ totalBytes, freeBytes }: FilesystemFacts): number => Math.max(0, totalBytes - freeBytes)

function sizes({ totalBytes, totalInodes, freeInodes }: FilesystemFacts, usedBytes: number): DiskSample {
  if (totalInodes === undefined || freeInodes === undefined) return { totalBytes, usedBytes }
  return { totalBytes, usedBytes, inodesTotal: totalInodes, inodesUsed: Math.max(0, totalInodes - freeInodes) }
}

/** Largest difference in bytes, of size and of use, at which two mounts count as the same filesystem: 16 MiB. */
const SAME_BYTES = 16 * 1024 * 1024

export const isSameFilesystem = (one: FilesystemFacts, other: FilesystemFacts): boolean =>
  Math.abs(one.totalBytes - other.totalBytes) <= SAME_BYTES && Math.abs(usedBytesOf(one) - usedBytesOf(other)) <= SAME_BYTES
