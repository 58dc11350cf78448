import type { Mount } from '../../text/mount-info.ts'
import { isDevice, isLayered, isRemote } from './mounts.ts'

const list = (names: string): ReadonlySet<string> => new Set(names.split(' '))

/** Set of the filesystem types of read-only images, such as `squashfs`. They are always full, so they are not measured. */
const imageTypes = list('cramfs erofs iso9660 romfs squashfs udf')

/** Set of the types of filesystems that span several devices. Their device number has the major number 0. */
const multiDeviceTypes = list('bcachefs btrfs zfs')

const smallSystemPartitions = ['/boot', '/efi', '/esp', '/recovery']
const kernelPlaces = ['/proc', '/sys']

/**
 * List of the paths of the folders of container engines (Docker, Podman, containerd, kubelet, LXC) and snap. Mounts below them are images,
 * layers and volumes and are not measured; the folder itself may be a disk.
 */
const engineFolders = ['/var/lib/docker', '/var/lib/containers', '/var/lib/containerd', '/var/lib/kubelet', '/var/lib/lxc', '/var/snap']

const LOOP_MAJOR = '7:'

const isIn = (places: readonly string[], place: string): boolean => places.some((one) => place === one || place.startsWith(`${one}/`))

type Rule = readonly [why: string, holds: (mount: Mount, place: string) => boolean]

const rules: readonly Rule[] = [
  ['no disk behind it', (_, place) => isIn(kernelPlaces, place)],
  ['layers of another filesystem', isLayered],
  ['on a server or behind a program, which may hang: name it in EXTRA_FILESYSTEMS', isRemote],
  ['a read-only image', ({ filesystem }) => imageTypes.has(filesystem)],
  ['an image file: its space is part of another filesystem', ({ deviceNumber }) => deviceNumber.startsWith(LOOP_MAJOR)],
  ['no disk behind it', (mount) => mount.deviceNumber.startsWith('0:') && !multiDeviceTypes.has(mount.filesystem) && !isDevice(mount)],
  ['part of a container: name it in EXTRA_FILESYSTEMS', (_, place) => engineFolders.some((one) => place.startsWith(`${one}/`))],
  ['small system partition', (_, place) => isIn(smallSystemPartitions, place)],
]

/**
 * Returns the reason, as text, why a mount is not measured as a disk; `undefined` when it is measured. `place` is the mount point as the
 * machine sees it, which in a container can differ from the agent's view. Does no I/O.
 */
export const reasonAgainst = (mount: Mount, place: string): string | undefined => rules.find(([, holds]) => holds(mount, place))?.[0]

/**
 * Returns the name of the ZFS pool of a mount: the first part of its dataset's name. Datasets of one pool share its space. `undefined` for
 * a mount that is not ZFS.
 */
export const poolOf = ({ filesystem, source }: Pick<Mount, 'filesystem' | 'source'>): string | undefined =>
  filesystem === 'zfs' ? source.split('/', 1)[0] : undefined
