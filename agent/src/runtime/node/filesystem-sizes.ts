import { statfsSync, type StatsFs } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { FilesystemFacts } from '../runtime.ts'
import { mountOf, parseMountInfo, type Mount } from '../../text/mount-info.ts'
import { readLink, readText } from './files.ts'

/** Set of the names of filesystem types whose size the kernel knows without I/O. All others may wait for a server or a FUSE program. */
const LOCAL = new Set(
  (
    'bcachefs btrfs cramfs devtmpfs erofs exfat ext2 ext3 ext4 f2fs hfsplus iso9660 jffs2 jfs msdos nilfs2 ntfs ntfs3 overlay ' +
    'ramfs reiserfs rootfs squashfs tmpfs ubifs udf ufs vfat xfs zfs'
  ).split(' '),
)

/**
 * Maximum age in ms, 150,000, of a cached filesystem size. When no refresh has succeeded for longer, the mount counts as dead and its size
 * as unknown.
 */
const KEPT_MS = 150_000

/** Cache time in ms, 5 s, of the mount table, so that the sizes of many filesystems need one read of it. */
const MOUNTS_KEPT_MS = 5000

/**
 * Maximum number of statfs(2) calls that may be pending: 2. Each occupies a thread of libuv's pool until its mount responds, so at the
 * limit no further size is refreshed.
 */
const MAX_WAITING = 2

export type SizeSources = {
  /** Returns the content of /proc/self/mountinfo, proc(5); `null` where the system has none. */
  readonly mountInfo: () => string | null
  /** Returns the target of a symbolic link; `null` if the path is not a link. */
  readonly readLink: (path: string) => string | null
  readonly atOnce: (path: string) => FilesystemFacts | null
  readonly offTheLoop: (path: string) => Promise<FilesystemFacts | null>
  readonly nowMs: () => number
}

export type FilesystemSizes = {
  readonly of: (path: string) => FilesystemFacts | null
  /**
   * Returns true while a dead mount blocks a thread of this process. Node waits for its threads before it exits, so it could not exit
   * normally.
   */
  readonly isWaiting: () => boolean
}

/**
 * Creates a reader of filesystem sizes, statfs(2), that a dead network mount cannot block. Local filesystems are read at once. Any other
 * filesystem's size comes from a cache (at most 150 s old). Each call starts a refresh in the background, unless one for its path or 2 in
 * all are pending. The first call for such a filesystem returns `null`.
 */
export function filesystemSizes(sources: SizeSources): FilesystemSizes {
  const known = new Map<string, { readonly facts: FilesystemFacts; readonly readAtMs: number }>()
  const waiting = new Set<string>()
  let mounts: readonly Mount[] | undefined
  let mountText: string | null = null
  let mountsReadAtMs = Number.NEGATIVE_INFINITY

  const isLocal = (path: string): boolean => {
    if (sources.nowMs() - mountsReadAtMs > MOUNTS_KEPT_MS) {
      mountsReadAtMs = sources.nowMs()
      const text = sources.mountInfo()
      if (text !== mountText) mounts = text === null ? undefined : parseMountInfo(text)
      mountText = text
    }
    return mounts === undefined || leadsLocally(mounts, path, sources.readLink)
  }

  const ask = async (path: string): Promise<void> => {
    if (waiting.has(path) || waiting.size >= MAX_WAITING) return
    waiting.add(path)
    const facts = await sources.offTheLoop(path)
    waiting.delete(path)
    if (facts === null) known.delete(path)
    else known.set(path, { facts, readAtMs: sources.nowMs() })
  }

  return {
    of: (path) => {
      if (isLocal(path)) return sources.atOnce(path)
      void ask(path)
      const last = known.get(path)
      return last !== undefined && sources.nowMs() - last.readAtMs <= KEPT_MS ? last.facts : null
    },
    isWaiting: () => waiting.size > 0,
  }
}

/**
 * Maximum number of symbolic links, 40, that are followed in one path, as in the kernel's path_resolution(7). A path with more counts as
 * local, because the kernel refuses it at once.
 */
const MAX_LINKS = 40

/**
 * Returns true when a path leads to a local filesystem. The path is resolved name by name, and nothing on a filesystem that is not local is
 * accessed. Also true without a known mount, and for more than 40 symbolic links.
 */
export function leadsLocally(mounts: readonly Mount[], path: string, readLink: SizeSources['readLink']): boolean {
  const names = path.split('/').toReversed()
  let at = ''
  let links = 0
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    if (name === '' || name === '.') continue
    if (name === '..') {
      at = at.slice(0, Math.max(0, at.lastIndexOf('/')))
      continue
    }
    const next = `${at}/${name}`
    const mount = mountOf(mounts, next)
    if (mount !== undefined && !LOCAL.has(mount.filesystem)) return false
    const target = readLink(next)
    if (target === null) at = next
    else {
      if (++links > MAX_LINKS) return true
      if (target.startsWith('/')) at = ''
      names.push(...target.split('/').toReversed())
    }
  }
  const mount = mountOf(mounts, at === '' ? '/' : at)
  return mount === undefined || LOCAL.has(mount.filesystem)
}

const toFacts = ({ bsize, blocks, bfree, bavail, files, ffree }: StatsFs): FilesystemFacts => ({
  totalBytes: blocks * bsize,
  freeBytes: bfree * bsize,
  availableBytes: bavail * bsize,
  // Filesystems without a fixed inode table, such as btrfs and FAT, report 0.
  ...(files > 0 ? { totalInodes: files, freeInodes: ffree } : {}),
})

/** Functions that read the running system for filesystem sizes: its mount table, symbolic links and statfs(2). */
export const systemSizes: SizeSources = {
  mountInfo: () => readText('/proc/self/mountinfo', 4 * 1024 * 1024),
  readLink,
  atOnce: (path) => {
    try {
      return toFacts(statfsSync(path))
    } catch {
      // `null` is the runtime's result for every expected failure of a read.
      return null
    }
  },
  offTheLoop: (path) => statfs(path).then(toFacts, () => null),
  nowMs: () => performance.now(),
}
