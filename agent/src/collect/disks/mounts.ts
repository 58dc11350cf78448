import type { ProcSource } from '../../source/proc-source.ts'
import { SourceUnreadable } from '../../source/source-unreadable.ts'
import { parseMountInfo, type Mount } from '../../text/mount-info.ts'

/** The machine's mounts, and the mounts of the agent's own process. Inside a container the two differ. */
export type Mounts = {
  readonly machine: readonly Mount[]
  readonly own: readonly Mount[]
}

/** Both mountinfo texts, to detect changes. */
export type MountTexts = { readonly machine: string; readonly own: string }

/**
 * The machine's mounts are those of its first process; an agent in a container sees them when the host's /proc is mounted.
 * `isOneView`: both texts were the same the last time, so one file is read.
 */
export function readMountTexts(source: ProcSource, isOneView: boolean): MountTexts {
  const machine = source.machineMountInfo()
  if (machine === undefined) throw new SourceUnreadable('Cannot read what is mounted: neither 1/mountinfo nor self/mountinfo is readable')
  return { machine, own: isOneView ? machine : (source.tryProc('self/mountinfo') ?? machine) }
}

export function parseMounts({ machine, own }: MountTexts): Mounts {
  const parsed = parseMountInfo(machine)
  return { machine: parsed, own: own === machine ? parsed : parseMountInfo(own) }
}

/**
 * Path at which the agent can call statfs(2) for a mount of the machine: the same mount point, else any mount of the same
 * filesystem (by major:minor) in the agent's view. statfs(2) returns the size of the whole filesystem at each.
 */
export function pathTo({ machine, own }: Mounts, mount: Mount): string | undefined {
  if (own === machine) return mount.mountPoint
  const same = own.filter(({ deviceNumber }) => deviceNumber === mount.deviceNumber)
  return (same.find(({ mountPoint }) => mountPoint === mount.mountPoint) ?? same.find(({ root }) => root === mount.root) ?? same[0])
    ?.mountPoint
}

const containerMarks = ['/etc/hosts', '/etc/resolv.conf', '/etc/hostname']

/** Files that the engine binds into a container lie on the host's filesystem, so their mounts name its device. */
export const liesOnHostDisk = (mount: Mount): boolean => containerMarks.includes(mount.mountPoint) && mount.source.startsWith('/dev')

/** Filesystems that only combine others in layers; a container's root is one of these. */
const layered = new Set(['overlay', 'aufs', 'fuse.fuse-overlayfs', 'fuse-overlayfs'])
export const isLayered = (mount: Mount): boolean => layered.has(mount.filesystem)

/** Network filesystems, and those that a user-space program serves. */
const remote = new Set(
  '9p afs autofs ceph cifs coda davfs fuse glusterfs gfs2 lustre ncpfs nfs nfs4 orangefs smb3 smbfs virtiofs'.split(' '),
)

export const isDevice = ({ source }: Mount): boolean => source.startsWith('/dev/')
export const isRemote = (mount: Mount): boolean =>
  remote.has(mount.filesystem) || (mount.filesystem.startsWith('fuse.') && !isDevice(mount))

/**
 * The machine's root folder as mounted into the agent's container, such as /host: a mount with os-release(5) that is not
 * layered, while the agent's own root is.
 */
export function hostRootIn(own: readonly Mount[], source: ProcSource): Mount | undefined {
  const root = own.findLast(({ mountPoint }) => mountPoint === '/')
  if (root === undefined || !isLayered(root)) return undefined
  const hasSystem = ({ mountPoint }: Mount): boolean =>
    ['etc/os-release', 'usr/lib/os-release'].some((file) => source.own.exists(`${mountPoint}/${file}`))
  // Remote filesystems are skipped: a check for a file would block when the server does not respond.
  const isCandidate = (mount: Mount): boolean => mount.mountPoint !== '/' && !isLayered(mount) && !liesOnHostDisk(mount) && !isRemote(mount)
  return own.find((mount) => isCandidate(mount) && hasSystem(mount))
}

const immutable = [['silverblue', 'fedora'], ['coreos'], ['flatcar'], ['rhel-atomic'], ['centos-atomic']]

/** On image-based distributions `/` is a small read-only image and the disk is at /sysroot. */
export function rootMountPoint(source: ProcSource): string {
  const release = source.tryEtc('os-release')?.toLowerCase() ?? ''
  const isImage = immutable.some((words) => words.every((word) => release.includes(word))) || source.own.exists('/run/ostree')
  return isImage && source.own.exists('/sysroot') ? '/sysroot' : '/'
}
