import type { ProcSource } from '../../source/proc-source.ts'
import { SourceUnreadable } from '../../source/source-unreadable.ts'
import { parseMountInfo, type Mount } from '../../text/mount-info.ts'

/** What the machine has mounted, and what of it the agent itself can reach. Inside a container the two differ. */
export type Mounts = {
  readonly machine: readonly Mount[]
  readonly own: readonly Mount[]
}

/** Both texts, to tell whether anything was mounted since. */
export type MountTexts = { readonly machine: string; readonly own: string }

/**
 * The machine's mounts are those of its first process, which an agent in a container sees when it was given the host's
 * /proc. Where both were the same (`isOneView`) one of them is read.
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
 * Where the agent can ask for the size of the filesystem behind a mount of the machine: at the same place, else anywhere
 * that the same filesystem (by major:minor) is mounted for the agent. statfs(2) tells the whole filesystem's size at each.
 */
export function pathTo({ machine, own }: Mounts, mount: Mount): string | undefined {
  if (own === machine) return mount.mountPoint
  const same = own.filter(({ deviceNumber }) => deviceNumber === mount.deviceNumber)
  return (same.find(({ mountPoint }) => mountPoint === mount.mountPoint) ?? same.find(({ root }) => root === mount.root) ?? same[0])
    ?.mountPoint
}

const containerMarks = ['/etc/hosts', '/etc/resolv.conf', '/etc/hostname']

/** Files the engine binds into a container lie on the host's filesystem and so tell its device. */
export const liesOnHostDisk = (mount: Mount): boolean => containerMarks.includes(mount.mountPoint) && mount.source.startsWith('/dev')

/** Filesystems that only show others in layers: what a container takes for its root. */
const layered = new Set(['overlay', 'aufs', 'fuse.fuse-overlayfs', 'fuse-overlayfs'])
export const isLayered = (mount: Mount): boolean => layered.has(mount.filesystem)

/** Filesystems that live on a server, or whose answers a program gives. */
const remote = new Set(
  '9p afs autofs ceph cifs coda davfs fuse glusterfs gfs2 lustre ncpfs nfs nfs4 orangefs smb3 smbfs virtiofs'.split(' '),
)

export const isDevice = ({ source }: Mount): boolean => source.startsWith('/dev/')
export const isRemote = (mount: Mount): boolean =>
  remote.has(mount.filesystem) || (mount.filesystem.startsWith('fuse.') && !isDevice(mount))

/**
 * The machine's root folder as mounted into the agent's container, such as /host: the place with a system's files that
 * lies on a filesystem of its own while the agent's own root is layered.
 */
export function hostRootIn(own: readonly Mount[], source: ProcSource): Mount | undefined {
  const root = own.findLast(({ mountPoint }) => mountPoint === '/')
  if (root === undefined || !isLayered(root)) return undefined
  const hasSystem = ({ mountPoint }: Mount): boolean =>
    ['etc/os-release', 'usr/lib/os-release'].some((file) => source.own.exists(`${mountPoint}/${file}`))
  // A server that does not answer must not be looked at: the look would wait for it.
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
