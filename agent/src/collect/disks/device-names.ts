import type { ProcSource } from '../../source/proc-source.ts'
import type { Mount } from '../../text/mount-info.ts'
import type { DiskCounters } from './disk-counters.ts'

/** Function that returns a block device's label: its device-mapper name, else the label of its filesystem. `undefined` when it has none. */
export type LabelOf = (device: DiskCounters) => string | undefined

/** Creates the function that looks up device labels. Sources: /sys/block/dm-N/dm/name and the database of udev. */
export const labelsIn =
  (source: ProcSource): LabelOf =>
  ({ name, number }) => {
    if (name.startsWith('dm-')) return source.trySys(`block/${name}/dm/name`)?.trim()
    const properties = source.own.tryText(`/run/udev/data/b${number}`) ?? ''
    return /^E:ID_FS_LABEL=(.+)$/m.exec(properties)?.[1]
  }

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/**
 * Returns the block device that a mount lies on; `undefined` when none has counters. Matched by `major:minor`, which works for /dev/root
 * and device-mapper names too. btrfs and similar filesystems are matched by name: device mapper, device, or its partition or whole disk.
 */
export function deviceOf(mount: Mount, devices: readonly DiskCounters[], labelOf: LabelOf): DiskCounters | undefined {
  const byNumber = devices.find((device) => device.number === mount.deviceNumber)
  if (byNumber !== undefined || !mount.source.startsWith('/dev/')) return byNumber
  const name = baseName(mount.source)
  if (mount.source.startsWith('/dev/mapper/')) return devices.find((device) => device.name.startsWith('dm-') && labelOf(device) === name)
  return devices.find((device) => device.name === name) ?? busiest(devices.filter((device) => areDiskAndPartition(device.name, name)))
}

/**
 * Returns the block device with this name or label, or whose name begins with it, such as `nvme0` for `nvme0n1`. The busiest of several
 * matches; `undefined` without one.
 */
export function deviceCalled(name: string, devices: readonly DiskCounters[], labelOf: LabelOf): DiskCounters | undefined {
  return (
    devices.find((device) => device.name === name) ??
    devices.find((device) => labelOf(device) === name) ??
    busiest(devices.filter((device) => areDiskAndPartition(device.name, name))) ??
    busiest(devices.filter((device) => areRelated(device.name, name)))
  )
}

export const areRelated = (one: string, other: string): boolean =>
  one !== '' && other !== '' && (one.startsWith(other) || other.startsWith(one))

/** Returns true when one name is a disk and the other its partition: `sda` and `sda1`, `nda0` and `nda0p2`; but not `sda1` and `sda10`. */
function areDiskAndPartition(one: string, other: string): boolean {
  const [disk, partition] = one.length < other.length ? [one, other] : [other, one]
  if (disk === '' || !partition.startsWith(disk)) return false
  const rest = partition.slice(disk.length)
  return /\d$/.test(disk) ? /^p\d+$/.test(rest) : /^\d+$/.test(rest)
}

/** Returns the block device with the most bytes moved, then the most operations, then the first name. `undefined` for an empty list. */
export function busiest(devices: readonly DiskCounters[]): DiskCounters | undefined {
  const [first] = devices.toSorted((a, b) => bytesOf(b) - bytesOf(a) || operationsOf(b) - operationsOf(a) || (a.name < b.name ? -1 : 1))
  return first
}

const bytesOf = (device: DiskCounters): number => device.readBytes + device.writtenBytes
const operationsOf = (device: DiskCounters): number => device.reads + device.writes
