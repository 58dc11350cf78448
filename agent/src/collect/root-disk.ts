import type { DiskCounters } from './disk-io.ts'
import type { Mount } from '../text/mount-info.ts'
import { liesOnHostDisk } from './mounts.ts'

/** Where the root filesystem's numbers are read: usage at a mount point, I/O from a device's counters. */
export type RootDisk = { readonly mountPoint: string; readonly device: string | undefined }

export type RootDiskFacts = {
  readonly mounts: readonly Mount[]
  readonly devices: readonly DiskCounters[]
  readonly rootMountPoint: string
  /** The configured device, partition or mount point. */
  readonly filesystem: string | undefined
}

/**
 * Which disk stands for the system, first that fits: the configured one, the one mounted at the root (or, in a container,
 * the one its bound files lie on), the busiest device.
 */
export function selectRootDisk(facts: RootDiskFacts): RootDisk {
  return configuredDisk(facts) ?? mountedDisk(facts) ?? { mountPoint: facts.rootMountPoint, device: busiest(facts.devices)?.name }
}

function configuredDisk({ filesystem, mounts, devices, rootMountPoint }: RootDiskFacts): RootDisk | undefined {
  if (filesystem === undefined) return undefined
  const wanted = baseName(filesystem)
  const mount =
    mounts.find((one) => one.mountPoint === filesystem) ??
    mounts.find((one) => one.source.startsWith('/dev') && baseName(one.source) === wanted) ??
    mounts.find((one) => one.source.startsWith('/dev') && areRelated(baseName(one.source), wanted))
  if (mount !== undefined) return { mountPoint: mount.mountPoint, device: deviceOf(mount, devices) }
  const device = deviceNamed(wanted, devices)
  return device === undefined ? undefined : { mountPoint: rootMountPoint, device: device.name }
}

function mountedDisk({ mounts, devices, rootMountPoint }: RootDiskFacts): RootDisk | undefined {
  const candidates = [...mounts.filter((one) => one.mountPoint === rootMountPoint), ...mounts.filter(liesOnHostDisk)]
  for (const mount of candidates) {
    const device = deviceOf(mount, devices)
    if (device !== undefined) return { mountPoint: rootMountPoint, device }
  }
  return undefined
}

/** The device number finds it under any name, /dev/root and device-mapper names included; btrfs and the like only have a name. */
function deviceOf(mount: Mount, devices: readonly DiskCounters[]): string | undefined {
  const byNumber = devices.find((device) => device.number === mount.deviceNumber)
  return (byNumber ?? (mount.source.startsWith('/dev') ? deviceNamed(baseName(mount.source), devices) : undefined))?.name
}

function deviceNamed(name: string, devices: readonly DiskCounters[]): DiskCounters | undefined {
  return devices.find((device) => device.name === name) ?? busiest(devices.filter((device) => areRelated(device.name, name)))
}

/** A disk and its partition, such as `nda0` and `nda0p2`. */
const areRelated = (one: string, other: string): boolean => one !== '' && other !== '' && (one.startsWith(other) || other.startsWith(one))

function busiest(devices: readonly DiskCounters[]): DiskCounters | undefined {
  const [first] = devices.toSorted((a, b) => bytesOf(b) - bytesOf(a) || operationsOf(b) - operationsOf(a) || (a.name < b.name ? -1 : 1))
  return first
}

const bytesOf = (device: DiskCounters): number => device.readBytes + device.writtenBytes
const operationsOf = (device: DiskCounters): number => device.reads + device.writes
const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
