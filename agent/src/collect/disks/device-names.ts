import type { ProcSource } from '../../source/proc-source.ts'
import type { Mount } from '../../text/mount-info.ts'
import type { DiskCounters } from './disk-counters.ts'

/** The name a person may know a device by: that of the device mapper, else the label of its filesystem. */
export type LabelOf = (device: DiskCounters) => string | undefined

/** Source: /sys/block/dm-N/dm/name, and the database of udev. */
export const labelsIn =
  (source: ProcSource): LabelOf =>
  ({ name, number }) => {
    if (name.startsWith('dm-')) return source.trySys(`block/${name}/dm/name`)?.trim()
    const properties = source.own.tryText(`/run/udev/data/b${number}`) ?? ''
    return /^E:ID_FS_LABEL=(.+)$/m.exec(properties)?.[1]
  }

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/**
 * The device a mount lies on. Its number finds it under any name, /dev/root and device-mapper names included; btrfs and
 * the like only have a name, which may be one of the device mapper, or that of a device whose partition or whole disk has
 * the counters.
 */
export function deviceOf(mount: Mount, devices: readonly DiskCounters[], labelOf: LabelOf): DiskCounters | undefined {
  const byNumber = devices.find((device) => device.number === mount.deviceNumber)
  if (byNumber !== undefined || !mount.source.startsWith('/dev/')) return byNumber
  const name = baseName(mount.source)
  if (mount.source.startsWith('/dev/mapper/')) return devices.find((device) => device.name.startsWith('dm-') && labelOf(device) === name)
  return devices.find((device) => device.name === name) ?? busiest(devices.filter((device) => areDiskAndPartition(device.name, name)))
}

/** A device by what a person calls it: name, label, or the beginning of a name such as `nvme0` of `nvme0n1`. */
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

/** `sda` and `sda1`, `nda0` and `nda0p2`; but not `sda1` and `sda10`. */
function areDiskAndPartition(one: string, other: string): boolean {
  const [disk, partition] = one.length < other.length ? [one, other] : [other, one]
  if (disk === '' || !partition.startsWith(disk)) return false
  const rest = partition.slice(disk.length)
  return /\d$/.test(disk) ? /^p\d+$/.test(rest) : /^\d+$/.test(rest)
}

/** Most bytes, then most operations, then the first name. */
export function busiest(devices: readonly DiskCounters[]): DiskCounters | undefined {
  const [first] = devices.toSorted((a, b) => bytesOf(b) - bytesOf(a) || operationsOf(b) - operationsOf(a) || (a.name < b.name ? -1 : 1))
  return first
}

const bytesOf = (device: DiskCounters): number => device.readBytes + device.writtenBytes
const operationsOf = (device: DiskCounters): number => device.reads + device.writes
