/**
 * Self-reported health of a drive, RAID array or ZFS pool. Sources: `smartctl --json`; sysfs for eMMC and md arrays; /proc/spl/kstat/zfs
 * for ZFS pools.
 */
export type DiskHealth = {
  /**
   * Id of the drive, by which hubs recognise it: its serial number, or the device path if it has none. It is `mdraid:md0` for a RAID array,
   * `zpool:tank` for a ZFS pool.
   */
  readonly id: string
  readonly model?: string
  readonly serial?: string
  readonly firmware?: string
  readonly capacityBytes?: number
  readonly status: DiskHealthStatus
  /** Path of the drive's device on its machine, such as `/dev/sda`; absent where there is none, as for a ZFS pool. */
  readonly device?: string
  /** Type of the drive: `sat`, `nvme` or `scsi` as smartctl names it; `emmc`; `mdraid` for a RAID array; `zpool` for a ZFS pool. */
  readonly type?: string
  readonly celsius?: number
  /**
   * Age in ms of this drive's values when they are from an earlier reading, because the drive sleeps or did not respond. Absent for values
   * of the latest reading. Only Vedette agents send it.
   */
  readonly ageMs?: number
  readonly attributes?: readonly DiskAttribute[]
}

export type DiskHealthStatus = 'PASSED' | 'WARNING' | 'FAILED' | 'UNKNOWN'

export type DiskAttribute = {
  /**
   * Number of the ATA attribute (1 to 255), such as 5 for reallocated sectors; absent for NVMe and SCSI counters, which have only names.
   */
  readonly id?: number
  readonly name: string
  /** Current normalised value of the ATA attribute, 0 to 255 on the vendor's scale. Lower is worse. */
  readonly value?: number
  readonly worst?: number
  readonly threshold?: number
  readonly raw: number
  readonly rawText?: string
  /** Set for an ATA attribute at or below its failure threshold: `now`, or `past` if it was so once. Absent for a good attribute. */
  readonly failed?: string
}

/**
 * Result of reading all drives. `complete` is true when no known drive is missing; one that did not respond has earlier values. A drive
 * that is then missing has been removed.
 */
export type DiskHealthReport = { readonly devices: readonly DiskHealth[]; readonly complete: boolean }
