import type { Mount } from '../../text/mount-info.ts'
import { isDevice, isLayered, isRemote } from './mounts.ts'

const list = (names: string): ReadonlySet<string> => new Set(names.split(' '))

/** Images that are full by nature. */
const images = list('cramfs erofs iso9660 romfs squashfs udf')

/** Filesystems that span devices of their own choice, and so have a number of their own (major 0). */
const spanning = list('bcachefs btrfs zfs')

const smallSystemPartitions = ['/boot', '/efi', '/esp', '/recovery']
const kernelPlaces = ['/proc', '/sys']

/** Inside these every image, layer and volume may be a filesystem; the folder itself may lie on a disk of its own. */
const engineFolders = ['/var/lib/docker', '/var/lib/containers', '/var/lib/containerd', '/var/lib/kubelet', '/var/lib/lxc', '/var/snap']

const LOOP_MAJOR = '7:'

const isIn = (places: readonly string[], place: string): boolean => places.some((one) => place === one || place.startsWith(`${one}/`))

type Rule = readonly [why: string, holds: (mount: Mount, place: string) => boolean]

const rules: readonly Rule[] = [
  ['no disk behind it', (_, place) => isIn(kernelPlaces, place)],
  ['layers of another filesystem', isLayered],
  ['on a server or behind a program, which may hang: name it in EXTRA_FILESYSTEMS', isRemote],
  ['a read-only image', ({ filesystem }) => images.has(filesystem)],
  ['an image file: its space is part of another filesystem', ({ deviceNumber }) => deviceNumber.startsWith(LOOP_MAJOR)],
  ['no disk behind it', (mount) => mount.deviceNumber.startsWith('0:') && !spanning.has(mount.filesystem) && !isDevice(mount)],
  ['part of a container: name it in EXTRA_FILESYSTEMS', (_, place) => engineFolders.some((one) => place.startsWith(`${one}/`))],
  ['small system partition', (_, place) => isIn(smallSystemPartitions, place)],
]

/**
 * Why a mount is not a disk of this machine that people watch; `undefined` when it is one. `place` is where the machine
 * has it, which in a container may differ from where it is seen. Looks only, asks nobody.
 */
export const reasonAgainst = (mount: Mount, place: string): string | undefined => rules.find(([, holds]) => holds(mount, place))?.[0]

/** The first part of a dataset's name; datasets of one pool share its space. */
export const poolOf = ({ filesystem, source }: Pick<Mount, 'filesystem' | 'source'>): string | undefined =>
  filesystem === 'zfs' ? source.split('/', 1)[0] : undefined
