import type { Mount } from '../../text/mount-info.ts'
import { areRelated, baseName, busiest, deviceCalled, deviceOf, type LabelOf } from './device-names.ts'
import type { DiskCounters } from './disk-counters.ts'
import { isLayered, liesOnHostDisk, pathTo, type Mounts } from './mounts.ts'

/**
 * Filesystem that represents the machine's main disk ("root disk"): where to read its size and I/O counters, and why it was selected
 * (text).
 */
export type RootDisk = {
  /** Path at which the size of the root filesystem is read with statfs(2); `undefined` when the agent has no access to it. */
  readonly path: string | undefined
  /** Name of the block device whose counters are the root filesystem's I/O, such as `sda1`; `undefined` when none has counters. */
  readonly device: string | undefined
  /** Device number of the root filesystem as text `major:minor`, from mountinfo; `undefined` when unknown. */
  readonly deviceNumber: string | undefined
  /** Path of the machine's root folder inside the agent's container, such as `/host`; empty string when it is not mounted there. */
  readonly folder: string
  /** Text: source of the root filesystem's mount, such as `/dev/sda1` or the dataset `rpool/ROOT/debian`; `undefined` when unknown. */
  readonly source: string | undefined
  readonly reason: string
}

export type RootDiskFacts = {
  readonly mounts: Mounts
  readonly devices: readonly DiskCounters[]
  readonly rootMountPoint: string
  /** Mount of the machine's root folder inside the agent's container, such as at `/host`; `undefined` when there is none. */
  readonly hostRoot: Mount | undefined
  /** Text of the option FILESYSTEM: device, partition, label or mount point of the main disk; `undefined` to detect the main disk. */
  readonly filesystem: string | undefined
  readonly labelOf: LabelOf
  /**
   * True when the agent runs in a container guest such as LXC. The busiest block device of the machine may then belong to another guest, so
   * it is not chosen as the main disk.
   */
  readonly isGuest: boolean
}

/**
 * Selects the filesystem that represents the machine's main disk, and returns it. Order: the configured one, the machine's root mounted
 * into the agent's container, the mount at the root. Then follow the disk of a container's bind-mounted files, and the root with the
 * busiest device's I/O (none in a guest).
 */
export function selectRootDisk(facts: RootDiskFacts): RootDisk {
  const configured = configuredDisk(facts)
  if (configured !== undefined) return configured
  const chosen = hostDisk(facts) ?? mountedDisk(facts) ?? lastResort(facts)
  return facts.filesystem === undefined
    ? chosen
    : { ...chosen, reason: `${chosen.reason}; FILESYSTEM names ${facts.filesystem}, which is not there` }
}

function configuredDisk(facts: RootDiskFacts): RootDisk | undefined {
  const { filesystem, mounts, devices, rootMountPoint, labelOf } = facts
  if (filesystem === undefined) return undefined
  const wanted = baseName(filesystem)
  const ofDevices = mounts.machine.filter(({ source }) => source.startsWith('/dev'))
  const mount =
    mounts.machine.findLast((one) => one.mountPoint === filesystem) ??
    ofDevices.find((one) => baseName(one.source) === wanted) ??
    ofDevices.find((one) => labelled(deviceOf(one, devices, labelOf), wanted, labelOf)) ??
    ofDevices.find((one) => areRelated(baseName(one.source), wanted))
  if (mount !== undefined) return onMount(facts, mount, `FILESYSTEM names ${filesystem}`)
  const device = deviceCalled(wanted, devices, labelOf)
  if (device === undefined) return undefined
  const reason = `FILESYSTEM names ${filesystem}, which is not mounted: size of ${rootMountPoint}`
  return { path: rootMountPoint, device: device.name, deviceNumber: device.number, folder: '', source: undefined, reason }
}

const labelled = (device: DiskCounters | undefined, wanted: string, labelOf: LabelOf): boolean =>
  device !== undefined && (device.name === wanted || labelOf(device) === wanted)

function hostDisk(facts: RootDiskFacts): RootDisk | undefined {
  const { hostRoot } = facts
  return hostRoot && onMount(facts, hostRoot, `the machine's root is mounted at ${hostRoot.mountPoint}`)
}

function mountedDisk(facts: RootDiskFacts): RootDisk | undefined {
  const { mounts, devices, rootMountPoint, labelOf } = facts
  const roots = mounts.machine.filter((one) => one.mountPoint === rootMountPoint).toReversed()
  for (const mount of roots) {
    if (deviceOf(mount, devices, labelOf) !== undefined) return onMount(facts, mount, `mounted at ${rootMountPoint}`)
  }
  const mark = mounts.machine.filter(liesOnHostDisk).find((one) => deviceOf(one, devices, labelOf) !== undefined)
  if (mark === undefined) return undefined
  return { ...onMount(facts, mark, `${mark.mountPoint} of the container lies on it`), path: rootMountPoint }
}

function lastResort({ mounts, devices, rootMountPoint, isGuest }: RootDiskFacts): RootDisk {
  const mount = mounts.machine.findLast((one) => one.mountPoint === rootMountPoint)
  const shared = { deviceNumber: mount?.deviceNumber, folder: '', source: mount?.source }
  const path = mount === undefined || isLayered(mount) ? rootMountPoint : pathTo(mounts, mount)
  if (isGuest) return { path, device: undefined, ...shared, reason: 'no block device of its own: no disk I/O' }
  const device = busiest(devices)?.name
  return { path, device, ...shared, reason: device === undefined ? 'no block device has counters' : 'the busiest device' }
}

function onMount({ mounts, devices, labelOf, hostRoot }: RootDiskFacts, mount: Mount, reason: string): RootDisk {
  const path = mounts.own.includes(mount) ? mount.mountPoint : pathTo(mounts, mount)
  const { deviceNumber, source } = mount
  return { path, device: deviceOf(mount, devices, labelOf)?.name, deviceNumber, folder: hostRoot?.mountPoint ?? '', source, reason }
}
