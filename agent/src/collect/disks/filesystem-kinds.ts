import type { Mount } from '../../text/mount-info.ts'
import { isLayered } from './mounts.ts'

const list = (names: string): ReadonlySet<string> => new Set(names.split(' '))

/** Filesystems that live on a server, or whose size a program tells. */
const remote = list('9p afs autofs ceph cifs coda davfs glusterfs gfs2 lustre ncpfs nfs nfs4 orangefs smb3 smbfs virtiofs')

/** Images that are full by nature. */
const images = list('cramfs erofs iso9660 romfs squashfs udf')

/** Filesystems that span devices of their own choice, and so have a number of their own (major 0). */
const spanning = list('bcachefs btrfs zfs')

const smallSystemPartitions = ['/boot', '/efi', '/esp', '/recovery']

const LOOP_MAJOR = '7:'

/** Why a mount is not a disk of this machine that people watch; `undefined` when it is one. Looks only, asks nobody. */
export function reasonAgainst(mount: Mount): string | undefined {
  const { filesystem, deviceNumber, mountPoint, source } = mount
  if (isLayered(mount)) return 'layers of another filesystem'
  if (remote.has(filesystem) || (filesystem.startsWith('fuse.') && !source.startsWith('/dev/')))
    return 'on a server or behind a program, which may hang: name it in EXTRA_FILESYSTEMS'
  if (images.has(filesystem)) return 'a read-only image'
  if (deviceNumber.startsWith(LOOP_MAJOR)) return 'an image file: its space is part of another filesystem'
  if (deviceNumber.startsWith('0:') && !spanning.has(filesystem) && !source.startsWith('/dev/')) return 'no disk behind it'
  if (smallSystemPartitions.some((place) => mountPoint === place || mountPoint.startsWith(`${place}/`))) return 'small system partition'
  return undefined
}

/** The first part of a dataset's name; datasets of one pool share its space. */
export const poolOf = ({ filesystem, source }: Pick<Mount, 'filesystem' | 'source'>): string | undefined =>
  filesystem === 'zfs' ? source.split('/', 1)[0] : undefined
