import type { ProcSource } from '../../source/proc-source.ts'
import type { Mount } from '../../text/mount-info.ts'
import type { DiskCounters } from './disk-counters.ts'

/**
 * Function that returns a block device's label: the mapping's name for a device-mapper device (`dm-N`), else the label of its filesystem.
 * `undefined` when it has none.
 */
export type LabelOf = (device: DiskCounters) => string | undefined

/**
 * Creates a function that returns the label of a block device, from kernel files and the database of udev; `undefined` when it has none.
 * Sources: /sys/block/dm-N/dm/name, /run/udev/data.
 */
export const labelsIn =
  (source: ProcSource): LabelOf =>
  ({ name, number }) => {
    if (name.startsWith('dm-')) return source.trySys(`block/${name}/dm/name`)?.trim()
    const properties = source.own.tryText(`/run/udev/data/b${number}`) ?? ''
    return /^E:ID_FS_LABEL=(.+)$/m.exec(properties)?.[1]
  }

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/**
 * Returns the counters of the block device on which a mount lies, found by `major:minor`, else by the name of its source below /dev. By
 * name, its partition or whole disk also counts. `undefined` when none has counters.
 */
export function deviceOf(mount: Mount, devices: readonly DiskCounters[], labelOf: LabelOf): DiskCounters | undefined {
  const byNumber = devices.find((device) => device.number === mount.deviceNumber)
  if (byNumber !== undefined || !mount.source.startsWith('/dev/')) return byNumber
  const name = baseName(mount.source)
  if (mount.source.startsWith('/dev/mapper/')) return devices.find((device) => device.name.startsWith('dm-') && labelOf(device) === name)
  return devices.find((device) => device.name === name) ?? busiest(devices.filter((device) => areDiskAndPartition(device.name, name)))
}

/**
 * Finds a block device by its name, then its label, then as partition or whole disk of that name, then by a common beginning. Returns its
 * counters; `undefined` without a match. For several matches of the last two, such as `nvme0n1` for `nvme0`, it is the one with the most
 * bytes moved.
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

/**
 * Returns true when one of the two block device names is a partition of the other, as for `sda` and `sda1`, or `nda0` and `nda0p2`; false
 * for `sda1` and `sda10`.
 */
function areDiskAndPartition(one: string, other: string): boolean {
  const [disk, partition] = one.length < other.length ? [one, other] : [other, one]
  if (disk === '' || !partition.startsWith(disk)) return false
  const rest = partition.slice(disk.length)
  return /\d$/.test(disk) ? /^p\d+$/.test(rest) : /^\d+$/.test(rest)
}

/**
 * Returns the counters of the block device with the most bytes moved since boot; of equal ones, the most operations, then the first by
 * name. `undefined` for an empty list.
 */
export function busiest(devices: readonly DiskCounters[]): DiskCounters | undefined {
  const [first] = devices.toSorted((a, b) => bytesOf(b) - bytesOf(a) || operationsOf(b) - operationsOf(a) || (a.name < b.name ? -1 : 1))
  return first
}

const bytesOf = (device: DiskCounters): number => device.readBytes + device.writtenBytes
const operationsOf = (device: DiskCounters): number => device.reads + device.writes
