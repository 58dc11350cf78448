import type { ProcSource } from '../../source/proc-source.ts'
import { SourceUnreadable } from '../../source/source-unreadable.ts'
import { parseMountInfo, type Mount } from '../../text/mount-info.ts'

/**
 * Parsed mount tables (lists of mounts): `machine` has the mounts of the machine's first process, `own` those of the agent. The two differ
 * when the agent runs in a container.
 */
export type Mounts = {
  readonly machine: readonly Mount[]
  readonly own: readonly Mount[]
}

/**
 * Mount tables as unparsed mountinfo texts, proc(5), to detect changes. `machine` is that of the machine's first process, `own` that of the
 * agent.
 */
export type MountTexts = { readonly machine: string; readonly own: string }

/**
 * Reads the mount tables of the machine's first process and of the agent, as unparsed texts. With `isOneView` (both were equal the last
 * time), only one is read and returned for both. Throws `SourceUnreadable` when neither is readable.
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
 * Returns the path at which the agent can call statfs(2) for a mount of the machine. It is the same mount point if the agent sees that
 * mount there, else another mount of the same filesystem (by major:minor). `undefined` when the agent cannot see it.
 */
export function pathTo({ machine, own }: Mounts, mount: Mount): string | undefined {
  if (own === machine) return mount.mountPoint
  const same = own.filter(({ deviceNumber }) => deviceNumber === mount.deviceNumber)
  return (same.find(({ mountPoint }) => mountPoint === mount.mountPoint) ?? same.find(({ root }) => root === mount.root) ?? same[0])
    ?.mountPoint
}

const containerMarks = ['/etc/hosts', '/etc/resolv.conf', '/etc/hostname']

/**
 * Returns true for a mount of a file that Docker or Podman bind-mounts from the host's disk, such as /etc/hosts. Such a mount reveals the
 * disk's device.
 */
export const liesOnHostDisk = (mount: Mount): boolean => containerMarks.includes(mount.mountPoint) && mount.source.startsWith('/dev')

/** Set of the names of layered filesystem types: overlay and aufs with their variants. A container's root is one of these. */
const layeredTypes = new Set(['overlay', 'aufs', 'fuse.fuse-overlayfs', 'fuse-overlayfs'])
export const isLayered = (mount: Mount): boolean => layeredTypes.has(mount.filesystem)

/** Set of the names of filesystem types that need a network server or a user-space program (FUSE), such as `nfs4` and `fuse`. */
const remoteTypes = new Set(
  '9p afs autofs ceph cifs coda davfs fuse glusterfs gfs2 lustre ncpfs nfs nfs4 orangefs smb3 smbfs virtiofs'.split(' '),
)

export const isDevice = ({ source }: Mount): boolean => source.startsWith('/dev/')
export const isRemote = (mount: Mount): boolean =>
  remoteTypes.has(mount.filesystem) || (mount.filesystem.startsWith('fuse.') && !isDevice(mount))

/**
 * Returns the mount of the machine's root inside the agent's container, such as /host: a mount with os-release(5) that is neither layered
 * nor remote. `undefined` without one, and when the agent's own root is not layered.
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

/**
 * Returns the mount point of the machine's main disk: `/`, or `/sysroot` on image-based distributions, where `/` is a small read-only
 * image.
 */
export function rootMountPoint(source: ProcSource): string {
  const release = source.tryEtc('os-release')?.toLowerCase() ?? ''
  const isImage = immutable.some((words) => words.every((word) => release.includes(word))) || source.own.exists('/run/ostree')
  return isImage && source.own.exists('/sysroot') ? '/sysroot' : '/'
}
